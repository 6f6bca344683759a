import { RunError } from '@spec/hooks';
import type { Append, Lease, Store, ThreadRecord } from '../stores/store.ts';
import { addToBatch, appendOf, type Batch, isFull, newBatch } from './batch.ts';
import type { Line } from './format.ts';
import { addBytes, type IncomingFile, incomingFile, isWhole, storedFile } from './incoming-file.ts';
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
export async function endOfLines(section: Section, number: number): Promise<void> {
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
  const { store, record, batch, lease } = section;
  section.batch = newBatch();
  if (batch.lines === undefined) return;
  const append: Append = appendOf(batch);
  section.messages += append.messages?.length ?? 0;
  const { lines } = batch;
  await store.append(record.id, lease.fence, append).catch((error: unknown) => refuse(error, lines));
  section.lease = await store.renewLease(lease, leaseMs);
}

async function storeFile(section: Section, number: number): Promise<void> {
  const { store, record, lease, file } = section;
  section.file = undefined;
  if (file === undefined) return;
  await store
    .writeFile(record.id, lease.fence, storedFile(file))
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
