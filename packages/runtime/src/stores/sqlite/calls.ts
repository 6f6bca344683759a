import { and, asc, eq, sql } from 'drizzle-orm';
import type { ToolCallRecord, ToolCallStatus } from '../../store.ts';
import { type Connection, equals, rawStatement } from './connection.ts';
import { messages, toolCalls } from './schema.ts';
import { encodeText } from './text.ts';

/** The tool calls of one file. */
export interface CallTable {
  /** Stores a call, or the new status of one that is there; `keys` are those of its thread and message. */
  put(keys: { thread: number; message: number }, call: ToolCallRecord): void;
  /** By message, then by position. */
  list(thread: number, filter: { status?: ToolCallStatus; messageId?: string }): ToolCallRecord[];
}

type CallValues = [
  message: number,
  position: number,
  thread: number,
  id: string | Buffer,
  name: string | Buffer,
  status: ToolCallStatus,
];

const slot = sql.placeholder;

/** Prepares the statements over `tool_calls`. */
export function callTable(connection: Connection): CallTable {
  const { orm } = connection;
  const insert = orm
    .insert(toolCalls)
    .values({
      message: slot('message'),
      position: slot('position'),
      thread: slot('thread'),
      id: slot('id'),
      name: slot('name'),
      status: slot('status'),
    })
    .onConflictDoUpdate({
      target: [toolCalls.message, toolCalls.position],
      set: { id: sql`excluded.id`, name: sql`excluded.name`, status: sql`excluded.status` },
    });
  const put = rawStatement<CallValues>(connection, insert);
  const { all, open, ofMessage } = selections(orm);

  return {
    put: ({ thread, message }, { position, id, name, status }) => {
      put.run(message, position, thread, encodeText(id), encodeText(name), status);
    },
    list(thread, { status, messageId }) {
      const isOpen = status === 'pending' || status === 'started';
      const calls =
        messageId !== undefined
          ? ofMessage.all({ thread, messageId })
          : (isOpen ? open : all).all({ thread });
      return status === undefined ? calls : calls.filter((call) => call.status === status);
    },
  };
}

/** `open` goes over the partial index of calls that are not done: a long thread has few. */
function selections(orm: Connection['orm']) {
  const select = () =>
    orm
      .select({
        id: toolCalls.id,
        messageId: messages.id,
        position: toolCalls.position,
        name: toolCalls.name,
        status: toolCalls.status,
      })
      .from(messages)
      .innerJoin(toolCalls, eq(toolCalls.message, messages.key))
      .orderBy(asc(messages.seq), asc(toolCalls.position))
      .$dynamic();
  const isOpen = sql`${toolCalls.status} <> 'done'`;
  return {
    all: select()
      .where(eq(messages.thread, slot('thread')))
      .prepare(),
    ofMessage: select()
      .where(and(eq(messages.thread, slot('thread')), equals(messages.id, 'messageId')))
      .prepare(),
    open: select()
      .where(and(eq(toolCalls.thread, slot('thread')), isOpen))
      .prepare(),
  };
}
