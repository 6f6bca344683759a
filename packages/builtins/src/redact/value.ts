import { RunError } from '@spec/hooks';
import { keyWithin } from './detect/key-words.ts';
import { type JsonToken, jsonTokens, mayBeJson, unquoted } from './json-text.ts';
import type { ThreadMemory } from './memory.ts';
import { fillsPiece, type Pieces } from './pieces.ts';
import type { Redactor } from './redactor.ts';
import { splicedInPieces } from './splice.ts';
import { isTooShort, redactText, type Seen } from './text.ts';

type Path = readonly (string | number)[];

/** The place of a value, and which parts of it must stay. */
export interface ValuePlace {
  readonly memory: ThreadMemory;
  readonly seen: Seen;
  /** The key of the value. */
  readonly key?: string;
  readonly asked?: boolean;
  /** Whether the value at this path inside the given one stays as it is. */
  readonly keeps?: (path: Path) => boolean;
}

const MAX_DEPTH = 200;
const MAX_NESTED_TEXTS = 10;

interface Walk {
  readonly redactor: Redactor;
  readonly memory: ThreadMemory;
  readonly seen: Seen;
  readonly key: string | undefined;
  readonly asked: boolean;
  readonly keeps: ((path: Path) => boolean) | undefined;
  readonly path: Path;
  readonly nestedTexts: number;
}

/**
 * Redacts every string, key and number in a value, at any depth, also inside JSON texts. Returns the very same value if
 * nothing was found.
 * @throws {RunError} `hook_failed` for a value nested more than 200 deep, or with a cycle.
 */
export function* redactValue<T>(value: T, redactor: Redactor, place: ValuePlace): Pieces<T> {
  const { memory, seen, key, asked = false, keeps } = place;
  return (yield* walk(value, { redactor, memory, seen, key, asked, keeps, path: [], nestedTexts: 0 })) as T;
}

function* walk(value: unknown, at: Walk): Pieces<unknown> {
  if (at.keeps?.(at.path) === true) return value;
  if (typeof value === 'string') return yield* redactString(value, at);
  if (typeof value === 'number' || typeof value === 'bigint') return yield* redactNumber(value, at);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (at.path.length >= MAX_DEPTH) {
    throw new RunError(
      'hook_failed',
      `A value nested more than ${MAX_DEPTH} deep cannot be redacted. Pass it as JSON text, or flatten it.`,
    );
  }
  if (Array.isArray(value)) return yield* walkList(value, at);
  return yield* value instanceof Date ? redactDate(value, at) : walkRecord(value as Fields, at);
}

type Fields = Record<string, unknown>;

function* walkList(list: readonly unknown[], at: Walk): Pieces<readonly unknown[]> {
  let changed = false;
  const next: unknown[] = [];
  for (const [index, item] of list.entries()) {
    const nextItem = yield* walk(item, { ...at, path: [...at.path, index] });
    changed ||= nextItem !== item;
    next.push(nextItem);
    if (fillsPiece(measureText(item))) yield;
  }
  return changed ? next : list;
}

function* walkRecord(record: Fields, at: Walk): Pieces<Fields> {
  let changed = false;
  const entries: [string, unknown][] = [];
  const taken = new Set<string>();
  for (const [key, value] of Object.entries(record)) {
    const path = [...at.path, key];
    const next = yield* walk(value, { ...at, key: keyWithin(at.key, key), path });
    const nextKey = at.keeps?.(path) === true ? key : freeName(yield* redactKey(key, at), taken);
    taken.add(nextKey);
    entries.push([nextKey, next]);
    changed ||= next !== value || nextKey !== key;
    if (fillsPiece(key.length + measureText(value))) yield;
  }
  return changed ? Object.fromEntries(entries) : record;
}

/** The cost of looking at a value, unless something inside it was counted. */
function measureText(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

function redactKey(key: string, { redactor, memory, seen }: Walk): Pieces<string> {
  return redactText(key, redactor, { memory, seen, key: undefined, isNumber: false, asked: false });
}

/** If two keys become one placeholder, both stay. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}#${count}`;
  return free;
}

function* redactDate(date: Date, at: Walk): Pieces<unknown> {
  if (Number.isNaN(date.getTime())) return date;
  const iso = date.toISOString();
  const next = yield* redactString(iso, at);
  return next === iso ? date : next;
}

function* redactNumber(value: number | bigint, at: Walk): Pieces<unknown> {
  const digits = String(value);
  const next = yield* redactDigits(digits, at);
  return next === digits ? value : next;
}

/** Redacts the digits of a number; `4111111111111111.0` is a card number too. */
function* redactDigits(digits: string, { redactor, memory, seen, key }: Walk): Pieces<string> {
  const whole =
    /[.eE]/.test(digits) && Number.isSafeInteger(Number(digits)) ? String(Number(digits)) : digits;
  const next = yield* redactText(whole, redactor, { memory, seen, key, isNumber: true, asked: false });
  return next === whole ? digits : next;
}

function* redactString(text: string, at: Walk): Pieces<string> {
  const { redactor, memory, seen, key, asked, nestedTexts } = at;
  const isJson = nestedTexts < MAX_NESTED_TEXTS && mayBeJson(text);
  const tokens = isJson ? yield* jsonTokens(text) : undefined;
  if (tokens !== undefined) return yield* redactJson(text, tokens, at);
  return yield* redactText(text, redactor, { memory, seen, key, isNumber: false, asked });
}

function* redactJson(text: string, tokens: readonly JsonToken[], at: Walk): Pieces<string> {
  const next: (string | undefined)[] = [];
  for (const token of tokens) {
    const stays = at.keeps?.([...at.path, ...token.path]) === true;
    next.push(stays ? undefined : yield* redactToken(text.slice(token.start, token.end), token, at));
    if (fillsPiece(token.end - token.start)) yield;
  }
  return yield* splicedInPieces(text, tokens, (_, position) => next[position]);
}

/** What replaces a token in JSON text; nothing if it stays. */
function* redactToken(
  raw: string,
  { kind, path, parent, own }: JsonToken,
  at: Walk,
): Pieces<string | undefined> {
  const key = own === undefined ? at.key : keyWithin(parent ?? at.key, own);
  const inside: Walk = { ...at, path: [...at.path, ...path], nestedTexts: at.nestedTexts + 1, key };
  if (kind === 'number') {
    const next = yield* redactDigits(raw, inside);
    return next === raw ? undefined : JSON.stringify(next);
  }
  const text = unquoted(raw);
  if (kind === 'key' && isTooShort(text, { ...at, key: undefined })) return undefined;
  const next = yield* kind === 'key' ? redactKey(text, inside) : redactString(text, inside);
  return next === text ? undefined : JSON.stringify(next);
}
