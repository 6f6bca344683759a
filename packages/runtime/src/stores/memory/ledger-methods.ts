import { wantedCount } from '../counts.ts';
import { checkRetention, matchesFilter } from '../ledger-filter.ts';
import type { LedgerEntry, LedgerFilter, Retention, RunPage, Store } from '../store.ts';
import { type Memory, open } from './thread.ts';

/** The methods over the ledger. */
export function ledgerMethods(memory: Memory): Pick<Store, 'listRuns' | 'pageRuns' | 'pruneRuns'> {
  return {
    listRuns: async (filter = {}) => listRuns(open(memory).runs, filter),
    async pageRuns(threadId, page) {
      const runs = open(memory).runs.filter((run) => run.threadId === threadId);
      return pageOf(runs, page);
    },
    async pruneRuns(retention) {
      checkRetention(retention);
      const { runs } = open(memory);
      memory.runs = kept(runs, retention);
      return runs.length - memory.runs.length;
    },
  };
}

function listRuns(runs: readonly LedgerEntry[], filter: LedgerFilter): LedgerEntry[] {
  const limit = wantedCount('limit', filter.limit);
  const found = runs.filter((run) => matchesFilter(run, filter));
  return structuredClone(limit < 0 ? found : found.slice(Math.max(0, found.length - limit)));
}

function pageOf(runs: readonly LedgerEntry[], { from = 0, size }: { from?: number; size: number }): RunPage {
  const end = from + Math.max(1, size);
  return { runs: structuredClone(runs.slice(from, end)), next: end < runs.length ? end : null };
}

function kept(runs: readonly LedgerEntry[], { before, keepBytes }: Retention): LedgerEntry[] {
  const young = before === undefined ? [...runs] : runs.filter((run) => run.at >= before);
  if (keepBytes === undefined) return young;
  let first = young.length;
  for (let bytes = 0; first > 0; first -= 1) {
    bytes += JSON.stringify(young[first - 1]).length;
    if (bytes > keepBytes) break;
  }
  return young.slice(first);
}
