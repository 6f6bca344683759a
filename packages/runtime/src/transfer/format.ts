import type { AttachmentRef, TurnMark } from '@spec/hooks';
import type { LedgerEntry, QueueItem, StoredMessage, ThreadRecord, ToolCallRecord } from '../stores/store.ts';

// A file of exported threads is JSON lines:
// F1: the first names the format and its version, the last says how many lines there are with it: a file cut short has none.
// F2: between them one section for each thread, a parent before its children; each begins with its `thread` line.
// F3: in a section come the messages, each followed by its calls, then values, files, the queue, the runs and the marks, in the order of the store.
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
  | { mark: WithoutThread<TurnMark> }
  | { end: number };

type WithoutThread<Mark> = Mark extends TurnMark ? Omit<Mark, 'threadId'> : never;

/** How many bytes of a file are in one line. */
export const bytesPerLine: number = 384 * 1024;
