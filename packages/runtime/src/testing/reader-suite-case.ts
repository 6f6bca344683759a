import type { Page, Records, RunQuery } from '@spec/hooks';
import type { Store } from '../stores/store.ts';
import { message, noFence, run, t, thread } from './store-suite-samples.ts';

/** What one requirement works with: an empty store, and what reads it. */
export interface ReaderCaseSetup {
  readonly store: Store;
  readonly records: Records;
}

/** One requirement on `Records`. */
export interface ReaderCase {
  readonly name: string;
  /** Throws where the requirement is not met. */
  run(setup: ReaderCaseSetup): Promise<void>;
}

/** Two threads with messages and runs, some of them committed without a message. */
export async function fillToRead(store: Store): Promise<void> {
  await store.createThread(thread());
  await store.createThread(thread({ id: 'other' }));
  for (const n of [1, 2, 3, 4, 5]) {
    const at = 1_000 + 10 * n;
    const turnId = n < 3 ? 'turn-1' : 'turn-2';
    const runs = [
      run(`r${n}`, { at, turnId, ms: n, about: { message: `m${n}` } }),
      run('same', { at: at - 25, turnId, hook: 'before_stop', values: { before: n } }),
    ];
    await store.append(t, noFence, { messages: [message(`m${n}`)], runs });
    const alone = run(`r${n}`, { threadId: 'other', at, turnId: null, outcome: 'denied', changed: false });
    await store.append('other', noFence, { runs: [alone] });
  }
}

/** The items of all pages. */
export async function readAll<T>(read: (cursor: RunQuery['cursor']) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await read(cursor);
    all.push(...page.items);
    cursor = page.next;
  }
  return all;
}
