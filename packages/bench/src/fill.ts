import type { Store, StoredMessage } from '@spec/runtime';
import { conversation } from './conversation.ts';

/** Stores a thread of the agent `agent` with so many messages. */
export async function fill(store: Store, threadId: string, length: number): Promise<void> {
  await store.createThread({
    id: threadId,
    agentId: 'agent',
    userId: null,
    parentId: null,
    depth: 0,
    createdAt: 0,
    currentSide: 'a',
    terminated: null,
    turn: null,
    compaction: null,
    metadata: {},
  });
  const messages = conversation(length);
  for (let from = 0; from < length; from += 1_000) {
    await store.append(threadId, 0, { messages: messages.slice(from, from + 1_000) as StoredMessage[] });
  }
}
