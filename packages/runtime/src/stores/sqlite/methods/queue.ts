import { noSuchThread } from '../../refusals.ts';
import type { Store } from '../../store.ts';
import { encodeItem } from '../tables/queue.ts';
import { encodeRuns } from '../tables/run-row.ts';
import type { OpenFile } from '../tables/tables.ts';
import { refuseTakenItem } from './append.ts';

/** The methods over what waits for the next step. */
export function queueMethods({ tables, commits }: OpenFile): Pick<Store, 'post' | 'listQueue'> {
  const { threads, messages, queue, ledger } = tables;
  return {
    async post(threadId, item, runs = []) {
      const row = encodeItem(item, threadId);
      const runRows = encodeRuns(runs, threadId);
      return commits.write(() => {
        const thread = threads.keyOf(threadId);
        if (thread === undefined) throw noSuchThread(threadId);
        for (const run of runRows) ledger.add(thread, run);
        const isStored = row.kind === 'message' && messages.keyOf(thread, row.id) !== undefined;
        refuseTakenItem(tables, { thread, threadId }, row);
        if (!isStored) queue.add(thread, row);
      });
    },
    listQueue: (threadId) => commits.read(() => queue.list(threadId)),
  };
}
