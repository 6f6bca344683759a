import { and, asc, eq, sql } from 'drizzle-orm';
import type { ToolCallRecord, ToolCallStatus } from '../../store.ts';
import { type Connection, equals, rawStatement } from '../file/connection.ts';
import { damaged } from '../schema/damaged.ts';
import { messages, toolCalls } from '../schema/schema.ts';
import { encodeText, isStoredText } from '../schema/text.ts';
import { makeRowCheck } from './row-checks.ts';

/** The tool calls of one file. */
export interface CallTable {
  /** Stores a call, or the new status of one that is there; `message` is the key of its message. */
  put(message: number, call: ToolCallRecord): void;
  /** By message, then by position. */
  list(
    thread: { key: number; id: string },
    filter: { status?: ToolCallStatus; messageId?: string },
  ): ToolCallRecord[];
}

type CallValues = [
  message: number,
  position: number,
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
      id: slot('id'),
      name: slot('name'),
      status: slot('status'),
    })
    .onConflictDoUpdate({
      target: [toolCalls.message, toolCalls.position],
      set: { id: sql`excluded.id`, name: sql`excluded.name`, status: sql`excluded.status` },
    });
  const put = rawStatement<CallValues>(connection, insert);
  const { all, ofMessage } = selections(orm);

  return {
    put: (message, { position, id, name, status }) => {
      put.run(message, position, encodeText(id), encodeText(name), status);
    },
    list({ key: thread, id: threadId }, { status, messageId }) {
      const calls = messageId === undefined ? all.all({ thread }) : ofMessage.all({ thread, messageId });
      for (const call of calls) checkCall(call, threadId);
      return status === undefined ? calls : calls.filter((call) => call.status === status);
    },
  };
}

const checkRow = makeRowCheck(toolCalls, 'tool_calls');

/** @throws RunError `store_unreadable` */
function checkCall(call: ToolCallRecord, threadId: string): void {
  const { messageId } = call;
  if (!isStoredText(messageId))
    throw damaged({ table: 'messages', row: `a message of thread ${threadId}`, column: 'id' });
  checkRow(call, () => `a call of message ${messageId} of thread ${threadId}`);
}

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
  return {
    all: select()
      .where(eq(messages.thread, slot('thread')))
      .prepare(),
    ofMessage: select()
      .where(and(eq(messages.thread, slot('thread')), equals(messages.id, 'messageId')))
      .prepare(),
  };
}
