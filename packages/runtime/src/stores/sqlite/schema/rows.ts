import type { QueueItem, StoredMessage, ThreadRecord } from '../../store.ts';

// The rows of the tables in schema.ts. `key` is an integer key inside the file; `thread` is the key of a thread.

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
  /** JSON text; NULL if nothing was summarised. */
  compaction: string | null;
  /** JSON text. */
  metadata: string;
}

export interface OpenTurnRow {
  /** Its key. */
  thread: number;
  turnId: string;
  /** NULL for turns of older releases. */
  form: number | null;
}

export interface MessageTableRow {
  /** The order of messages, in each thread and in the file. */
  key: number;
  thread: number;
  /** The states of its calls as JSON text, see call-states.ts; NULL if it has no calls. */
  calls: string | null;
  id: string;
  role: StoredMessage['role'];
  /** Bits, see message-row.ts. */
  flags: number;
  /** Microseconds since the epoch. */
  createdAt: number;
  depth: number | null;
  parentId: string | null;
  name: string | null;
  toolCallId: string | null;
  content: string | null;
  toolCalls: string | null;
  /** The given text, or the JSON text of another given value; `flags` says which. */
  metadata: string | null;
  /** JSON text of the fields without a column; NULL if there are none. */
  extra: string | null;
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
  /** The key itself: it counts up over the whole file and is never reused. */
  fence: number;
  thread: number;
  /** NULL after a release. */
  owner: string | null;
  /** Milliseconds since the epoch. */
  expiresAt: number;
  /** Milliseconds; NULL for a lease from a version before this column. */
  ttlMs: number | null;
}

/** The runs of one commit and one turn. */
export interface HookRunRow {
  /** The key of the commit's last message; its own key if there is none. */
  key: number;
  thread: number;
  /** The time of the commit in microseconds since the epoch: never below that of the row before or of a run in the row. */
  storedAt: number;
  /** The longest time between a run and its commit, in this row and all earlier ones, in microseconds. */
  longest: number;
  turnId: string | null;
  step: number;
  /** 1 if no message has this key. */
  alone: number;
  /** JSON text, see packed-runs.ts. */
  runs: string;
}
