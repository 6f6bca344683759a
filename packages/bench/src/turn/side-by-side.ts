import { memoryStore, type Store } from '@spec/runtime';
import type { Connection, ConnectOptions } from './contender.ts';
import { connectTo } from './ours.ts';
import { openRows } from './rows.ts';

/**
 * Our turn in memory and our rows by hand, in one process and in turns: where the runtime commits, the next transaction is
 * written by hand. What this takes is what a turn takes on a store that costs nothing beyond its rows.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const rows = await openRows(options);
  let transactions: Iterator<void> | undefined;
  const memory = memoryStore();
  const store: Store = {
    ...memory,
    append(...given) {
      transactions?.next();
      return memory.append(...given);
    },
  };
  const ours = connectTo(store);
  return {
    async thread(length) {
      const transactionsOfTurn = rows.thread(length);
      const turn = await ours.thread(length);
      return async () => {
        transactions = transactionsOfTurn();
        await turn();
        if (transactions.next().done !== true) throw new Error('A turn has fewer commits than messages.');
        transactions = undefined;
      };
    },
    async close() {
      await ours.close();
      rows.close();
    },
  };
}
