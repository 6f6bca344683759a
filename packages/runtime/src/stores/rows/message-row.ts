import { optionalFields, specificationFields } from '../message-fields.ts';
import type { StoredMessage } from '../store.ts';
import { type ColumnPlace, readColumn, recordIn } from './damaged.ts';

/** How a database keeps a text. Few keep every JavaScript text as it is: some have no NUL, most no half of an emoji. */
export interface TextCodec<Text> {
  encode(text: string): Text;
  /** The text that `encode` was given. What is none comes back as it is. */
  decode(stored: Text): string;
  /** Whether a column holds what `encode` gives. */
  isText(stored: unknown): boolean;
}

/** A message as it is bound and read: a list in this order, from which and into which no object is made. */
export type MessageRow<Text = string> = [
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

/** Turns messages into rows and back. */
export interface MessageRows<Text> {
  encode(message: StoredMessage): MessageRow<Text>;
  /** The message of a row; fields that were absent are absent. @throws RunError `store_unreadable` */
  decode(row: MessageRow<Text>, threadId: string): StoredMessage;
  /** A message as a refusal names it: its id may be what is damaged. */
  nameMessage(id: unknown, threadId: string): string;
}

/** In `flags`, one bit for each of `optionalFields` that was given as `null`, from bit 0; then this, where `metadata` is JSON text. */
const metadataIsJson = 1 << optionalFields.length;

/** The rows of messages in a database that keeps texts in this way. */
export function messageRows<Text>(codec: TextCodec<Text>): MessageRows<Text> {
  return {
    nameMessage: (id, threadId) => nameMessage(codec, id, threadId),
    encode: (message) => encodeRow(codec, message),
    decode: (row, threadId) => decodeRow(codec, row, threadId),
  };
}

function nameMessage<Text>({ isText, decode }: TextCodec<Text>, id: unknown, threadId: string): string {
  return isText(id)
    ? `message ${decode(id as Text)} of thread ${threadId}`
    : `a message of thread ${threadId}`;
}

function encodeRow<Text>({ encode }: TextCodec<Text>, message: StoredMessage): MessageRow<Text> {
  const textOrNull = (text: string | null | undefined) => (text == null ? null : encode(text));
  return [
    encode(message.id),
    message.role,
    encodeFlags(message),
    message.created_at,
    message.depth ?? null,
    textOrNull(message.parent_id),
    textOrNull(message.name),
    textOrNull(message.tool_call_id),
    textOrNull(message.content),
    textOrNull(message.tool_calls),
    textOrNull(metadataText(message)),
    encodeExtra(message),
  ];
}

function decodeRow<Text>(codec: TextCodec<Text>, row: MessageRow<Text>, threadId: string): StoredMessage {
  const { decode } = codec;
  const [id, role, flags, createdAt, depth, parentId, name, toolCallId, content, toolCalls, metadata, extra] =
    row;
  const text = content === null ? null : decode(content);
  const message: Record<string, unknown> = { id: decode(id), role, content: text };
  if (name !== null) message.name = decode(name);
  if (toolCalls !== null) message.tool_calls = decode(toolCalls);
  if (toolCallId !== null) message.tool_call_id = decode(toolCallId);
  message.created_at = createdAt;
  if (parentId !== null) message.parent_id = decode(parentId);
  if (depth !== null) message.depth = depth;
  const place = (column: string): ColumnPlace => {
    return { table: 'messages', row: nameMessage(codec, id, threadId), column };
  };
  if (metadata !== null) message.metadata = readMetadata(decode(metadata), flags, place);
  if (extra !== null) Object.assign(message, recordIn(extra, place('extra')));
  if (flags !== 0) addNulls(message, flags);
  return message as StoredMessage;
}

function readMetadata(text: string, flags: number, place: (column: string) => ColumnPlace): unknown {
  return flags & metadataIsJson ? readColumn(place('metadata'), () => JSON.parse(text)) : text;
}

function metadataText({ metadata }: StoredMessage): string | undefined {
  return metadata === undefined || typeof metadata === 'string' ? metadata : JSON.stringify(metadata);
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
