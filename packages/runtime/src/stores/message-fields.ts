import { RunError } from '@spec/hooks';
import { cloneJson, copyJson, type JsonPlace } from './json.ts';
import type { StoredMessage } from './store.ts';

/** The fields of the specification's §6.1 that a message may leave out. All may be `null`. */
export const optionalFields = ['name', 'tool_calls', 'tool_call_id', 'parent_id', 'depth'] as const;

/** All fields of the specification's §6.1. Their values are checked, and each has its own column. */
export const specificationFields: ReadonlySet<string> = new Set([
  'id',
  'role',
  'content',
  'created_at',
  ...optionalFields,
]);

/** The fields with which the runtime marks messages: what a summary replaces, why a turn failed, who refused a call. */
export const runtimeFields = ['summary_through', 'error_code', 'refused_by'] as const;

const textFields = ['name', 'tool_calls', 'tool_call_id', 'parent_id'] as const;

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

/**
 * Checks the specification's fields of a message before it is stored.
 * @throws RunError `invalid_message`, naming the field.
 */
export function checkMessage(message: StoredMessage, threadId: string): void {
  const refuse = (field: string, rule: string) => invalidField({ threadId, id: message.id, field, rule });
  if (typeof message.id !== 'string' || message.id === '')
    throw refuse('id', 'must be a text that is not empty');
  if (!roles.has(message.role)) throw refuse('role', 'must be system, user, assistant or tool');
  if (!isTextOrNull(message.content)) throw refuse('content', 'must be a text or null');
  if (!Number.isFinite(message.created_at)) throw refuse('created_at', 'must be a finite number');
  if (message.depth != null && !Number.isFinite(message.depth))
    throw refuse('depth', 'must be a finite number');
  for (const field of textFields) {
    if (!isTextOrNull(message[field] ?? null)) throw refuse(field, 'must be a text, null or absent');
  }
}

/** Names a field that is not in the specification, for {@link copyJson}. */
export function fieldPlace(threadId: string, message: { id: string }, field: string): JsonPlace {
  return { code: 'invalid_message', name: `field "${field}" of message ${message.id}`, threadId };
}

/** @throws RunError `invalid_message` for a name that would change the prototype of an object. */
function checkFieldName(message: StoredMessage, field: string, threadId: string): void {
  if (field !== '__proto__') return;
  throw invalidField({ threadId, id: message.id, field, rule: 'cannot be stored; give it another name' });
}

/**
 * Refuses to mark a message as the runtime's own, and to remove or change such a mark. `known` has the present
 * marks.
 * @throws RunError `invalid_message`, naming the field.
 */
export function refuseRuntimeFields(
  given: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, unknown>>,
  threadId: string,
): void {
  for (const field of runtimeFields) {
    if (!(field in given) || given[field] === known[field]) continue;
    const rule = 'is the runtime’s own and cannot be given or changed; leave it out';
    throw invalidField({ threadId, id: known.id ?? given.id, field, rule });
  }
}

/**
 * Checks that a message can be stored, as {@link copyMessage} does.
 * @throws RunError `invalid_message`, naming the field.
 */
export function checkStorable(message: StoredMessage, threadId: string): void {
  checkMessage(message, threadId);
  for (const field in message) {
    if (specificationFields.has(field)) continue;
    const value = message[field];
    checkFieldName(message, field, threadId);
    if (value !== undefined && typeof value !== 'string')
      copyJson(value, fieldPlace(threadId, message, field));
  }
}

/**
 * A checked copy of a message. Fields that are `undefined` count as absent.
 * @throws RunError `invalid_message`, naming the field.
 */
export function copyMessage(message: StoredMessage, threadId: string): StoredMessage {
  checkMessage(message, threadId);
  const { id, role, content, created_at } = message;
  const copy = addFields({ id, role, content, created_at }, message, threadId);
  for (const field in copy) {
    const value = copy[field];
    if (typeof value === 'string' || specificationFields.has(field)) continue;
    copy[field] = copyJson(value, fieldPlace(threadId, message, field));
  }
  return copy;
}

/** A copy of a stored message for the caller, field by field, without fields that are `undefined`. Clones only nested values. */
export function copyOut(message: StoredMessage): StoredMessage {
  const { id, role, content, created_at } = message;
  const copy = addFields({ id, role, content, created_at }, message, id);
  for (const field in copy) {
    const value = copy[field];
    if (typeof value === 'object' && value !== null) copy[field] = cloneJson(value);
  }
  return copy;
}

/** The fields of every message, in the order in which messages are made. */
type MessageHead = Pick<StoredMessage, 'id' | 'role' | 'content' | 'created_at'>;

/**
 * Copies the other fields of one message to a new one, in a fixed order and without those that are `undefined`. So messages in memory
 * have few hidden classes; with a spread each would have its own, and all code that reads them would be slow (bench `inject-normal`).
 * @throws RunError `invalid_message` for a name that would change the prototype of an object.
 */
export function addFields(head: MessageHead, from: Partial<StoredMessage>, threadId: string): StoredMessage {
  const message = head as StoredMessage;
  const { name, tool_calls, tool_call_id, parent_id, depth, metadata } = from;
  if (name !== undefined) message.name = name;
  if (tool_calls !== undefined) message.tool_calls = tool_calls;
  if (tool_call_id !== undefined) message.tool_call_id = tool_call_id;
  if (parent_id !== undefined) message.parent_id = parent_id;
  if (depth !== undefined) message.depth = depth;
  if (metadata !== undefined) message.metadata = metadata;
  for (const field in from) {
    if (specificationFields.has(field) || field === 'metadata' || from[field] === undefined) continue;
    checkFieldName(message, field, threadId);
    message[field] = from[field];
  }
  return message;
}

/**
 * A message with some fields replaced. `undefined` removes a field that is not in the specification, and keeps one that is.
 * @throws RunError `invalid_message` if the id would change.
 */
export function withFields(
  message: StoredMessage,
  fields: Record<string, unknown>,
  threadId: string,
): StoredMessage {
  const result: Record<string, unknown> = { ...message };
  for (const [field, value] of Object.entries(fields)) {
    if (field === 'id' && value !== undefined && value !== message.id) {
      throw invalidField({ threadId, id: message.id, field, rule: 'cannot be changed' });
    }
    checkFieldName(message, field, threadId);
    if (value !== undefined) result[field] = value;
    else if (!specificationFields.has(field)) delete result[field];
  }
  return result as StoredMessage;
}

interface InvalidField {
  threadId: string;
  id: unknown;
  field: string;
  rule: string;
}

function invalidField({ threadId, id, field, rule }: InvalidField): RunError {
  const which = typeof id === 'string' ? `message ${id}` : 'a message';
  return new RunError('invalid_message', `field "${field}" of ${which} in thread ${threadId} ${rule}`, {
    threadId,
  });
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === 'string';
}
