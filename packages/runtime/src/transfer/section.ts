import { type AttachmentRef, RunError, type TurnMark } from '@spec/hooks';
import { fromBase64 } from '../base64.ts';
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
import type { Line } from './format.ts';
import { badLine } from './lines.ts';

/** One thread of an import, while it is being stored. */
export interface Section {
  readonly store: Store;
  readonly record: ThreadRecord;
  readonly firstLine: number;
  lease: Lease;
  batch: Batch;
  file: IncomingFile | undefined;
  messages: number;
}

const leaseMs = 60_000;

/** What a thread is until all of it is there. */
const unfinished = { terminated: 'its import did not end; delete it and import it again', turn: null };

/** Makes the thread. @throws RunError `invalid_input` where its id is taken. */
export async function openSection(opening: {
  store: Store;
  owner: string;
  record: ThreadRecord;
  line: number;
}): Promise<Section> {
  const { store, owner, record, line } = opening;
  const { id } = record;
  const taken =
    (await store.getThread(id)) !== null || (await store.listThreads({ parentId: id })).length > 0;
  if (taken) throw badLine(line, `thread ${id}, or a child of it, is in the store already`);
  await store
    .createThread({ ...record, ...unfinished })
    .catch((error: unknown) => refuse(error, [line, line]));
  const lease = await store.acquireLease({ threadId: id, owner, ttlMs: leaseMs });
  return { store, record, firstLine: line, lease, batch: newBatch(), file: undefined, messages: 0 };
}

/** Takes a line that belongs to the thread; most are stored some lines later. */
export async function addLine(section: Section, line: Line, number: number): Promise<void> {
  if ('bytes' in line) addBytes(section.file, line.bytes, number);
  else {
    refuseCutFile(section, number);
    if ('file' in line) section.file = incomingFile(line.file);
    else addToBatch(section.batch, { line, number, threadId: section.record.id });
  }
  if (section.file !== undefined && isWhole(section.file)) await storeFile(section, number);
  if (isFull(section.batch)) await fill(section);
}

/** Stores what there is of the thread before another begins. */
export async function endLines(section: Section, number: number): Promise<void> {
  refuseCutFile(section, number);
  await fill(section);
}

/** Gives the thread its state, and frees it. */
export async function finish({ store, record, firstLine, lease, messages }: Section): Promise<void> {
  const { id, terminated, turn } = record;
  if ((await store.countMessages(id)) !== messages)
    throw badLine(firstLine, `thread ${id}, which begins here, has two messages with the same id`);
  await store.append(id, lease.fence, { thread: { terminated, turn } });
  await store.releaseLease(lease);
}

/** Removes the thread and the children that came with it. Where even that fails, they stay terminated. */
export async function discard({ store, record, lease }: Section): Promise<void> {
  await store.deleteThread(record.id, lease.fence).catch(() => false);
}

async function fill(section: Section): Promise<void> {
  const { store, record, lease } = section;
  const { lines, characters: _, ...append } = section.batch;
  section.batch = newBatch();
  if (lines === undefined) return;
  section.messages += append.messages.length;
  await store.append(record.id, lease.fence, append).catch((error: unknown) => refuse(error, lines));
  section.lease = await store.renewLease(lease, leaseMs);
}

async function storeFile(section: Section, number: number): Promise<void> {
  const { store, record, lease, file } = section;
  section.file = undefined;
  if (file === undefined) return;
  await store
    .writeFile(record.id, lease.fence, await storedFile(file))
    .catch((error: unknown) => refuse(error, [number, number]));
}

function refuseCutFile({ file }: Section, number: number): void {
  if (file !== undefined) throw badLine(number, 'the file before it is cut short');
}

/** What a store refuses because of what it was given is the fault of the lines; everything else is not. */
function refuse(error: unknown, [from, to]: readonly [from: number, to: number]): never {
  const ofLines =
    error instanceof RunError && ['invalid_message', 'invalid_input', 'not_found'].includes(error.code);
  if (!ofLines) throw error;
  const where = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  throw new RunError('invalid_input', `import, ${where}: ${error.message}; nothing was imported`);
}

/** Lines that will be stored together. */
interface Batch {
  readonly messages: StoredMessage[];
  readonly toolCalls: ToolCallRecord[];
  readonly values: { key: string; value: unknown }[];
  readonly enqueue: QueueItem[];
  readonly runs: LedgerEntry[];
  readonly marks: TurnMark[];
  characters: number;
  /** The numbers of the first and the last one; `undefined` where there is none yet. */
  lines: readonly [first: number, last: number] | undefined;
}

const fullAtLines = 200;
const fullAtCharacters = 1_000_000;

function newBatch(): Batch {
  return {
    messages: [],
    toolCalls: [],
    values: [],
    enqueue: [],
    runs: [],
    marks: [],
    characters: 0,
    lines: undefined,
  };
}

/** @throws RunError `invalid_input` for a line that is not part of a thread. */
function addToBatch(batch: Batch, added: { line: Line; number: number; threadId: string }): void {
  const { line, number, threadId } = added;
  if ('message' in line) {
    batch.messages.push(line.message);
    batch.characters += line.message.content?.length ?? 0;
  } else if ('call' in line) batch.toolCalls.push(line.call);
  else if ('value' in line) batch.values.push(line.value);
  else if ('item' in line) batch.enqueue.push(line.item);
  else if ('run' in line) batch.runs.push({ ...line.run, threadId });
  else if ('mark' in line) batch.marks.push({ ...line.mark, threadId });
  else throw badLine(number, 'it is not part of a thread');
  batch.lines = [batch.lines?.[0] ?? number, number];
}

/** Whether it is time to store a batch. */
function isFull({ lines, characters }: Batch): boolean {
  return lines !== undefined && (lines[1] - lines[0] >= fullAtLines || characters >= fullAtCharacters);
}

/** A file of which not all bytes have come yet. */
interface IncomingFile {
  readonly ref: AttachmentRef;
  readonly parts: Uint8Array<ArrayBuffer>[];
  missing: number;
}

function incomingFile(ref: AttachmentRef): IncomingFile {
  return { ref, parts: [], missing: ref.size };
}

/** @throws RunError `invalid_input` where they are no bytes, or belong to no file. */
function addBytes(file: IncomingFile | undefined, base64: string, number: number): void {
  const bytes = fromBase64(base64);
  if (bytes === null) throw badLine(number, 'its bytes are not base64');
  if (file === undefined || bytes.length > file.missing) throw badLine(number, 'its bytes belong to no file');
  file.parts.push(bytes);
  file.missing -= bytes.length;
}

function isWhole({ missing }: IncomingFile): boolean {
  return missing === 0;
}

/** The file with all its bytes. */
async function storedFile({ ref, parts }: IncomingFile): Promise<StoredFile> {
  return { ...ref, data: new Uint8Array(await new Blob(parts).arrayBuffer()) };
}
