import type { Store } from '../src/index.ts';

/** All that is stored of a thread and its children, without what time gives. */
export interface StoredThread {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly [part: string]: unknown;
}

export async function storedThread(store: Store, threadId: string): Promise<StoredThread> {
  const children = await store.listThreads({ parentId: threadId });
  return {
    record: { ...(await store.getThread(threadId)), createdAt: 0 },
    messages: (await store.listMessages(threadId)).map(({ created_at: _, ...message }) => message),
    calls: await store.listToolCalls(threadId),
    queue: await store.listQueue(threadId),
    files: await store.listFiles(threadId),
    children: await Promise.all(children.map(({ id }) => storedThread(store, id))),
  };
}
