import { RunError } from '@spec/hooks';
import { cloneJson, copyJson, type JsonPlace } from './json.ts';
import type { StoredMessage } from './store.ts';

/** The fields of the specification's §6.1 that a message may leave out; all may be `null`. */
export const optionalFields = ['name', 'tool_calls', 'tool_call_id', 'parent_id', 'depth'] as const;

/** All fields of the specification's §6.1: what they may hold is checked, and they are columns of their own. */
export const specificationFields: ReadonlySet<string> = new Set([
  'id',
  'role',
  'content',
  'created_at',
  ...optionalFields,
]);

/** The fields by which the runtime marks messages: what a summary stands for, what a turn failed with, who refused a call. */
export const runtimeFields = ['summary_through', 'error_code', 'refused_by'] as const;

const textFields = ['name', 'tool_calls', 'tool_call_id', 'parent_id'] as const;

const roles: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool']);

/**
 * Checks the specification's fields of a message that is to be stored.
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

/** Where a field that is not of the specification stands, for {@link copyJson}. */
export function fieldPlace(threadId: string, message: { id: string }, field: string): JsonPlace {
  return { code: 'invalid_message', name: `field "${field}" of message ${message.id}`, threadId };
}

/** @throws RunError `invalid_message` for a name that would change an object's prototype on the way. */
function checkFieldName(message: StoredMessage, field: string, threadId: string): void {
  if (field !== '__proto__') return;
  throw invalidField({ threadId, id: message.id, field, rule: 'cannot be stored; give it another name' });
}

/**
 * Refuses to mark a message as one of the runtime's own, and to take such a mark away or change it: `known` is what is there
 * already.
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
 * A checked copy of a message; fields that are `undefined` count as absent.
 * @throws RunError `invalid_message`, naming the field.
 */
export function copyMessage(message: StoredMessage, threadId: string): StoredMessage {
  checkMessage(message, threadId);
  const { id, role, content, created_at } = message;
  const copy = addFields({ id, role, content, created_at }, message, threadId);
  for (const field in copy) {
    if (specificationFields.has(field)) continue;
    copy[field] = copyJson(copy[field], fieldPlace(threadId, message, field));
  }
  return copy;
}

/** A copy of a stored message to give out: by fields, without those that are `undefined`; only what is nested is cloned. */
export function copyOut(message: StoredMessage): StoredMessage {
  const { id, role, content, created_at } = message;
  const copy = addFields({ id, role, content, created_at }, message, id);
  for (const field in copy) {
    const value = copy[field];
    if (typeof value === 'object' && value !== null) copy[field] = cloneJson(value);
  }
  return copy;
}

/** What every message has, in the order in which every message is made. */
type MessageHead = Pick<StoredMessage, 'id' | 'role' | 'content' | 'created_at'>;

/**
 * Gives a new message the fields of another besides its head, in one order and without those that are `undefined`. So messages in
 * memory have few hidden classes; with a spread each has its own, and everything that reads them is slow (bench `inject-normal`).
 * @throws RunError `invalid_message` for a name that would change an object's prototype.
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
 * A message with some fields replaced: `undefined` removes a field that is not of the specification, and keeps one that is.
 * @throws RunError `invalid_message` where the id would change.
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
