import { wantedCount } from '../counts.ts';
import type { StoreDriver } from '../driver.ts';
import { checkRetention, matchesFilter } from '../ledger-filter.ts';
import type { LedgerEntry, LedgerFilter, Store } from '../store.ts';
import type { OpenedDriver } from './opened.ts';

const PAGE = 1000;

/** The methods over the ledger. */
export function ledgerMethods({
  ask,
  whole,
  driver,
}: OpenedDriver): Pick<Store, 'listRuns' | 'pageRuns' | 'pruneRuns'> {
  const copy = <T>(runs: T): T => (driver.answersAreCopies ? runs : structuredClone(runs));
  return {
    async listRuns(filter = {}) {
      wantedCount('limit', filter.limit);
      const use = whole();
      return copy([...(await (use.listRuns ? use.listRuns({ ...filter }) : search(use, { ...filter })))]);
    },
    async pageRuns(threadId, { from = 0, size }) {
      return copy(await ask(threadId, (use) => use.pageRuns({ threadId, from, size: Math.max(1, size) })));
    },
    async pruneRuns(retention) {
      checkRetention(retention);
      return whole().pruneRuns({ ...retention });
    },
  };
}

/** What a filter asks for, found by reading all pages. */
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
