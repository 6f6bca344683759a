import { optionalFields, specificationFields } from '../message-fields.ts';
import type { StoredMessage } from '../store.ts';
import { type ColumnPlace, readColumn, recordIn } from './damaged.ts';

/** How a database stores texts. Few keep every JavaScript text unchanged: some take no NUL, most no half of a surrogate pair. */
export interface TextCodec<Text> {
  encode(text: string): Text;
  /** Decodes a result of `encode`. Any other value comes back unchanged. */
  decode(stored: Text): string;
  /** Whether a column holds a result of `encode`. */
  isText(stored: unknown): boolean;
}

/** A message for binding and reading: a list in this order, so that no object is made on the way. */
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

/** Converts messages to rows and back. */
export interface MessageRows<Text> {
  encode(message: StoredMessage): MessageRow<Text>;
  /** The message in a row; absent fields stay absent. @throws RunError `store_unreadable` */
  decode(row: MessageRow<Text>, threadId: string): StoredMessage;
  /** Names a message in an error; its id itself may be damaged. */
  nameMessage(id: unknown, threadId: string): string;
}

/** `flags` has one bit from bit 0 for each of `optionalFields` that was given as `null`, and then this one if `metadata` is JSON text. */
const metadataIsJson = 1 << optionalFields.length;

/** The rows of messages in a database with this form of texts. */
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

/** The fields without a column, as JSON text; `null` if there are none. */
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
