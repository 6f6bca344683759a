import { wantedCount } from '../counts.ts';
import type { StoreDriver } from '../driver.ts';
import { cloneJson } from '../json.ts';
import { checkRetention, matchesFilter } from '../ledger-filter.ts';
import { cloneMark } from '../mark-fields.ts';
import type { LedgerEntry, LedgerFilter, Store } from '../store.ts';
import type { OpenedDriver } from './opened.ts';

const PAGE = 1000;

/** The methods over the ledger. */
export function ledgerMethods({
  use,
  answersAreCopies,
}: OpenedDriver): Pick<Store, 'listRuns' | 'pageRuns' | 'listMarks' | 'pruneRuns'> {
  const copies = (runs: readonly LedgerEntry[]) => (answersAreCopies ? [...runs] : runs.map(cloneJson));
  return {
    async listRuns({ ...filter } = {}) {
      wantedCount('limit', filter.limit);
      const driver = use();
      return copies(await (driver.listRuns ? driver.listRuns(filter) : search(driver, filter)));
    },
    async pageRuns(threadId, { from = 0, size }) {
      const { runs, next } = await use().pageRuns({ threadId, from, size: Math.max(1, size) });
      return { runs: copies(runs), next };
    },
    async listMarks(threadId, turnId) {
      return (await use().listMarks(threadId, turnId)).map(cloneMark);
    },
    async pruneRuns(retention) {
      checkRetention(retention);
      return use().pruneRuns({ ...retention });
    },
  };
}

/** The entries that match a filter, found by reading all pages. */
async function search(driver: StoreDriver, filter: LedgerFilter): Promise<LedgerEntry[]> {
  const { threadId, limit } = filter;
  const found: LedgerEntry[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page = await driver.pageRuns({ ...(threadId !== undefined && { threadId }), from, size: PAGE });
    for (const run of page.runs) if (matchesFilter(run, filter)) found.push(run);
    if (limit !== undefined && found.length > limit) found.splice(0, found.length - limit);
    from = page.next;
  }
  return found;
}
