import type { Decision } from '@spec/hooks';
import { redactFileData } from './attachments.ts';
import type { CleanTexts } from './clean-texts.ts';
import { asksForBirthDate } from './detect/birth-date.ts';
import type { ThreadMemory } from './memory.ts';
import type { Pieces } from './pieces.ts';
import { covered } from './placeholders.ts';
import type { Redactor } from './redactor.ts';
import type { Seen } from './text.ts';
import { redactValue } from './value.ts';

/** What is needed to redact a subject of a chain. */
export interface Redaction {
  readonly redactor: Redactor;
  readonly memory: ThreadMemory;
  readonly clean: CleanTexts;
  readonly seen: Seen;
}

type Fields = Record<string, unknown>;

/** The fields that say where a message belongs. Changing them would break the conversation. */
const IDENTITY = new Set(['id', 'role', 'tool_call_id', 'parent_id', 'created_at', 'depth']);
const CALL_IDENTITY = new Set(['id', 'type', 'index', 'name', 'toolCallId', 'toolName']);

/** Redacts a message before it is stored, or the fields of an update: everything except its identity and the ids and names of tool calls. */
export function* redactMessage(message: Fields, redaction: Redaction): Pieces<Fields> {
  const { memory } = redaction;
  const asked = message.role === 'user' && memory.asked;
  const next = yield* untilSettled(message, memory, (value) => redactFields(value, redaction, asked));
  if (message.role === 'user') memory.asked = false;
  if (message.role === 'assistant' && typeof next.content === 'string') {
    const placed = [...redaction.redactor.placeholders.placed(next.content)];
    memory.asked = asksForBirthDate(yield* covered(next.content, placed));
  }
  return next;
}

/** Notes which values a person wrote themselves, before any part of the message is stored. */
export function* notePerson(content: unknown, redaction: Redaction): Pieces<null> {
  const { asked } = redaction.memory;
  if (typeof content === 'string') yield* redactField({ key: 'content', value: content, asked }, redaction);
  return null;
}

/** Redacts messages on their way to the model. */
export function redactHistory<M extends object>(messages: M[], redaction: Redaction): Pieces<M[]> {
  return untilSettled(messages, redaction.memory, function* (list) {
    const next: M[] = [];
    for (const message of list) next.push((yield* redactFields(message as Fields, redaction, false)) as M);
    return next.every((message, index) => message === list[index]) ? list : next;
  });
}

/** Removes the values from the decision of a hook that saw a call with its values. The rest stays as it is. */
export function* concealDecision(decision: Decision, redaction: Redaction): Pieces<Decision> {
  const { reason, userMessage, context, input, result, ...rest } = decision;
  const said = Object.entries({ reason, userMessage, context, input, result });
  const next: Decision = rest;
  for (const [field, value] of said)
    if (value !== undefined) Object.assign(next, { [field]: yield* redactPlain(value, redaction) });
  return next;
}

/** Redacts a tool's result: its texts and its text files. A reference to a stored file keeps its path. */
export function redactResult(result: Fields, redaction: Redaction): Pieces<Fields> {
  return untilSettled(result, redaction.memory, (value) => redactFields(value, redaction, false));
}

/** Redacts a text on its own, such as the system message. */
export function redactSingle(text: string, redaction: Redaction): Pieces<string> {
  return untilSettled(
    text,
    redaction.memory,
    (value) => redactField({ key: 'content', value, asked: false }, redaction) as Pieces<string>,
  );
}

/** Redacts again until no new date of birth becomes known, because it may also occur earlier in the text. */
function* untilSettled<T>(value: T, memory: ThreadMemory, redact: (value: T) => Pieces<T>): Pieces<T> {
  let next = value;
  let known: number;
  do {
    known = memory.birthDates;
    next = yield* redact(next);
  } while (memory.birthDates !== known);
  return next;
}

function* redactFields(fields: Fields, redaction: Redaction, asked: boolean): Pieces<Fields> {
  let changed = false;
  const entries: [string, unknown][] = [];
  for (const [key, value] of Object.entries(fields)) {
    const isKept = isIdentity(key, value) || (key === 'name' && fields.role === 'tool');
    const next = isKept ? value : yield* redactField({ key, value, asked }, redaction);
    const nextKey = isKept ? key : yield* redactPlain(key, redaction);
    changed ||= next !== value || nextKey !== key;
    entries.push([nextKey, next]);
  }
  return changed ? Object.fromEntries(entries) : fields;
}

function isIdentity(key: string, value: unknown): boolean {
  return IDENTITY.has(key) || (key === 'status' && (value === 'success' || value === 'error'));
}

interface Field {
  readonly key: string;
  readonly value: unknown;
  readonly asked: boolean;
}

/** The fields with the long texts of a history. */
const TEXTS = new Set(['content', 'tool_calls', 'result']);

function* redactField({ key, value, asked }: Field, redaction: Redaction): Pieces<unknown> {
  if (key === 'attachments') return yield* redactFiles(value, redaction);
  const { redactor, memory, clean, seen } = redaction;
  // The answer of a tool that got values is searched for them too, so its being clean elsewhere does not count.
  const isText = typeof value === 'string' && TEXTS.has(key) && !asked && seen.findGiven === undefined;
  if (isText && clean.has(value, key, memory)) return value;
  const keeps = key === 'tool_calls' ? { keeps: isCallIdentity } : {};
  const next = yield* redactValue(value, redactor, { memory, seen, key, asked, ...keeps });
  if (isText) clean.add(next as string, key, memory);
  return next;
}

function redactPlain<T>(value: T, { redactor, memory, seen }: Redaction): Pieces<T> {
  return redactValue(value, redactor, { memory, seen });
}

/** `[0].id`, `[0].function.name` and the like in a list of tool calls. */
function isCallIdentity(path: readonly (string | number)[]): boolean {
  const [index, first, second] = path;
  if (typeof index !== 'number') return false;
  if (path.length === 2) return CALL_IDENTITY.has(String(first));
  return path.length === 3 && first === 'function' && second === 'name';
}

function* redactFiles(files: unknown, redaction: Redaction): Pieces<unknown> {
  if (!Array.isArray(files)) return yield* redactPlain(files, redaction);
  const next: unknown[] = [];
  for (const file of files) next.push(yield* redactFile(file, redaction));
  return next.every((file, index) => file === files[index]) ? files : next;
}

/** A file, or a reference to a stored file. A reference keeps its path, because a changed path would lose the file. */
function* redactFile(file: unknown, redaction: Redaction): Pieces<unknown> {
  if (typeof file !== 'object' || file === null) return yield* redactPlain(file, redaction);
  const { data, path, size, ...rest } = file as Fields;
  const given = { data, mimeType: rest.mimeType };
  const content = yield* redactFileData(given, (text) => redactPlain(text, redaction));
  const described = content === given ? rest : { ...rest, mimeType: content.mimeType };
  const next = yield* redactPlain(described, redaction);
  if (next === rest) return file;
  const kept = Object.entries({ path, size, data: content.data }).filter(([, value]) => value !== undefined);
  return { ...next, ...Object.fromEntries(kept) };
}
