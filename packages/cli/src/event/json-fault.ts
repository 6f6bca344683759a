/** Deeper input is refused: a hook that prints or clones it could overflow its stack, and no store takes it. */
export const MAX_LEVELS = 200;

/** Whether a parsed value is nested too deep; found without recursion. */
export function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_LEVELS) return true;
    level = level.flatMap((one) =>
      typeof one === 'object' && one !== null ? Object.values(one).filter(isHolder) : [],
    );
  }
  return false;
}

function isHolder(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/**
 * Where a text stops being JSON, as ` (line 2, column 7)`; empty where it is JSON. The parser of Node tells its position for some
 * faults only, and else quotes the text.
 */
export function placeOfFault(json: string): string {
  const at = faultIn(json);
  if (at === undefined) return '';
  const before = json.slice(0, at).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

const blank = /[ \t\r\n]*/y;
const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escaped = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** What may stand next. `first`: of an object or a list that may end before it has anything. */
type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'end';

/** The position of the first character that no JSON could have there. */
function faultIn(json: string): number | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = skip(json, 0); at < json.length; at = skip(json, at)) {
    const step = stepAt(json, at, { expected, open });
    if (step === undefined) return at;
    at = step.end;
    expected = step.expected;
  }
  return expected === 'end' && open.length === 0 ? undefined : json.length;
}

interface State {
  readonly expected: Expected;
  /** The brackets that are open, the innermost last. */
  readonly open: string[];
}

interface Step {
  readonly end: number;
  readonly expected: Expected;
}

function stepAt(json: string, at: number, { expected, open }: State): Step | undefined {
  const character = json[at] as string;
  const end = at + 1;
  const mayClose = expected === 'end' || expected.startsWith('first');
  if (mayClose && open.at(-1) === { '}': '{', ']': '[' }[character] && open.length > 0) {
    open.pop();
    return { end, expected: 'end' };
  }
  if (expected === 'colon') return character === ':' ? { end, expected: 'value' } : undefined;
  if (expected === 'end')
    return character === ',' && open.length > 0
      ? { end, expected: open.at(-1) === '{' ? 'key' : 'value' }
      : undefined;
  const isKey = expected.endsWith('key');
  if (!isKey && (character === '{' || character === '[')) {
    open.push(character);
    return { end, expected: character === '{' ? 'first key' : 'first value' };
  }
  const isText = character === '"';
  const past = isText ? endOfText(json, at) : isKey ? undefined : endOf(word, json, at);
  return past === undefined ? undefined : { end: past, expected: isKey ? 'colon' : 'end' };
}

/** A loop and no pattern: a pattern needs a stack that grows with the text. */
function endOfText(json: string, start: number): number | undefined {
  let at: number | undefined = start + 1;
  while (at !== undefined && at < json.length) {
    const character = json[at] as string;
    if (character === '"') return at + 1;
    if (character < ' ') return undefined;
    at = character === '\\' ? endOf(escaped, json, at) : at + 1;
  }
  return undefined;
}

function endOf(pattern: RegExp, json: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(json) ? pattern.lastIndex : undefined;
}

function skip(json: string, at: number): number {
  return endOf(blank, json, at) ?? at;
}
