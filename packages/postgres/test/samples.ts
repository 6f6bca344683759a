import type { LedgerEntry, QueueItem, StoredMessage, ThreadRecord } from '@spec/runtime';

export function thread(fields: Partial<ThreadRecord> = {}): ThreadRecord {
  return {
    id: 'thread-1',
    agentId: 'agent',
    userId: null,
    parentId: null,
    depth: 0,
    createdAt: 1_760_000_000_000_001,
    currentSide: 'a',
    terminated: null,
    turn: null,
    compaction: null,
    metadata: {},
    ...fields,
  };
}

export function message(id: string, fields: Record<string, unknown> = {}): StoredMessage {
  return { id, role: 'user', content: 'text', created_at: 1_760_000_000_123_456, ...fields };
}

export function item(id: string, fields: Partial<QueueItem> = {}): QueueItem {
  return { id, kind: 'message', payload: { role: 'user', content: 'queued' }, ...fields };
}

export function run(fields: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    threadId: 'thread-1',
    turnId: 'turn-1',
    step: 1,
    at: 1_760_000_000_000_003,
    hook: 'before_create_message',
    id: 'redact',
    source: 'policy',
    outcome: 'changed',
    changed: true,
    ms: 0.25,
    sizeBefore: 20,
    sizeAfter: 18,
    ...fields,
  };
}

/** The error of something that must fail. */
export async function thrownBy(promise: Promise<unknown>): Promise<Error & { code?: string }> {
  return promise.then(
    () => {
      throw new Error('nothing was thrown');
    },
    (error: Error) => error,
  );
}
