import type { StoredMessage } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';

/** A thread with one message of 256 KB in which a hook changed every thousandth word. */
export const wideThread = { thread: 'order-wide', message: 'wide-1' } as const;

const textBytes = 262_144;

/** Adds it to a file, with the texts before and after. */
export async function addWideMessage(path: string): Promise<void> {
  const { thread, message: id } = wideThread;
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await store.createThread({
    ...{
      id: thread,
      createdAt: Date.now() * 1_000,
      agentId: 'support',
      userId: null,
      parentId: null,
      depth: 0,
    },
    ...{ currentSide: 'a', terminated: null, turn: null, compaction: null, metadata: {} },
  });
  const words = Array.from({ length: textBytes / 8 }, (_, i) => `w${String(i).padStart(6, '0')}`);
  const before = words.join(' ');
  const after = words.map((word, i) => (i % 1_000 === 0 ? '[CARD]' : word)).join(' ');
  const at = Date.now() * 1_000;
  const message: StoredMessage = { id, role: 'user', content: after, created_at: at };
  const sizes = { sizeBefore: before.length, sizeAfter: after.length };
  await store.append(thread, 0, {
    messages: [message],
    runs: [
      {
        ...{ threadId: thread, turnId: null, step: 0, hook: 'before_create_message', id: 'redact_cards' },
        ...{
          source: 'hooks/cards.ts:3',
          outcome: 'changed',
          changed: true,
          ms: 3,
          at,
          about: { message: id },
        },
        ...sizes,
        values: { before: { content: before }, after: { content: after } },
      },
    ],
  });
  await store.close();
}

/** Stores a message, and gives when that was done, in milliseconds. */
export async function makeCommitter(
  path: string,
  thread: string,
): Promise<{
  commit(content: string): Promise<number>;
  close(): Promise<void>;
}> {
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  let count = 0;
  return {
    async commit(content) {
      const message: StoredMessage = {
        ...{ id: `new-${Date.now()}-${count++}`, role: 'user', content },
        created_at: Date.now() * 1_000,
      };
      await store.append(thread, 0, { messages: [message] });
      return performance.now();
    },
    close: () => store.close(),
  };
}
