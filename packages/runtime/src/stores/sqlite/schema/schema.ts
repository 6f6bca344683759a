// Schema: the tables of the file and its migrations. Only the SQLite store reads it; it opens nothing.

import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type {
  FileRow,
  HookRunRow,
  LeaseRow,
  MessageTableRow,
  QueueTableRow,
  ThreadRow,
  ToolCallRow,
  ValueRow,
} from './rows.ts';
import type { TableOf } from './table-types.ts';
import { anyBytes, anyText } from './text.ts';

// The tables of design §7.3; rows.ts has their rows. After a change here, `npm run generate` writes the migration.
// S1: threads have an integer key inside the file; every other table refers to that, so that no row repeats an id.
// S2: messages are only ever appended to a rowid table; (thread, seq) is their order, (thread, id) their identity.
// S3: what belongs to a thread goes with it (on delete cascade).
// S4: columns of `anyText` may hold a blob, see text.ts.

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
    turnId: anyText('turn_id'),
    metadata: text('metadata').notNull(),
    compaction: text('compaction'),
  },
  (table) => [uniqueIndex('threads_id').on(table.id), index('threads_parent').on(table.parentId)],
);

export const messages: TableOf<MessageTableRow, 'key'> = sqliteTable(
  'messages',
  {
    key: integer('key').primaryKey(),
    thread: threadKey(),
    seq: integer('seq').notNull(),
    id: anyText('id').notNull(),
    role: text('role', { enum: ['system', 'user', 'assistant', 'tool'] }).notNull(),
    content: anyText('content'),
    name: anyText('name'),
    toolCalls: anyText('tool_calls'),
    toolCallId: anyText('tool_call_id'),
    createdAt: integer('created_at').notNull(),
    parentId: anyText('parent_id'),
    depth: integer('depth'),
    metadata: anyText('metadata'),
    extra: text('extra'),
    flags: integer('flags').notNull(),
  },
  (table) => [
    uniqueIndex('messages_order').on(table.thread, table.seq),
    uniqueIndex('messages_id').on(table.thread, table.id),
  ],
);

export const toolCalls: TableOf<ToolCallRow, 'key'> = sqliteTable(
  'tool_calls',
  {
    key: integer('key').primaryKey(),
    message: integer('message')
      .notNull()
      .references(() => messages.key, cascade),
    position: integer('position').notNull(),
    id: anyText('id').notNull(),
    name: anyText('name').notNull(),
    status: text('status', { enum: ['pending', 'started', 'done'] }).notNull(),
  },
  (table) => [uniqueIndex('tool_calls_position').on(table.message, table.position)],
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
    thread: threadKey(),
    turnId: anyText('turn_id'),
    step: integer('step').notNull(),
    runs: text('runs').notNull(),
  },
  (table) => [index('hook_runs_thread').on(table.thread)],
);
