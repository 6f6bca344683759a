/** The deepest nesting of an answer and of a payload. */
export const DEPTH = 100;

/** Keys that reach an object's prototype when it is merged. */
const UNSAFE_KEYS = ['__proto__', 'constructor', 'prototype'];

/** An object's keys seen so far, or undefined for an array. */
type Level = Set<string> | undefined;

export const KEY_TWICE = 'it has a key twice';

/** Finds what only the JSON text shows, not its parsed value: nesting too deep, or a key twice in one object. */
export function findFaultOfText(text: string): string | undefined {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === OPEN_OBJECT || character === OPEN_ARRAY) {
      if (levels.length === DEPTH) return `it is nested deeper than ${DEPTH} levels`;
      levels.push(character === OPEN_OBJECT ? new Set() : undefined);
    } else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) levels.pop();
    else if (character === QUOTE) {
      const end = findEndOfString(text, at);
      if (isKey(text, end) && seenBefore(levels.at(-1), text.slice(at, end))) return KEY_TWICE;
      at = end - 1;
    }
  }
  return undefined;
}

const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** The place after a string's closing quote. */
export function findEndOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

const afterKey = /[ \t\r\n]*/y;

function isKey(text: string, end: number): boolean {
  afterKey.lastIndex = end;
  afterKey.exec(text);
  return text.charCodeAt(Math.max(end, afterKey.lastIndex)) === COLON;
}

function seenBefore(keys: Level, quoted: string): boolean {
  if (keys === undefined) return false;
  const key = quoted.includes('\\') ? JSON.stringify(JSON.parse(quoted)) : quoted;
  if (keys.has(key)) return true;
  keys.add(key);
  return false;
}

/** Drops the unsafe keys of a parsed value at every depth, without recursion; tells of a number that became Infinity. */
export function cleaned(value: object): string | undefined {
  let fault: string | undefined;
  const waiting: object[] = [value];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const key of UNSAFE_KEYS) if (Object.hasOwn(next, key)) Reflect.deleteProperty(next, key);
    for (const inner of Object.values(next)) {
      if (typeof inner === 'object' && inner !== null) waiting.push(inner);
      else if (inner === Infinity || inner === -Infinity) fault = 'it has a number that is too large';
    }
  }
  return fault;
}
