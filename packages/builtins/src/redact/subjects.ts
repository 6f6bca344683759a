import { redactFileData } from './attachments.ts';
import type { CleanTexts } from './clean-texts.ts';
import { asksForBirthDate } from './detect/birth-date.ts';
import type { ThreadMemory } from './memory.ts';
import { covered } from './placeholders.ts';
import type { Redactor } from './redactor.ts';
import { redactValue } from './value.ts';

/** With what a subject of a chain is redacted. */
export interface Redaction {
  readonly redactor: Redactor;
  readonly memory: ThreadMemory;
  readonly clean: CleanTexts;
}

type Fields = Record<string, unknown>;

/** What says where a message belongs. Changing it would tear a conversation apart. */
const IDENTITY = new Set(['id', 'role', 'tool_call_id', 'parent_id', 'created_at', 'depth']);
const CALL_IDENTITY = new Set(['id', 'type', 'index', 'name', 'toolCallId', 'toolName']);

/** A message before it is stored, or the fields of an update: all but its identity, with tool calls' ids and names. */
export function redactMessage(message: Fields, redaction: Redaction): Fields {
  const { memory } = redaction;
  const asked = message.role === 'user' && memory.asked;
  const next = untilSettled(message, memory, (value) => redactFields(value, redaction, asked));
  if (message.role === 'user') memory.asked = false;
  if (message.role === 'assistant' && typeof next.content === 'string') {
    memory.asked = asksForBirthDate(
      covered(next.content, redaction.redactor.placeholders.placed(next.content)),
    );
  }
  return next;
}

/** Messages on their way to the model. */
export function redactHistory<M extends object>(messages: M[], redaction: Redaction): M[] {
  return untilSettled(messages, redaction.memory, (list) => {
    const next = list.map((message) => redactFields(message as Fields, redaction, false) as M);
    return next.every((message, index) => message === list[index]) ? list : next;
  });
}

/** A tool's result: its texts, and those of its files that are text. A reference to a stored file keeps its path. */
export function redactResult(result: Fields, redaction: Redaction): Fields {
  return untilSettled(result, redaction.memory, (value) => {
    const { attachments, ...rest } = value;
    const next = redactFields(rest, redaction, false);
    const files = redactFiles(attachments, redaction);
    if (next === rest && files === attachments) return value;
    return attachments === undefined ? next : { ...next, attachments: files };
  });
}

/** A text of its own, such as the system message. */
export function redactSingle(text: string, redaction: Redaction): string {
  return untilSettled(
    text,
    redaction.memory,
    (value) => redactField({ key: 'content', value, asked: false }, redaction) as string,
  );
}

/** A date of birth that became known on the way may stand further up: once more until none is new. */
function untilSettled<T>(value: T, memory: ThreadMemory, redact: (value: T) => T): T {
  let next = value;
  let known: number;
  do {
    known = memory.birthDates;
    next = redact(next);
  } while (memory.birthDates !== known);
  return next;
}

function redactFields(fields: Fields, redaction: Redaction, asked: boolean): Fields {
  let changed = false;
  const entries = Object.entries(fields).map(([key, value]): [string, unknown] => {
    if (IDENTITY.has(key) || (key === 'status' && isStatus(value))) return [key, value];
    if (key === 'name' && fields.role === 'tool') return [key, value];
    const next = redactField({ key, value, asked }, redaction);
    const nextKey = redactPlain(key, redaction);
    changed ||= next !== value || nextKey !== key;
    return [nextKey, next];
  });
  return changed ? Object.fromEntries(entries) : fields;
}

const isStatus = (value: unknown): boolean => value === 'success' || value === 'error';

interface Field {
  readonly key: string;
  readonly value: unknown;
  readonly asked: boolean;
}

/** The fields that hold the long texts of a history. */
const TEXTS = new Set(['content', 'tool_calls', 'result']);

function redactField({ key, value, asked }: Field, { redactor, memory, clean }: Redaction): unknown {
  const isText = typeof value === 'string' && TEXTS.has(key) && !asked;
  if (isText && clean.has(value, memory)) return value;
  const keeps = key === 'tool_calls' ? { keeps: isCallIdentity } : {};
  const next = redactValue(value, redactor, { memory, key, asked, ...keeps });
  if (isText) clean.add(next as string, memory);
  return next;
}

function redactPlain<T>(value: T, { redactor, memory }: Redaction): T {
  return redactValue(value, redactor, { memory });
}

/** `[0].id`, `[0].function.name` and their like, in a list of tool calls. */
function isCallIdentity(path: readonly (string | number)[]): boolean {
  const [index, first, second] = path;
  if (typeof index !== 'number') return false;
  if (path.length === 2) return CALL_IDENTITY.has(String(first));
  return path.length === 3 && first === 'function' && second === 'name';
}

function redactFiles(files: unknown, redaction: Redaction): unknown {
  if (!Array.isArray(files)) return redactPlain(files, redaction);
  const next = files.map((file) => redactFile(file, redaction));
  return next.every((file, index) => file === files[index]) ? files : next;
}

function redactFile(file: unknown, redaction: Redaction): unknown {
  if (typeof file !== 'object' || file === null) return redactPlain(file, redaction);
  const { data, path, mimeType, type, size, ...rest } = file as Fields;
  const nextRest = redactPlain(rest, redaction);
  const nextData = redactFileData(data, mimeType, (text) => redactPlain(text, redaction));
  if (nextRest === rest && nextData === data) return file;
  const kept = Object.entries({ path, mimeType, type, size }).filter(([, value]) => value !== undefined);
  return { ...nextRest, ...Object.fromEntries(kept), ...(data === undefined ? {} : { data: nextData }) };
}
