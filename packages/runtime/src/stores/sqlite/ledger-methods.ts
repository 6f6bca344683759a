import type { Store } from '../../store.ts';
import { checkRetention } from '../ledger-filter.ts';
import { pruning } from './pruning.ts';
import type { OpenFile } from './tables.ts';

/** The methods over the ledger. */
export function ledgerMethods({
  tables,
  commits,
}: OpenFile): Pick<Store, 'listRuns' | 'pageRuns' | 'pruneRuns'> {
  const { threads, ledger, ledgerPages } = tables;
  const prune = pruning(commits, ledgerPages);
  return {
    listRuns: async (filter = {}) => commits.read(() => ledger.list(filter)),
    pageRuns: async (threadId, page) =>
      commits.read(() => {
        const key = threads.keyOf(threadId);
        return key === undefined
          ? { runs: [], next: null }
          : ledgerPages.ofThread({ key, id: threadId }, page);
      }),
    async pruneRuns(retention) {
      checkRetention(retention);
      return prune(retention);
    },
  };
}
