import { type MessageRow, messageRows } from '../../rows/message-row.ts';
import type { StoredMessage } from '../../store.ts';
import { messages } from '../schema/schema.ts';
import { decodeText, encodeText, isStoredText } from '../schema/text.ts';
import { makeListCheck } from './row-checks.ts';

type Text = string | Buffer;

/** A message for binding and reading: the columns of `messages` from `id` on, without `calls`, in the order of the schema. */
export type SqliteMessageRow = MessageRow<Text>;

const rows = messageRows<Text>({ encode: encodeText, decode: decodeText, isText: isStoredText });

/** The fields of a row, in the order of {@link SqliteMessageRow} and of the schema. */
export const messageFields = [
  'id',
  'role',
  'flags',
  'createdAt',
  'depth',
  'parentId',
  'name',
  'toolCallId',
  'content',
  'toolCalls',
  'metadata',
  'extra',
] as const;

const checkRow = makeListCheck(messages, 'messages', messageFields);

/** The row of a message. */
export const encodeMessage: (message: StoredMessage) => SqliteMessageRow = rows.encode;

/** Names a message in an error; its id itself may be damaged. */
export const nameMessage: (id: unknown, threadId: string) => string = rows.nameMessage;

/** The message in a row; absent fields stay absent. @throws RunError `store_unreadable` */
export function decodeMessage(row: SqliteMessageRow, threadId: string): StoredMessage {
  checkRow(row, () => nameMessage(row[0], threadId));
  return rows.decode(row, threadId);
}

/** Whether a column of the first row held something that the second row lacks. */
export function losesText(before: SqliteMessageRow, after: SqliteMessageRow): boolean {
  return before.some(
    (value, column) => value !== null && typeof value !== 'number' && value !== after[column],
  );
}
