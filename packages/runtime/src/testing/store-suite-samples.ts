import type {
  Lease,
  LedgerEntry,
  QueueItem,
  Store,
  StoredFile,
  StoredMessage,
  ThreadRecord,
  ToolCallRecord,
} from '../stores/store.ts';

/** The thread that most cases work on. */
export const t = 'thread-1';

/** Writers without a lease. */
export const noFence = 0;

/** Texts that stores have been seen to change: NUL, lone surrogates, line ends, text that looks like JSON or SQL. */
export const hardTexts: readonly string[] = [
  '',
  ' ',
  'a\0b\0',
  '\ud83d lone, high',
  'lone, low \udc00',
  '\ud83d\ude00 paired, then \udc00\ud83d swapped',
  '👩‍👩‍👧 \u202eright to left',
  'line\r\nline\nline\r',
  '{"a":1}',
  '"quoted"',
  'null',
  '12',
  "'); drop table messages; --",
  '\ufeffmark \ufffe \uffff \u2028',
];

export function thread(fields: Partial<ThreadRecord> = {}): ThreadRecord {
  return {
    id: t,
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
  return { id, role: 'user', content: `text of ${id}`, created_at: 1_760_000_000_123_456, ...fields };
}

export function call(messageId: string, fields: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return {
    id: `call-of-${messageId}`,
    messageId,
    position: 0,
    name: 'get_weather',
    status: 'pending',
    ...fields,
  };
}

export function item(id: string, fields: Partial<QueueItem> = {}): QueueItem {
  return { id, kind: 'message', payload: { role: 'user', content: `queued ${id}` }, ...fields };
}

export function file(path: string, bytes: readonly number[]): StoredFile {
  const data = new Uint8Array(bytes);
  return {
    type: 'file',
    path,
    name: path.split('/').at(-1) ?? path,
    mimeType: 'text/plain',
    size: data.length,
    data,
  };
}

export function run(id: string, fields: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    threadId: t,
    turnId: 'turn-1',
    step: 1,
    at: 1_760_000_000_000_003,
    hook: 'before_create_message',
    id,
    source: 'policy',
    outcome: 'changed',
    changed: true,
    ms: 0.25,
    sizeBefore: 20,
    sizeAfter: 18,
    ...fields,
  };
}

/** Makes the thread and appends messages with these ids, one append each. */
export async function withMessages(store: Store, ...ids: string[]): Promise<void> {
  await store.createThread(thread());
  for (const id of ids) await store.append(t, noFence, { messages: [message(id)] });
}

/** The ids of a thread's messages, in their order. */
export async function listMessageIds(store: Store, threadId: string = t): Promise<string[]> {
  return (await store.listMessages(threadId)).map(({ id }) => id);
}

/** Every way to write to a thread that takes a fence, by the name of its method. */
export function writes(
  store: Store,
  threadId: string,
  fence: number,
): [method: string, write: () => Promise<unknown>][] {
  return [
    ['append', () => store.append(threadId, fence, { messages: [message('written')], runs: [] })],
    [
      'updateMessage',
      () => store.updateMessage(threadId, fence, { id: 'm1', fields: { content: 'written' } }),
    ],
    ['deleteMessage', () => store.deleteMessage(threadId, fence, 'm1')],
    ['setValue', () => store.setValue(threadId, fence, { key: 'k', value: 'written' })],
    ['writeFile', () => store.writeFile(threadId, fence, file('written', [1]))],
    ['deleteFile', () => store.deleteFile(threadId, fence, 'f1')],
  ];
}

/** Every method of a store, called with arguments that would do in an open one. */
export function calls(store: Store): [method: string, invoke: () => Promise<unknown>][] {
  const lease: Lease = { threadId: t, owner: 'a', fence: 1, expiresAt: 0, ttlMs: 1000 };
  return [
    ...writes(store, t, noFence),
    ['createThread', () => store.createThread(thread())],
    ['getThread', () => store.getThread(t)],
    ['listThreads', () => store.listThreads()],
    ['deleteThread', () => store.deleteThread(t, noFence)],
    ['setValuesIf', () => store.setValuesIf(t, { key: 'k', value: undefined }, [{ key: 'k', value: 1 }])],
    ['post', () => store.post(t, item('q1'))],
    ['getMessage', () => store.getMessage(t, 'm1')],
    ['listMessages', () => store.listMessages(t)],
    ['countMessages', () => store.countMessages(t)],
    ['listToolCalls', () => store.listToolCalls(t)],
    ['listQueue', () => store.listQueue(t)],
    ['getValue', () => store.getValue(t, 'k')],
    ['listValues', () => store.listValues(t)],
    ['readFile', () => store.readFile(t, 'f1')],
    ['listFiles', () => store.listFiles(t)],
    ['acquireLease', () => store.acquireLease({ threadId: t, owner: 'a', ttlMs: 1000 })],
    ['getLease', () => store.getLease(t)],
    ['renewLease', () => store.renewLease(lease, 1000)],
    ['releaseLease', () => store.releaseLease(lease)],
    ['listRuns', () => store.listRuns()],
    ['pageRuns', () => store.pageRuns(t, { size: 10 })],
    ['listMarks', () => store.listMarks(t)],
    ['pruneRuns', () => store.pruneRuns({ keepBytes: 0 })],
    ['backup', () => store.backup('a-closed-store.db')],
  ];
}

export function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
