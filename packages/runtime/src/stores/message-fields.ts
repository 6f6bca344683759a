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
  if (!isWellFormed(message)) throw findBrokenField(message, threadId);
}

/** Looked at by name: a loop over names would take several times as long, and each message is checked three times. */
function isWellFormed(message: StoredMessage): boolean {
  const { id, role, content, created_at, name, tool_calls, tool_call_id, parent_id, depth } = message;
  const hasHead = typeof id === 'string' && id !== '' && roles.has(role) && Number.isFinite(created_at);
  const hasTexts = isTextOrNull(content) && isTextOrNull(name ?? null) && isTextOrNull(parent_id ?? null);
  const hasCalls = isTextOrNull(tool_calls ?? null) && isTextOrNull(tool_call_id ?? null);
  return hasHead && hasTexts && hasCalls && (depth == null || Number.isFinite(depth));
}

function findBrokenField(message: StoredMessage, threadId: string): RunError {
  const refuse = (field: string, rule: string) => invalidField({ threadId, id: message.id, field, rule });
  if (typeof message.id !== 'string' || message.id === '')
    return refuse('id', 'must be a text that is not empty');
  if (!roles.has(message.role)) return refuse('role', 'must be system, user, assistant or tool');
  if (!isTextOrNull(message.content)) return refuse('content', 'must be a text or null');
  if (!Number.isFinite(message.created_at)) return refuse('created_at', 'must be a finite number');
  if (message.depth != null && !Number.isFinite(message.depth))
    return refuse('depth', 'must be a finite number');
  const isBroken = (field: (typeof textFields)[number]): boolean => !isTextOrNull(message[field] ?? null);
  return refuse(textFields.find(isBroken) as string, 'must be a text, null or absent');
}

/**
 * Whether a message has no fields but those of the specification, and texts in `metadata` and `status`: nearly all that a runtime stores. Then
 * nothing in it is nested, and there is nothing more to copy or to check.
 */
function isPlain(message: Partial<StoredMessage>): boolean {
  const { id, role, content, created_at, name, tool_calls, tool_call_id, parent_id, depth } = message;
  let others = 0;
  for (const _ in message) others++;
  if (id !== undefined) others--;
  if (role !== undefined) others--;
  if (content !== undefined) others--;
  if (created_at !== undefined) others--;
  if (name !== undefined) others--;
  if (tool_calls !== undefined) others--;
  if (tool_call_id !== undefined) others--;
  if (parent_id !== undefined) others--;
  if (depth !== undefined) others--;
  if (typeof message.metadata === 'string') others--;
  if (typeof message.status === 'string') others--;
  return others === 0;
}

/** Names a field that is not in the specification, for {@link copyJson}. */
export function fieldPlace(threadId: string, message: { id?: unknown }, field: string): JsonPlace {
  const { id } = message;
  const which = typeof id === 'string' ? `message ${id}` : 'a message';
  return { code: 'invalid_message', name: `field "${field}" of ${which}`, threadId };
}

/**
 * Fields as the runtime takes them from a caller, with copies of nested values: what the caller changes later was never said, and
 * hooks see what is stored.
 * @throws RunError `invalid_message`, naming the field.
 */
export function copyGiven<Given extends object>(given: Given, threadId: string): Given {
  const copy = { ...given } as Record<string, unknown>;
  for (const field in copy) {
    const value = copy[field];
    if (typeof value === 'object' && value !== null)
      copy[field] = copyJson(value, fieldPlace(threadId, copy, field));
  }
  return copy as Given;
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
  if (isPlain(message)) return;
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
  if (isPlain(copy)) return copy;
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
  if (isPlain(copy)) return copy;
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
  const { name, tool_calls, tool_call_id, parent_id, depth, metadata, status } = from;
  if (name !== undefined) message.name = name;
  if (tool_calls !== undefined) message.tool_calls = tool_calls;
  if (tool_call_id !== undefined) message.tool_call_id = tool_call_id;
  if (parent_id !== undefined) message.parent_id = parent_id;
  if (depth !== undefined) message.depth = depth;
  if (metadata !== undefined) message.metadata = metadata;
  if (status !== undefined) message.status = status;
  if (isPlain(from)) return message;
  for (const field in from) {
    if (specificationFields.has(field) || field === 'metadata' || field === 'status') continue;
    if (from[field] === undefined) continue;
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
