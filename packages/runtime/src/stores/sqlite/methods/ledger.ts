import { checkRetention } from '../../ledger-filter.ts';
import type { Store } from '../../store.ts';
import { type OpenFile, threadReader } from '../tables/tables.ts';
import { pruning } from './pruning.ts';

/** The methods over the ledger. */
export function ledgerMethods(file: OpenFile): Pick<Store, 'listRuns' | 'pageRuns' | 'pruneRuns'> {
  const { tables, commits } = file;
  const { ledger, ledgerPages } = tables;
  const readOf = threadReader(file);
  const prune = pruning(commits, ledgerPages);
  return {
    listRuns: async (filter = {}) => commits.read(() => ledger.list(filter)),
    pageRuns: async (threadId, page) =>
      readOf(threadId, { runs: [], next: null }, (key) => ledgerPages.ofThread({ key, id: threadId }, page)),
    async pruneRuns(retention) {
      checkRetention(retention);
      return prune(retention);
    },
  };
}
