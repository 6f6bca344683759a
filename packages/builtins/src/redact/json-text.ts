/** A string, a key or a number inside a JSON text, with its place in that text (`end` exclusive, quotes included). */
export interface JsonToken {
  readonly kind: 'string' | 'key' | 'number';
  readonly start: number;
  readonly end: number;
  /** The keys and positions that lead to it. */
  readonly path: readonly (string | number)[];
}

interface Level {
  readonly isObject: boolean;
  key: string | number;
  /** In an object: whether the next string is a key. */
  expectsKey: boolean;
}

/**
 * The strings, keys and numbers of a JSON text, or `undefined` where it is not a JSON object, list or string. Working on
 * tokens keeps everything else of the text byte for byte: spaces, order, doubled keys, digits of large numbers.
 */
export function jsonTokens(text: string): JsonToken[] | undefined {
  if (!/^\s*[{["]/.test(text) || !isJson(text)) return undefined;
  const tokens: JsonToken[] = [];
  const levels: Level[] = [];
  let offset = 0;
  while (offset < text.length) {
    const char = text[offset] as string;
    const level = levels.at(-1);
    if (char === '"') {
      const end = endOfString(text, offset);
      const isKey = level?.isObject === true && level.expectsKey;
      if (isKey) level.key = unquoted(text.slice(offset, end));
      tokens.push({ kind: isKey ? 'key' : 'string', start: offset, end, path: levels.map(({ key }) => key) });
      offset = end;
      continue;
    }
    if (char === '-' || (char >= '0' && char <= '9')) {
      const end = endOfNumber(text, offset);
      tokens.push({ kind: 'number', start: offset, end, path: levels.map(({ key }) => key) });
      offset = end;
      continue;
    }
    structure(char, levels);
    offset++;
  }
  return tokens;
}

/** The text of a string or key, given with its quotes. */
export function unquoted(raw: string): string {
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

function structure(char: string, levels: Level[]): void {
  const level = levels.at(-1);
  if (char === '{') levels.push({ isObject: true, key: '', expectsKey: true });
  else if (char === '[') levels.push({ isObject: false, key: 0, expectsKey: false });
  else if (char === '}' || char === ']') levels.pop();
  else if (level !== undefined && char === ':') level.expectsKey = false;
  else if (level !== undefined && char === ',') {
    if (level.isObject) level.expectsKey = true;
    else level.key = (level.key as number) + 1;
  }
}

/** JSON.parse alone decides; what it says about a text that is none would quote the text. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function endOfString(text: string, start: number): number {
  let offset = start + 1;
  while (text[offset] !== '"') offset += text[offset] === '\\' ? 2 : 1;
  return offset + 1;
}

const NUMBER = /[-+\d.eE]*/y;

function endOfNumber(text: string, start: number): number {
  NUMBER.lastIndex = start;
  NUMBER.test(text);
  return NUMBER.lastIndex;
}
