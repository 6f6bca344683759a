import { RunError } from '@spec/hooks';
import type { Store, StoredMessage, ThreadRecord } from '../store.ts';
import { toBase64 } from './base64.ts';
import { bytesPerLine, format, type Header, type Line, textOf, version } from './format.ts';

/** How many messages or runs are read at a time. */
const page = 200;

/**
 * A thread and its child threads as JSON lines, each with its line end: piece by piece, so that a long thread needs no more memory
 * than a short one (but a file is in memory whole while its lines are made).
 * @throws {RunError} `not_found`; `thread_busy` where somebody wrote to the thread meanwhile
 */
export async function* exportThread(store: Store, threadId: string): AsyncGenerator<string, void, void> {
  const record = await store.getThread(threadId);
  if (record === null)
    throw new RunError('not_found', `thread ${threadId} is not in the store; nothing to export`, {
      threadId,
    });
  const header: Header = { format, version };
  yield textOf(header);
  let lines = 1;
  for await (const line of familyLines(store, record)) {
    lines += 1;
    yield textOf(line);
  }
  yield textOf({ end: lines + 1 });
}

async function* familyLines(store: Store, record: ThreadRecord): AsyncGenerator<Line> {
  yield* threadLines(store, record);
  for (const child of await store.listThreads({ parentId: record.id })) yield* familyLines(store, child);
}

async function* threadLines(store: Store, record: ThreadRecord): AsyncGenerator<Line> {
  const { id } = record;
  yield { thread: record };
  let messages = 0;
  for await (const message of messagesOf(store, id)) {
    messages += 1;
    yield { message };
    for (const call of await store.listToolCalls(id, { messageId: message.id })) yield { call };
  }
  for (const value of await store.listValues(id)) yield { value };
  for (const { path } of await store.listFiles(id)) yield* fileLines(store, id, path);
  for (const item of await store.listQueue(id)) yield { item };
  yield* runLines(store, id);
  await refuseChanged(store, record, messages);
}

async function* messagesOf(store: Store, threadId: string): AsyncGenerator<StoredMessage> {
  for (let after: string | undefined; ; ) {
    const query = after === undefined ? { first: page } : { first: page, after };
    const messages = await store.listMessages(threadId, query);
    yield* messages;
    after = messages.at(-1)?.id;
    if (messages.length < page || after === undefined) return;
  }
}

async function* fileLines(store: Store, threadId: string, path: string): AsyncGenerator<Line> {
  const found = await store.readFile(threadId, path);
  if (found === null) throw changed(threadId);
  const { data, ...file } = found;
  yield { file };
  for (let at = 0; at < data.length; at += bytesPerLine)
    yield { bytes: toBase64(data.subarray(at, at + bytesPerLine)) };
}

async function* runLines(store: Store, threadId: string): AsyncGenerator<Line> {
  for (let from: number | null = 0; from !== null; ) {
    const { runs, next } = await store.pageRuns(threadId, { from, size: page });
    for (const { threadId: _, ...run } of runs) yield { run };
    from = next;
  }
}

async function refuseChanged(store: Store, record: ThreadRecord, messages: number): Promise<void> {
  const now = await store.getThread(record.id);
  const same = now !== null && textOf({ thread: now }) === textOf({ thread: record });
  if (!same || (await store.countMessages(record.id)) !== messages) throw changed(record.id);
}

function changed(threadId: string): RunError {
  const message = `thread ${threadId} changed while it was exported; export it again when nobody writes to it`;
  return new RunError('thread_busy', message, { threadId });
}
