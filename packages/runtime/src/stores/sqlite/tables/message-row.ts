import { optionalFields, specificationFields } from '../../message-fields.ts';
import type { StoredMessage } from '../../store.ts';
import { type ColumnPlace, readColumn, recordIn } from '../schema/damaged.ts';
import { messages } from '../schema/schema.ts';
import { decodeText, encodeText, isStoredText } from '../schema/text.ts';
import { makeListCheck } from './row-checks.ts';

type Text = string | Buffer;

/** A message as it is bound and read: the columns of `messages` from `id` on, without `calls`, in the order of the schema. */
export type MessageRow = [
  id: Text,
  role: string,
  flags: number,
  createdAt: number,
  depth: number | null,
  parentId: Text | null,
  name: Text | null,
  toolCallId: Text | null,
  content: Text | null,
  toolCalls: Text | null,
  metadata: Text | null,
  extra: string | null,
];

/** In `flags`, one bit for each of `optionalFields` that was given as `null`, from bit 0; then this, where `metadata` is JSON text. */
const metadataIsJson = 1 << optionalFields.length;

/** The row of a message. */
export function encodeMessage(message: StoredMessage): MessageRow {
  return [
    encodeText(message.id),
    message.role,
    encodeFlags(message),
    message.created_at,
    message.depth ?? null,
    textOrNull(message.parent_id),
    textOrNull(message.name),
    textOrNull(message.tool_call_id),
    textOrNull(message.content),
    textOrNull(message.tool_calls),
    encodeMetadata(message),
    encodeExtra(message),
  ];
}

/** The message of a row; fields that were absent are absent. @throws RunError `store_unreadable` */
export function decodeMessage(row: MessageRow, threadId: string): StoredMessage {
  checkRow(row, () => nameMessage(row[0], threadId));
  const [id, role, flags, createdAt, depth, parentId, name, toolCallId, content, toolCalls, metadata, extra] =
    row;
  const message: Record<string, unknown> = { id: decodeText(id), role, content: decodeOrNull(content) };
  if (name !== null) message.name = decodeText(name);
  if (toolCalls !== null) message.tool_calls = decodeText(toolCalls);
  if (toolCallId !== null) message.tool_call_id = decodeText(toolCallId);
  message.created_at = createdAt;
  if (parentId !== null) message.parent_id = decodeText(parentId);
  if (depth !== null) message.depth = depth;
  if (metadata !== null) {
    const text = decodeText(metadata);
    message.metadata =
      flags & metadataIsJson
        ? readColumn(nameColumn(message, threadId, 'metadata'), () => JSON.parse(text))
        : text;
  }
  if (extra !== null) Object.assign(message, recordIn(extra, nameColumn(message, threadId, 'extra')));
  if (flags !== 0) addNulls(message, flags);
  return message as StoredMessage;
}

/** The fields of a row, in the order of {@link MessageRow}. */
const fields = [
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
];

const checkRow = makeListCheck(messages, 'messages', fields);

/** A message as a refusal names it: its id may be what is damaged. */
export function nameMessage(id: unknown, threadId: string): string {
  return isStoredText(id)
    ? `message ${decodeText(id as Text)} of thread ${threadId}`
    : `a message of thread ${threadId}`;
}

function nameColumn({ id }: Record<string, unknown>, threadId: string, column: string): ColumnPlace {
  return { table: 'messages', row: nameMessage(id, threadId), column };
}

/** Whether a column of the first row held something that the second has not. */
export function losesText(before: MessageRow, after: MessageRow): boolean {
  return before.some(
    (value, column) => value !== null && typeof value !== 'number' && value !== after[column],
  );
}

function encodeMetadata({ metadata }: StoredMessage): Text | null {
  if (metadata === undefined) return null;
  return typeof metadata === 'string' ? encodeText(metadata) : JSON.stringify(metadata);
}

/** The fields that have no column, as JSON text; `null` where there are none. */
function encodeExtra(message: StoredMessage): string | null {
  const parts: string[] = [];
  for (const field in message) {
    if (specificationFields.has(field) || field === 'metadata') continue;
    parts.push(`${JSON.stringify(field)}:${JSON.stringify(message[field])}`);
  }
  return parts.length > 0 ? `{${parts.join(',')}}` : null;
}

function encodeFlags(message: StoredMessage): number {
  let flags = 0;
  for (let bit = 0; bit < optionalFields.length; bit += 1) {
    if (message[optionalFields[bit] as string] === null) flags |= 1 << bit;
  }
  const { metadata } = message;
  return metadata === undefined || typeof metadata === 'string' ? flags : flags | metadataIsJson;
}

function addNulls(message: Record<string, unknown>, flags: number): void {
  for (const [bit, field] of optionalFields.entries()) {
    if (flags & (1 << bit)) message[field] = null;
  }
}

function textOrNull(text: string | null | undefined): Text | null {
  return text == null ? null : encodeText(text);
}

function decodeOrNull(text: Text | null): string | null {
  return text === null ? null : decodeText(text);
}
