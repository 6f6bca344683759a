import { parseOrUndefined } from '../json.ts';
import { isRecord } from '../values.ts';
import type { RecordCheck } from './record.ts';

/** The hand-written checks of the specification's §6 shapes (C3). They name fields and rules, never values. */

const roles = new Set<unknown>(['system', 'user', 'assistant', 'tool']);

const isText = (value: unknown): boolean => typeof value === 'string';
const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
const isOptionalText = (value: unknown): boolean => value === undefined || typeof value === 'string';
const isOptionalTextOrNull = (value: unknown): boolean => value === undefined || isTextOrNull(value);

/** A message as a hook may return it for storing: an id or a time may still be missing. */
export const checkMessageDraft: RecordCheck = (m, before) => {
  if (!roles.has(m.role)) return 'role must be system, user, assistant or tool';
  if (!isTextOrNull(m.content)) return describeContent(m.content);
  if (!isOptionalText(m.id)) return 'id must be a string';
  if (before?.role === 'tool' && !isAnswerTo(m, before.tool_call_id))
    return 'what answers a tool call must go on doing so: its role and tool_call_id cannot change';
  const broken = m.role === 'tool' ? findBrokenAttachment(m.attachments ?? undefined) : undefined;
  return broken ?? checkMessageFields(m, before);
};

/** A call without an answer makes the history invalid. What leaves the id out has not changed it. */
function isAnswerTo({ role, tool_call_id: id }: Parameters<RecordCheck>[0], callId: unknown): boolean {
  return role === 'tool' && (id === undefined || id === null || id === callId);
}

/** A stored message (specification §6.1). */
export const checkMessage: RecordCheck = (m, before) => {
  if (!isText(m.id)) return 'id must be a string';
  if (!roles.has(m.role)) return 'role must be system, user, assistant or tool';
  if (!isTextOrNull(m.content)) return describeContent(m.content);
  if (typeof m.created_at !== 'number') return 'created_at must be a number of microseconds';
  return checkMessageFields(m, before);
};

/** The fields of an update of a message: the same rules, for the fields that are there. */
export const checkUpdates: RecordCheck = (m, before) => {
  if ('role' in m && !roles.has(m.role)) return 'role must be system, user, assistant or tool';
  if ('content' in m && !isTextOrNull(m.content)) return describeContent(m.content);
  return checkMessageFields(m, before);
};

const checkMessageFields: RecordCheck = (m, before) => {
  if (!isOptionalTextOrNull(m.tool_calls)) return 'tool_calls must be JSON text, null or absent';
  if (!isOptionalTextOrNull(m.tool_call_id)) return 'tool_call_id must be a string, null or absent';
  if (!isOptionalTextOrNull(m.name)) return 'name must be a string, null or absent';
  if (!isOptionalTextOrNull(m.parent_id)) return 'parent_id must be a string, null or absent';
  return m.tool_calls === before?.tool_calls ? undefined : brokenCalls(m.tool_calls);
};

/** Which rule the calls of a message break: a text that is none would be stored, and nothing would run. */
function brokenCalls(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const calls = parseOrUndefined(text);
  if (!Array.isArray(calls)) return 'tool_calls must be the JSON text of a list of tool calls';
  for (const [position, call] of calls.entries()) {
    const broken = checkToolCall((call ?? {}) as Record<string, unknown>);
    if (broken !== undefined) return `tool_calls[${position}]: ${broken}`;
  }
  return undefined;
}

/** A message on its way to the model (specification §6.4). */
export const checkLLMMessage: RecordCheck = (m) => {
  if (!isText(m.role)) return 'role must be a string';
  if (!isTextOrNull(m.content)) return describeContent(m.content);
  if (!isOptionalText(m.tool_call_id)) return 'tool_call_id must be a string or absent';
  return undefined;
};

/** A tool call (specification §6.2). */
export const checkToolCall: RecordCheck = (call) => {
  if (!isText(call.id)) return 'id must be a string';
  if (call.type !== 'function') return "type must be 'function'";
  const fn = call.function as Record<string, unknown> | null | undefined;
  if (typeof fn !== 'object' || fn === null) return 'function must be an object with name and arguments';
  if (!isText(fn.name)) return 'function.name must be a string';
  return isText(fn.arguments) ? undefined : 'function.arguments must be JSON text';
};

/** A tool result (specification §6.3). */
export const checkToolResult: RecordCheck = (result) => {
  if (result.status !== 'success' && result.status !== 'error') return "status must be 'success' or 'error'";
  if (!isOptionalText(result.result))
    return `result must be a string or absent${describeInsteadOfParts(result.result)}`;
  if (!isOptionalText(result.error)) return 'error must be a string or absent';
  if (!isOptionalText(result.stack)) return 'stack must be a string or absent';
  return findBrokenAttachment(result.attachments);
};

/** Says what a content that is no text must be. */
function describeContent(content: unknown): string {
  const missing = content === undefined ? ', and is missing: was something not awaited?' : '';
  return `content must be a string or null${missing}${describeInsteadOfParts(content)}`;
}

/** Where a list of parts was given, as models take it: what to write instead. */
function describeInsteadOfParts(given: unknown): string {
  if (!Array.isArray(given)) return '';
  return `, and is a list of ${given.length}: put the texts of its parts into one string, and files into attachments, as { name, mimeType, data }`;
}

function findBrokenAttachment(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) return 'attachments must be a list of attachments or absent';
  const position = value.findIndex((one) => !isRecord(one));
  return position < 0
    ? undefined
    : `attachments[${position}] must be a file { name, mimeType, data } or a pointer to one`;
}

/** Any record; what is in it is the application's own. */
export const checkNothing: RecordCheck = () => undefined;

/** What a hook may make of a model call. */
export const checkModelRequest: RecordCheck = ({ model, settings, toolChoice, tools }) => {
  if (!isText(model) || model === '') return 'model must be the name of a model';
  if (!isRecord(settings)) return 'settings must be an object';
  if (!isToolChoice(toolChoice))
    return "toolChoice must be 'auto', 'none', 'required', { tool: string } or null";
  return Array.isArray(tools) && tools.every(isText) ? undefined : 'tools must be a list of names';
};

function isToolChoice(choice: unknown): boolean {
  if (choice === null || choice === 'auto' || choice === 'none' || choice === 'required') return true;
  return isRecord(choice) && isText(choice.tool);
}

/** What a hook answers in a model's place. */
export const checkModelAnswer: RecordCheck = ({ content, toolCalls = [] }) => {
  if (!isTextOrNull(content)) return 'result.content must be a string or null';
  if (!Array.isArray(toolCalls)) return 'result.toolCalls must be a list of tool calls or absent';
  for (const [position, call] of toolCalls.entries()) {
    const broken = checkToolCall((call ?? {}) as Record<string, unknown>);
    if (broken !== undefined) return `result.toolCalls[${position}]: ${broken}`;
  }
  return undefined;
};
