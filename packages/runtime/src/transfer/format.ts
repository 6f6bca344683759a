import type { AttachmentRef } from '@spec/hooks';
import type { LedgerEntry, QueueItem, StoredMessage, ThreadRecord, ToolCallRecord } from '../stores/store.ts';

// A file of exported threads is JSON lines:
// F1: the first names the format and its version, the last says how many lines there are with it: a file cut short has none.
// F2: between them one section for each thread, a parent before its children; each begins with its `thread` line.
// F3: in a section come the messages, each followed by its calls, then values, files, the queue and the runs, in the order of the store.
// F4: fields have one order, whatever store they come from: the same thread makes the same lines.

/** What the first line says. */
export const format = 'spec-thread';
/** The version that is written, and the newest that is read. */
export const version = 1;

export interface Header {
  format: string;
  version: number;
}

/** Every line after the first. */
export type Line =
  | { thread: ThreadRecord }
  | { message: StoredMessage }
  | { call: ToolCallRecord }
  | { value: { key: string; value: unknown } }
  | { file: AttachmentRef }
  | { bytes: string }
  | { item: QueueItem }
  | { run: Omit<LedgerEntry, 'threadId'> }
  | { end: number };

/** How many bytes of a file are in one line. */
export const bytesPerLine: number = 384 * 1024;

const threadFields = [
  'id',
  'agentId',
  'userId',
  'parentId',
  'depth',
  'createdAt',
  'currentSide',
  'terminated',
  'turn',
  'compaction',
  'metadata',
];
const messageFields = [
  'id',
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'created_at',
  'parent_id',
  'depth',
  'metadata',
];
const callFields = ['id', 'messageId', 'position', 'name', 'status'];
const fileFields = ['type', 'path', 'name', 'mimeType', 'size'];
const itemFields = ['id', 'kind', 'payload'];
const runFields = [
  'turnId',
  'step',
  'at',
  'hook',
  'id',
  'source',
  'outcome',
  'changed',
  'ms',
  'sizeBefore',
  'sizeAfter',
  'code',
  'why',
];

const orders: Record<string, readonly string[]> = {
  thread: threadFields,
  message: messageFields,
  call: callFields,
  file: fileFields,
  item: itemFields,
  run: runFields,
};

/** The text of a line, with its line end (F4). */
export function writeLine(line: Line | Header): string {
  const entries = Object.entries(line).map(([kind, value]) => [kind, inOrder(value, orders[kind])]);
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

/** A copy with these fields first; the others keep their order. */
function inOrder(value: unknown, first: readonly string[] | undefined): unknown {
  if (first === undefined) return value;
  const given = value as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const field of first) if (given[field] !== undefined) result[field] = given[field];
  return { ...result, ...given };
}
