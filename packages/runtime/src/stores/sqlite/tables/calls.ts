import { and, asc, eq, isNotNull, sql } from 'drizzle-orm';
import { damaged } from '../../rows/damaged.ts';
import type { ToolCallRecord, ToolCallStatus } from '../../store.ts';
import { type Connection, rawStatement } from '../file/connection.ts';
import { messages } from '../schema/schema.ts';
import { decodeText, encodeText, isStoredText } from '../schema/text.ts';
import { type CallState, decodeCalls, mergeCalls } from './call-states.ts';
import { nameMessage } from './message-row.ts';

/** The tool calls of one file, stored in the rows of their messages. */
export interface CallTable {
  /** Stores new calls of a message or new states of its calls; `message` is its key. */
  put(message: number, calls: readonly CallState[], nameOfMessage: () => string): void;
  /** By message, then by position. */
  list(
    thread: { key: number; id: string },
    filter: { status?: ToolCallStatus; messageId?: string },
  ): ToolCallRecord[];
}

type CallsRow = [id: string | Buffer, calls: string];

const slot = sql.placeholder;

/** Prepares the statements over the calls in `messages`. They are raw, because most turns run them. */
export function callTable(connection: Connection): CallTable {
  const { orm } = connection;
  const ofKey = eq(messages.key, slot('key'));
  const read = rawStatement<[key: number], [calls: string | null]>(
    connection,
    orm.select({ calls: messages.calls }).from(messages).where(ofKey),
  );
  const write = rawStatement<[calls: string, key: number]>(
    connection,
    orm
      .update(messages)
      .set({ calls: sql`${slot('calls')}` })
      .where(ofKey),
  );
  const { all, ofMessage } = selections(connection);

  return {
    put(message, calls, nameOfMessage) {
      const [before = null] = read.get(message) ?? [];
      write.run(mergeCalls(before, calls, nameOfMessage), message);
    },
    list({ key, id }, { status, messageId }) {
      const rows = messageId === undefined ? all.all(key) : ofMessage.all(key, encodeText(messageId));
      const calls = rows.flatMap((row) => decodeRow(row, id));
      return status === undefined ? calls : calls.filter((call) => call.status === status);
    },
  };
}

/** @throws RunError `store_unreadable` */
function decodeRow([id, calls]: CallsRow, threadId: string): ToolCallRecord[] {
  const row = nameMessage(id, threadId);
  if (!isStoredText(id)) throw damaged({ table: 'messages', row, column: 'id' });
  const messageId = decodeText(id);
  return decodeCalls(calls, row).map((call) => ({ ...call, messageId }));
}

function selections(connection: Connection) {
  const { orm } = connection;
  const hasCalls = and(eq(messages.thread, slot('thread')), isNotNull(messages.calls));
  const { id, calls, key } = messages;
  const select = () => orm.select({ id, calls }).from(messages).orderBy(asc(key)).$dynamic();
  return {
    all: rawStatement<[thread: number], CallsRow>(connection, select().where(hasCalls)),
    ofMessage: rawStatement<[thread: number, id: string | Buffer], CallsRow>(
      connection,
      select().where(and(hasCalls, eq(id, slot('id')))),
    ),
  };
}
