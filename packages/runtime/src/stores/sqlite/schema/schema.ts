// Schema: the tables of the file and its migrations. Only the SQLite store reads it; it opens nothing.

import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type {
  FileRow,
  HookRunRow,
  LeaseRow,
  MessageTableRow,
  OpenTurnRow,
  QueueTableRow,
  ThreadRow,
  ValueRow,
} from './rows.ts';
import type { TableOf } from './table-types.ts';
import { anyBytes, anyText } from './text.ts';

// The tables of design §7.3; rows.ts has their rows. After a change here, `npm run generate` writes the migration.
// The cost of a commit is the number of pages that it changes, so the data of a turn goes to few places (bench `turn-normal-1000`).
// S1: threads have an integer key inside the file. All other tables refer to that key, so that no row repeats an id.
// S2: messages are only appended. Their key is their order, (thread, id) their identity. Ids of the runtime grow, and the index has the
//     id first, so the index also grows at its end. The states of a message's calls are a part of its row.
// S3: messages and rows of runs share one counter for keys, so the order of keys is the order of commits.
// S4: runs committed with a message have its key and are found through it. The others are `alone` and have an index.
// S5: rows of a thread are deleted with it (on delete cascade), except its runs: the index for a cascade would cost each
//     commit a page, so `LedgerTable.removeFamily` deletes them.
// S6: columns of `anyText` may hold a blob, see text.ts.

const cascade = { onDelete: 'cascade' } as const;

const threadKey = () =>
  integer('thread')
    .notNull()
    .references(() => threads.key, cascade);

export const threads: TableOf<ThreadRow, 'key'> = sqliteTable(
  'threads',
  {
    key: integer('key').primaryKey(),
    id: anyText('id').notNull(),
    agentId: anyText('agent_id').notNull(),
    userId: anyText('user_id'),
    parentId: anyText('parent_id'),
    depth: integer('depth').notNull(),
    createdAt: integer('created_at').notNull(),
    currentSide: text('current_side', { enum: ['a', 'b'] }).notNull(),
    terminated: anyText('terminated'),
    metadata: text('metadata').notNull(),
    compaction: text('compaction'),
  },
  (table) => [uniqueIndex('threads_id').on(table.id), index('threads_parent').on(table.parentId)],
);

/** Open turns, running or left by a crash. They have a small table so that a thread's row does not change when turns begin and end. */
export const openTurns: TableOf<OpenTurnRow, 'thread'> = sqliteTable('open_turns', {
  thread: integer('thread')
    .primaryKey()
    .references(() => threads.key, cascade),
  turnId: anyText('turn_id').notNull(),
  form: integer('form'),
});

export const messages: TableOf<MessageTableRow, 'key'> = sqliteTable(
  'messages',
  {
    key: integer('key').primaryKey(),
    thread: threadKey(),
    calls: text('calls'),
    id: anyText('id').notNull(),
    role: text('role', { enum: ['system', 'user', 'assistant', 'tool'] }).notNull(),
    flags: integer('flags').notNull(),
    createdAt: integer('created_at').notNull(),
    depth: integer('depth'),
    parentId: anyText('parent_id'),
    name: anyText('name'),
    toolCallId: anyText('tool_call_id'),
    content: anyText('content'),
    toolCalls: anyText('tool_calls'),
    metadata: anyText('metadata'),
    extra: text('extra'),
  },
  (table) => [
    index('messages_order').on(table.thread),
    uniqueIndex('messages_id').on(table.id, table.thread),
  ],
);

export const values: TableOf<ValueRow, 'rowid'> = sqliteTable(
  'values',
  {
    rowid: integer('rowid').primaryKey(),
    thread: threadKey(),
    key: anyText('key').notNull(),
    value: text('value').notNull(),
  },
  (table) => [uniqueIndex('values_key').on(table.thread, table.key)],
);

export const files: TableOf<FileRow, 'key'> = sqliteTable(
  'files',
  {
    key: integer('key').primaryKey(),
    thread: threadKey(),
    path: anyText('path').notNull(),
    name: anyText('name').notNull(),
    mimeType: anyText('mime_type').notNull(),
    size: integer('size').notNull(),
    data: anyBytes('data').notNull(),
  },
  (table) => [uniqueIndex('files_path').on(table.thread, table.path)],
);

export const queue: TableOf<QueueTableRow, 'key'> = sqliteTable(
  'queue',
  {
    key: integer('key').primaryKey(),
    thread: threadKey(),
    id: anyText('id').notNull(),
    kind: text('kind', { enum: ['message', 'inject', 'tool', 'stop'] }).notNull(),
    payload: text('payload').notNull(),
  },
  (table) => [uniqueIndex('queue_id').on(table.thread, table.id)],
);

export const leases: TableOf<LeaseRow, 'fence'> = sqliteTable(
  'leases',
  {
    fence: integer('fence').primaryKey({ autoIncrement: true }),
    thread: threadKey(),
    owner: anyText('owner'),
    expiresAt: integer('expires_at').notNull(),
    ttlMs: integer('ttl_ms'),
  },
  (table) => [uniqueIndex('leases_thread').on(table.thread)],
);

export const hookRuns: TableOf<HookRunRow, 'key'> = sqliteTable(
  'hook_runs',
  {
    key: integer('key').primaryKey(),
    thread: integer('thread').notNull(),
    storedAt: integer('stored_at').notNull(),
    longest: integer('longest').notNull(),
    turnId: anyText('turn_id'),
    step: integer('step').notNull(),
    alone: integer('alone').notNull(),
    runs: text('runs').notNull(),
  },
  (table) => [index('hook_runs_alone').on(table.thread).where(sql`alone = 1`)],
);
