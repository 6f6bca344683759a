import { encodeBase64, RunError } from '@spec/hooks';
import { checkName } from '../given.ts';
import type { Store, StoredMessage, ThreadRecord } from '../stores/store.ts';
import { listFields } from './checks.ts';
import { bytesPerLine, format, type Header, type Line, version } from './format.ts';

/** How many messages or runs are read at a time. */
const page = 200;

/**
 * A thread and its child threads as JSON lines, each with its line end: piece by piece, so that a long thread needs no more memory
 * than a short one (but a file is in memory whole while its lines are made). All is read twice: what changes meanwhile must not
 * make an export of two moments. A child thread that is exported for itself is no child in the export.
 * @throws {RunError} `not_found`; `thread_busy` where somebody wrote to the thread meanwhile
 */
export async function* exportThread(store: Store, threadId: string): AsyncGenerator<string, void, void> {
  checkName('id of a thread', threadId);
  const record = await store.getThread(threadId);
  if (record === null)
    throw new RunError('not_found', `thread ${threadId} is not in the store; nothing to export`, {
      threadId,
    });
  const header: Header = { format, version };
  yield writeLine(header);
  let lines = 1;
  const written = lineSum();
  for await (const line of exportedLines(store, record)) {
    lines += 1;
    const text = writeLine(line);
    written.add(text);
    yield text;
  }
  if ((await sumNow(store, threadId)) !== written.sum()) throw changed(threadId);
  yield writeLine({ end: lines + 1 });
}

/** The sum of the lines as they would be written now. */
async function sumNow(store: Store, threadId: string): Promise<string> {
  const record = await store.getThread(threadId);
  if (record === null) throw changed(threadId);
  const now = lineSum();
  for await (const line of exportedLines(store, record)) now.add(writeLine(line));
  return now.sum();
}

/** The lines of a thread and its children, with the thread at the top. */
async function* exportedLines(store: Store, top: ThreadRecord): AsyncGenerator<Line> {
  const { id, depth } = top;
  for await (const line of familyLines(store, top)) {
    if (!('thread' in line)) yield line;
    else if (line.thread.id === id) yield { thread: { ...line.thread, parentId: null, depth: 0 } };
    else yield { thread: { ...line.thread, depth: Math.max(0, line.thread.depth - depth) } };
  }
}

async function* familyLines(store: Store, record: ThreadRecord): AsyncGenerator<Line> {
  yield* threadLines(store, record);
  for (const child of await store.listThreads({ parentId: record.id })) yield* familyLines(store, child);
}

async function* threadLines(store: Store, record: ThreadRecord): AsyncGenerator<Line> {
  const { id } = record;
  yield { thread: record };
  for await (const message of readMessages(store, id)) {
    yield { message };
    for (const call of await store.listToolCalls(id, { messageId: message.id })) yield { call };
  }
  for (const value of await store.listValues(id)) yield { value };
  for (const { path } of await store.listFiles(id)) yield* fileLines(store, id, path);
  for (const item of await store.listQueue(id)) yield { item };
  yield* runLines(store, id);
  for (const { threadId: _, ...mark } of await store.listMarks(id)) yield { mark };
}

async function* readMessages(store: Store, threadId: string): AsyncGenerator<StoredMessage> {
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
    yield { bytes: encodeBase64(data.subarray(at, at + bytesPerLine)) };
}

async function* runLines(store: Store, threadId: string): AsyncGenerator<Line> {
  for (let from: number | null = 0; from !== null; ) {
    const { runs, next } = await store.pageRuns(threadId, { from, size: page });
    for (const { threadId: _, ...run } of runs) yield { run };
    from = next;
  }
}

/** The text of a line, with its line end (F4). */
function writeLine(line: Line | Header): string {
  const entries = Object.entries(line).map(([kind, value]) => [kind, inOrder(value, listFields(kind))]);
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

/** A copy with these fields first; the others keep their order. What is no record of fields stays as it is. */
function inOrder(value: unknown, first: readonly string[]): unknown {
  if (first.length === 0) return value;
  const given = value as Record<string, unknown>;
  const known = first.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]);
  return { ...Object.fromEntries(known), ...given };
}

function changed(threadId: string): RunError {
  const message = `thread ${threadId} changed while it was exported; export it again when nobody writes to it`;
  return new RunError('thread_busy', message, { threadId });
}

/** A sum over texts that tells, all but surely, whether they are the same ones again. It is no proof against forgery. */
interface LineSum {
  add(text: string): void;
  sum(): string;
}

/** Two FNV-1a sums of 32 bits over UTF-16 code units, with different primes. */
function lineSum(): LineSum {
  let one = 0x811c9dc5;
  let two = 0x9747b28c;
  return {
    add(text) {
      for (let at = 0; at < text.length; at += 1) {
        const unit = text.charCodeAt(at);
        one = Math.imul(one ^ unit, 0x01000193);
        two = Math.imul(two ^ unit, 0x85ebca6b);
      }
    },
    sum: () => `${one}:${two}`,
  };
}
