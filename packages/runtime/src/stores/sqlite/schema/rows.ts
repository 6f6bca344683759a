import type { QueueItem, StoredMessage, ThreadRecord } from '../../store.ts';

// The rows of the tables in schema.ts. `key` is an integer key inside the file; `thread` is a thread's.

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
  /** JSON text; NULL where nothing was summarised. */
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
  /** Their order, in each thread and in the file. */
  key: number;
  thread: number;
  /** The states of its calls as JSON text, see call-states.ts; NULL where it has none. */
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
  /** The text that was given, or the JSON text of what was given; `flags` tells. */
  metadata: string | null;
  /** JSON text of the fields that have no column; NULL where there are none. */
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

/** The runs of one commit that belong to one turn. */
export interface HookRunRow {
  /** That of the last message of the commit; one of its own where there is none. */
  key: number;
  thread: number;
  /** When they were committed, in microseconds since the epoch: never less than in the row before, nor than the time of a run in the row. */
  storedAt: number;
  /** The most that lay between a run and its commit, in this row and all before it, in microseconds. */
  longest: number;
  turnId: string | null;
  step: number;
  /** 1 where no message has this key. */
  alone: number;
  /** JSON text, see packed-runs.ts. */
  runs: string;
}
