import { randomUUID } from 'node:crypto';
import type { KeyedValue } from '@spec/hooks';
import type { QueueItem, ThreadChanges, ToolCallRecord } from '@spec/runtime';
import { type Commit, encodeRuns, keepLastStates, messageRows, type Writes } from '@spec/runtime/store-kit';
import { encodeOrNull, encodeText, textCodec } from '../texts.ts';

/** How messages are stored in columns. */
export const rows: ReturnType<typeof messageRows<string>> = messageRows(textCodec);

/** The JSON that `append_all_2` gets a list of: texts are encoded, absent parts left out. */
export interface Packet {
  readonly thread: string;
  readonly fence?: number | undefined;
  /** Identifies this commit. */
  readonly commit: string;
  readonly sync: 'on' | 'off';
  /** The version of the thread that the commit was made for. Absent for a plain commit: the server then checks that the thread allows it. */
  readonly version?: number;
  /** Ids that no stored message may have. */
  readonly fresh?: readonly string[] | undefined;
  /** Ids that no waiting item may have. */
  readonly absent?: readonly string[] | undefined;
  /** Ids that stored messages must have. */
  readonly stored?: readonly string[] | undefined;
  readonly [part: string]: unknown;
}

/** The part that every packet of a commit has. */
export interface PacketHead {
  readonly threadId: string;
  readonly fence: number | null;
  readonly sync: 'on' | 'off';
}

/** The packet of writes that were settled on a thread of this version. */
export function packWrites(head: PacketHead, writes: Writes, version: number): Packet {
  return { ...packHead(head), version, ...packParts(writes) };
}

/** The packet of a commit that is likely to be plain; `undefined` if the thread must be looked at first. */
export function packPlain(head: PacketHead, commit: Commit): Packet | undefined {
  const { expected, update, remove, removeFiles, posted, newIds = [], dequeue = [] } = commit;
  if (expected ?? update ?? remove ?? removeFiles) return undefined;
  const { messages = [], toolCalls = [] } = commit;
  const enqueue = posted === undefined ? commit.enqueue : [...(commit.enqueue ?? []), posted];
  const own = messages.map(({ id }) => id);
  const items = (enqueue ?? []).map(({ id }) => id);
  const comesIn = [...own, ...items];
  // Duplicates in one commit are for the rules to judge.
  if (new Set(comesIn).size < comesIn.length) return undefined;
  const waiting = new Set(dequeue);
  const others = toolCalls.map(({ messageId }) => messageId).filter((id) => !own.includes(id));
  return {
    ...packHead(head),
    fresh: encodeIds([...comesIn, ...newIds]),
    absent: encodeIds([...items, ...newIds].filter((id) => !waiting.has(id))),
    stored: encodeIds(others),
    ...packParts({ ...commit, enqueue }),
  };
}

function packHead({ threadId, fence, sync }: PacketHead): Packet {
  return { thread: encodeText(threadId), fence: fence ?? undefined, commit: randomUUID(), sync };
}

function packParts(writes: Writes): Record<string, unknown> {
  const { messages, replace, remove, toolCalls, runs, marks, dequeue, enqueue, values, files } = writes;
  return {
    messages: listOrNone(messages, packMessage),
    replace: replace && [packMessage(replace)],
    remove: encodeIds(remove),
    calls: listOrNone(toolCalls && keepLastStates(toolCalls), packCall),
    runs: listOrNone(encodeRuns(runs ?? [], marks), packRun),
    dequeue: encodeIds(dequeue),
    enqueue: listOrNone(enqueue, packItem),
    ...(values && packValues(values)),
    files: listOrNone(files, packFile),
    removeFiles: encodeIds(writes.removeFiles),
    changes: writes.thread && packChanges(writes.thread),
  };
}

function encodeIds(ids: readonly string[] | undefined): readonly string[] | undefined {
  return ids === undefined || ids.length === 0 ? undefined : [...new Set(ids)].map(encodeText);
}

function listOrNone<T>(items: readonly T[] | undefined, pack: (item: T) => unknown): unknown[] | undefined {
  return items === undefined || items.length === 0 ? undefined : items.map(pack);
}

function packMessage(message: Parameters<typeof rows.encode>[0]): unknown {
  const [id, role, flags, at, depth, parent, name, call, content, calls, metadata, extra] =
    rows.encode(message);
  return { id, role, flags, at, depth, parent, name, call, content, calls, metadata, extra };
}

function packCall({ messageId, position, id, name, status }: ToolCallRecord): unknown {
  return { message: encodeText(messageId), position, id: encodeText(id), name: encodeText(name), status };
}

function packRun({ turnId, step, oldest, youngest, runs }: ReturnType<typeof encodeRuns>[number]): unknown {
  return { turn: encodeOrNull(turnId), step, oldest, youngest, runs };
}

function packItem({ id, kind, payload }: QueueItem): unknown {
  return { id: encodeText(id), kind, payload: JSON.stringify(payload) };
}

function packValues(values: readonly KeyedValue[]): Record<string, unknown> {
  const last = [...new Map(values.map(({ key, value }) => [key, value]))];
  const set = last.filter(([, value]) => value !== undefined);
  return {
    unset: encodeIds(last.filter(([, value]) => value === undefined).map(([key]) => key)),
    values: listOrNone(set, ([key, value]) => ({ key: encodeText(key), value: JSON.stringify(value) })),
  };
}

function packFile({ path, name, mimeType, size, data }: NonNullable<Writes['files']>[number]): unknown {
  const { buffer, byteOffset, byteLength } = data;
  const base64 = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return { path: encodeText(path), name: encodeText(name), mime: encodeText(mimeType), size, data: base64 };
}

function packChanges(changes: ThreadChanges): Record<string, unknown> {
  const { turn, currentSide, terminated, compaction, metadata } = changes;
  return {
    turn: turn && { id: encodeText(turn.id), form: turn.form ?? null },
    side: currentSide,
    terminated: terminated && encodeText(terminated),
    compaction: compaction && encodeCompaction(compaction),
    metadata: metadata && JSON.stringify(metadata),
    // `null` removes the present value.
    ...(turn === null && { turn }),
    ...(terminated === null && { terminated }),
    ...(compaction === null && { compaction }),
  };
}

/** Encodes the summary of a thread as one text. */
export function encodeCompaction({ summaryId, throughId }: NonNullable<ThreadChanges['compaction']>): string {
  return JSON.stringify({ summaryId, throughId });
}
