import { fillsPiece, type Pieces } from './pieces.ts';

/** A string, key or number in a JSON text, and its place in that text (`end` exclusive, quotes included). */
export interface JsonToken {
  readonly kind: 'string' | 'key' | 'number';
  readonly start: number;
  readonly end: number;
  /** The first key or position on the path to it. */
  readonly path: readonly (string | number)[];
  /** The last two keys on the path to it, without positions in lists. */
  readonly parent: string | undefined;
  readonly own: string | undefined;
}

/** The last two keys on the path to a value, without positions in lists. */
interface Keys {
  readonly parent: string | undefined;
  readonly own: string | undefined;
}

interface Level {
  readonly isObject: boolean;
  /** The keys on the path to the list or object. */
  readonly outer: Keys;
  key: string | number;
}

/** The tokens that may come next. */
type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end';

/** Nobody needs more of a path, and texts may be deeply nested. */
const PATH_LENGTH = 4;

/** Whether a text begins like a JSON object, list or string. */
export function mayBeJson(text: string): boolean {
  return /^[ \t\n\r]*[{["]/.test(text);
}

/**
 * The strings, keys and numbers of a JSON text, or `undefined` if it is not a JSON object, list or string. Tokens keep the rest of the text
 * byte for byte: spaces, order, duplicate keys, digits of large numbers. It is its own parser because `JSON.parse` is slow on a long
 * text, and its errors quote a text that is not JSON.
 */
export function* jsonTokens(text: string): Pieces<JsonToken[] | undefined> {
  if (!mayBeJson(text)) return undefined;
  const reader = new JsonReader(text);
  while (!reader.isAtEnd) {
    const start = reader.offset;
    if (!reader.read()) return undefined;
    if (fillsPiece(reader.offset - start)) yield;
  }
  return reader.isComplete ? reader.tokens : undefined;
}

/** Reads a JSON text from start to end, token by token. */
class JsonReader {
  readonly tokens: JsonToken[] = [];
  offset = 0;
  readonly #text: string;
  readonly #levels: Level[] = [];
  #expected: Expected = 'value';

  constructor(text: string) {
    this.#text = text;
    this.#skipSpace();
  }

  get isAtEnd(): boolean {
    return this.offset >= this.#text.length;
  }

  get isComplete(): boolean {
    return this.#levels.length === 0 && this.#expected === 'comma or end';
  }

  /** Reads the next token; `false` if it is not allowed at its place. */
  read(): boolean {
    const char = this.#text[this.offset] as string;
    const isRead = char === '"' ? this.#readString() : (this.#readSign(char) ?? this.#readScalar());
    this.#skipSpace();
    return isRead;
  }

  #skipSpace(): void {
    this.offset = findEnd(SPACE, this.#text, this.offset);
  }

  #readString(): boolean {
    const { offset } = this;
    const end = findEndOfString(this.#text, offset);
    if (end === undefined) return false;
    if (this.#expected.startsWith('key')) {
      (this.#levels.at(-1) as Level).key = unquoted(this.#text.slice(offset, end));
      this.#expected = 'colon';
      return this.#addToken('key', end);
    }
    return this.#endValue() && this.#addToken('string', end);
  }

  #readScalar(): boolean {
    const end = findEnd(NUMBER, this.#text, this.offset);
    if (end > this.offset) return this.#endValue() && this.#addToken('number', end);
    const word = WORDS.find((one) => this.#text.startsWith(one, this.offset));
    this.offset += word?.length ?? 0;
    return word !== undefined && this.#endValue();
  }

  #addToken(kind: JsonToken['kind'], end: number): boolean {
    const path: (string | number)[] = [];
    const levels = this.#levels;
    for (let level = 0; level < levels.length && level < PATH_LENGTH; level++)
      path.push((levels[level] as Level).key);
    const { parent, own } = this.#keys();
    this.tokens.push({ kind, start: this.offset, end, path, parent, own });
    this.offset = end;
    return true;
  }

  #keys(): Keys {
    const level = this.#levels.at(-1);
    if (level === undefined) return { parent: undefined, own: undefined };
    return typeof level.key === 'string' ? { parent: level.outer.own, own: level.key } : level.outer;
  }

  /** Whether a value is allowed here. If so, sets what is expected after it. */
  #endValue(): boolean {
    if (!this.#expected.startsWith('value')) return false;
    this.#expected = 'comma or end';
    return true;
  }

  /** Whether a sign is allowed here; nothing if the character is not a sign. */
  #readSign(char: string): boolean | undefined {
    const level = this.#levels.at(-1);
    if (!SIGNS.includes(char)) return undefined;
    this.offset++;
    if (char === '{' || char === '[') return this.#open(char === '{');
    if (level === undefined) return false;
    if (char === ':') return this.#passOn('colon', 'value');
    if (char === ',') return this.#passOn('comma or end', level.isObject ? 'key' : 'value');
    if (level.isObject !== (char === '}') || !this.#expected.endsWith('end')) return false;
    this.#levels.pop();
    this.#expected = 'comma or end';
    return true;
  }

  #open(isObject: boolean): boolean {
    if (!this.#expected.startsWith('value')) return false;
    this.#levels.push({ isObject, outer: this.#keys(), key: isObject ? '' : 0 });
    this.#expected = isObject ? 'key or end' : 'value or end';
    return true;
  }

  #passOn(expected: Expected, next: Expected): boolean {
    const level = this.#levels.at(-1) as Level;
    if (this.#expected !== expected) return false;
    if (expected === 'comma or end' && typeof level.key === 'number') level.key++;
    this.#expected = next;
    return true;
  }
}

const SIGNS = '{}[]:,';
const WORDS = ['true', 'false', 'null'];
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A part of a string that needs no look: without its closing quote, an escape or a character that must be escaped. */
const PLAIN = /[ !#-[\]-\uffff]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

function findEnd(pattern: RegExp, text: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : offset;
}

function findEndOfString(text: string, start: number): number | undefined {
  let offset = findEnd(PLAIN, text, start + 1);
  while (text[offset] === '\\') {
    const end = findEnd(ESCAPE, text, offset);
    if (end === offset) return undefined;
    offset = findEnd(PLAIN, text, end);
  }
  return text[offset] === '"' ? offset + 1 : undefined;
}

/** The text of a string or key, given with quotes. */
export function unquoted(raw: string): string {
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}
