import { RunError } from '@spec/hooks';
import { type JsonToken, jsonTokens, unquoted } from './json-text.ts';
import { keyWithin } from './key-words.ts';
import type { ThreadMemory } from './memory.ts';
import type { Redactor } from './redactor.ts';
import { spliced } from './splice.ts';
import { redactText } from './text.ts';

type Path = readonly (string | number)[];

/** Where a value stands, and what of it must stay. */
export interface ValuePlace {
  readonly memory: ThreadMemory;
  /** The key that the value stands under. */
  readonly key?: string;
  readonly asked?: boolean;
  /** Whether the value at this path, inside the one given, stays as it is. */
  readonly keeps?: (path: Path) => boolean;
}

const MAX_DEPTH = 200;
const MAX_NESTED_TEXTS = 10;

interface Walk {
  readonly redactor: Redactor;
  readonly memory: ThreadMemory;
  readonly key: string | undefined;
  readonly asked: boolean;
  readonly keeps: ((path: Path) => boolean) | undefined;
  readonly path: Path;
  readonly nestedTexts: number;
}

/**
 * A value with every string, key and number in it redacted, at any depth, also inside JSON texts; the very same value where
 * nothing was found.
 * @throws {RunError} `hook_failed` for a value nested more than 200 deep, or in a circle.
 */
export function redactValue<T>(value: T, redactor: Redactor, place: ValuePlace): T {
  const { memory, key, asked = false, keeps } = place;
  return walk(value, { redactor, memory, key, asked, keeps, path: [], nestedTexts: 0 }) as T;
}

function walk(value: unknown, at: Walk): unknown {
  if (at.keeps?.(at.path) === true) return value;
  if (typeof value === 'string') return redactString(value, at);
  if (typeof value === 'number' || typeof value === 'bigint') return redactNumber(value, at);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  if (at.path.length >= MAX_DEPTH) {
    throw new RunError(
      'hook_failed',
      `A value nested more than ${MAX_DEPTH} deep cannot be redacted. Pass it as JSON text, or flatten it.`,
    );
  }
  if (Array.isArray(value)) return walkList(value, at);
  return value instanceof Date ? redactDate(value, at) : walkRecord(value as Record<string, unknown>, at);
}

function walkList(list: readonly unknown[], at: Walk): readonly unknown[] {
  const next = list.map((item, index) => walk(item, { ...at, path: [...at.path, index] }));
  return next.some((item, index) => item !== list[index]) ? next : list;
}

function walkRecord(record: Record<string, unknown>, at: Walk): Record<string, unknown> {
  let changed = false;
  const entries: [string, unknown][] = [];
  const taken = new Set<string>();
  for (const [key, value] of Object.entries(record)) {
    const path = [...at.path, key];
    const next = walk(value, { ...at, key: keyWithin(at.key, key), path });
    const nextKey = at.keeps?.(path) === true ? key : freeName(redactKey(key, at), taken);
    taken.add(nextKey);
    entries.push([nextKey, next]);
    changed ||= next !== value || nextKey !== key;
  }
  return changed ? Object.fromEntries(entries) : record;
}

function redactKey(key: string, { redactor, memory }: Walk): string {
  return redactText(key, redactor, { memory, key: undefined, isNumber: false, asked: false });
}

/** Two keys that became one placeholder both stay. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count++) free = `${name}#${count}`;
  return free;
}

function redactDate(date: Date, at: Walk): unknown {
  if (Number.isNaN(date.getTime())) return date;
  const iso = date.toISOString();
  const next = redactString(iso, at);
  return next === iso ? date : next;
}

function redactNumber(value: number | bigint, at: Walk): unknown {
  const digits = String(value);
  const next = redactDigits(digits, at);
  return next === digits ? value : next;
}

/** Digits of a number, redacted as text; `4111111111111111.0` is a card number too. */
function redactDigits(digits: string, { redactor, memory, key }: Walk): string {
  const whole =
    /[.eE]/.test(digits) && Number.isSafeInteger(Number(digits)) ? String(Number(digits)) : digits;
  const next = redactText(whole, redactor, { memory, key, isNumber: true, asked: false });
  return next === whole ? digits : next;
}

function redactString(text: string, at: Walk): string {
  const { redactor, memory, key, asked, nestedTexts } = at;
  const tokens = nestedTexts < MAX_NESTED_TEXTS ? jsonTokens(text) : undefined;
  if (tokens !== undefined) return redactJson(text, tokens, at);
  return redactText(text, redactor, { memory, key, isNumber: false, asked });
}

function redactJson(text: string, tokens: readonly JsonToken[], at: Walk): string {
  return spliced(text, tokens, (token) => {
    if (at.keeps?.([...at.path, ...token.path]) === true) return undefined;
    return redactToken(text.slice(token.start, token.end), token, at);
  });
}

/** What takes the place of a token in JSON text; nothing where it stays. */
function redactToken(raw: string, { kind, path }: JsonToken, at: Walk): string | undefined {
  const keys = path.filter((step) => typeof step === 'string').slice(-2);
  const own = keys.at(-1);
  const key = own === undefined ? at.key : keyWithin(keys.at(-2) ?? at.key, own);
  const inside: Walk = { ...at, path: [...at.path, ...path], nestedTexts: at.nestedTexts + 1, key };
  if (kind === 'number') {
    const next = redactDigits(raw, inside);
    return next === raw ? undefined : JSON.stringify(next);
  }
  const text = unquoted(raw);
  const next = kind === 'key' ? redactKey(text, inside) : redactString(text, inside);
  return next === text ? undefined : JSON.stringify(next);
}
