import type { QueueItem, StoredMessage, ThreadRecord, ToolCallStatus } from '../../store.ts';

// The rows of the tables in schema.ts. `key` is the integer key that SQLite gives; `thread` and `message` are such keys.

export interface ThreadRow {
  key: number;
  id: string;
  agentId: string;
  userId: string | null;
  parentId: string | null;
  depth: number;
  /** Microseconds since the epoch. */
  createdAt: number;
  currentSide: ThreadRecord['currentSide'];
  terminated: string | null;
  /** NULL while no turn is under way. */
  turnId: string | null;
  /** JSON text; NULL where nothing was summarised. */
  compaction: string | null;
  /** JSON text. */
  metadata: string;
}

export interface MessageTableRow {
  key: number;
  thread: number;
  /** From 1 in every thread. */
  seq: number;
  id: string;
  role: StoredMessage['role'];
  content: string | null;
  name: string | null;
  toolCalls: string | null;
  toolCallId: string | null;
  /** Microseconds since the epoch. */
  createdAt: number;
  parentId: string | null;
  depth: number | null;
  /** The text that was given, or the JSON text of what was given; `flags` tells. */
  metadata: string | null;
  /** JSON text of the fields that have no column; NULL where there are none. */
  extra: string | null;
  /** Bits, see message-row.ts. */
  flags: number;
}

export interface ToolCallRow {
  key: number;
  message: number;
  position: number;
  id: string;
  name: string;
  status: ToolCallStatus;
}

export interface ValueRow {
  rowid: number;
  thread: number;
  key: string;
  /** JSON text. */
  value: string;
}

export interface FileRow {
  key: number;
  thread: number;
  path: string;
  name: string;
  mimeType: string;
  /** Bytes. */
  size: number;
  data: Uint8Array;
}

export interface QueueTableRow {
  /** Their order. */
  key: number;
  thread: number;
  id: string;
  kind: QueueItem['kind'];
  /** JSON text. */
  payload: string;
}

/** One for each thread. */
export interface LeaseRow {
  /** The key itself: it counts up over the whole file and is never given twice. */
  fence: number;
  thread: number;
  /** NULL once released. */
  owner: string | null;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Milliseconds; NULL for a lease that a version before this column gave. */
  ttlMs: number | null;
}

/** The runs of one append that belong to one step. */
export interface HookRunRow {
  key: number;
  thread: number;
  turnId: string | null;
  step: number;
  /** JSON text, see run-row.ts. */
  runs: string;
}
