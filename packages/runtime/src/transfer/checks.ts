import { isMode, MODE_KEY } from '../definitions/permission-mode.ts';
import { SKILLS_KEY } from '../definitions/skill.ts';
import { among, type Check, isWholeNumber as count, optional } from '../stores/field-checks.ts';
import { areTexts, isText as text } from '../stores/kept-value.ts';
import { badMarkField, markFields } from '../stores/mark-fields.ts';
import { checkMessage } from '../stores/message-fields.ts';
import { readSubject } from '../stores/run-fields.ts';
import type { QueueItem, StoredMessage, ThreadRecord, ToolCallRecord } from '../stores/store.ts';
import { isKeptUsage, USAGE_KEY } from '../usage.ts';
import type { Line } from './format.ts';

/** A text that is not empty: nothing can be found by another. */
const id: Check = (value) => text(value) && value !== '';
const textOrNull: Check = (value) => value === null || typeof value === 'string';
const number: Check = (value) => typeof value === 'number';
const flag: Check = (value) => typeof value === 'boolean';
const record: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const recordWith =
  (fields: Record<string, Check>): Check =>
  (value) =>
    record(value) && badField(value as Record<string, unknown>, fields) === undefined;

/** What a kind of line holds. */
type Held<Kind extends string> =
  Extract<Line, Record<Kind, unknown>> extends Record<Kind, infer Held> ? Held : never;

/** The kinds of lines that hold fields with a check each: all of them, and all of their fields, or it does not compile. */
type Kinds = {
  [Kind in 'thread' | 'call' | 'value' | 'file' | 'item' | 'run']: { [Field in keyof Held<Kind>]-?: Check };
};

/** What each kind of line must hold, in the order in which it is written; messages have a check of their own. */
const checks: Kinds = {
  thread: {
    id,
    agentId: id,
    userId: textOrNull,
    parentId: textOrNull,
    depth: count,
    createdAt: number,
    currentSide: among<ThreadRecord['currentSide']>({ a: true, b: true }),
    terminated: textOrNull,
    turn: orNull(recordWith({ id: text })),
    compaction: orNull(recordWith({ summaryId: text, throughId: text })),
    metadata: record,
  },
  call: {
    id,
    messageId: id,
    position: count,
    name: text,
    status: among<ToolCallRecord['status']>({ pending: true, started: true, done: true }),
  },
  value: { key: text, value: (value) => value !== undefined },
  file: { type: among<'file'>({ file: true }), path: text, name: text, mimeType: text, size: count },
  item: {
    id,
    kind: among<QueueItem['kind']>({ message: true, inject: true, tool: true, stop: true }),
    payload: record,
  },
  run: {
    turnId: textOrNull,
    step: count,
    at: number,
    hook: text,
    id: text,
    source: text,
    about: optional((value) => readSubject(value) !== undefined),
    outcome: text,
    changed: flag,
    ms: number,
    sizeBefore: number,
    sizeAfter: number,
    code: optional(text),
    why: optional(text),
    values: optional(record),
  },
};
const kinds: Record<string, Record<string, Check>> = checks;

const messageFields: readonly string[] = [
  'id',
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'created_at',
  'parent_id',
  'depth',
  'metadata',
];

/** The fields of a kind of line in the order in which they are written; others come after them. */
export function listFields(kind: string): readonly string[] {
  if (kind === 'mark') return markFields;
  return kind === 'message' ? messageFields : Object.keys(kinds[kind] ?? {});
}

/** A line of an export, or what is wrong with it. */
export function checkLine(line: unknown): Line | string {
  if (!record(line)) return 'it is not an object';
  const [entry, ...more] = Object.entries(line as Record<string, unknown>);
  if (entry === undefined || more.length > 0) return 'it must be an object with one field';
  const [kind, value] = entry;
  if (kind === 'bytes') return text(value) ? (line as Line) : 'bytes must be a text';
  if (kind === 'end') return count(value) ? (line as Line) : 'end must be the number of lines';
  if (kind !== 'message' && kind !== 'mark' && !Object.hasOwn(kinds, kind))
    return 'it is of a kind that this version does not know';
  if (!record(value)) return `${kind} must be an object`;
  const problem = kind === 'message' ? badMessage(value as StoredMessage) : findBadField(kind, value);
  return problem ?? (kind === 'value' ? badKept(value as Held<'value'>) : undefined) ?? (line as Line);
}

/** What the runtime keeps with a thread and reads when it opens it: where that is damaged, a thread could not be opened, nor deleted. */
const keptForms: ReadonlyMap<string, Check> = new Map<string, Check>([
  [USAGE_KEY, isKeptUsage],
  [MODE_KEY, isMode],
  [SKILLS_KEY, areTexts],
]);

function badKept({ key, value }: Held<'value'>): string | undefined {
  const isForm = keptForms.get(key);
  if (isForm === undefined || isForm(value)) return undefined;
  return `the value ${key} does not have the form that the runtime writes`;
}

function findBadField(kind: string, value: unknown): string | undefined {
  const fields = value as Record<string, unknown>;
  const field = kind === 'mark' ? badMarkField(fields) : badField(fields, kinds[kind] ?? {});
  return field === undefined ? undefined : `field "${field}" of its ${kind} is missing or wrong`;
}

function badField(value: Record<string, unknown>, fields: Record<string, Check>): string | undefined {
  return Object.keys(fields).find((field) => !fields[field]?.(value[field]));
}

function badMessage(message: StoredMessage): string | undefined {
  try {
    checkMessage(message, 'imported');
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(' in thread imported', '');
  }
}
