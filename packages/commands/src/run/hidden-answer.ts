/** The words by which an object says that it is an answer, in any dialect. */
const ANSWER_WORDS = new Set([
  'additionalContext',
  'behavior',
  'continue',
  'decision',
  'hookSpecificOutput',
  'permission',
  'permissionDecision',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'updatedInput',
  'updatedToolOutput',
]);

const MENTION = new RegExp(`"(?:${[...ANSWER_WORDS].join('|')})"\\s*:`);

/** Whether a text that is not JSON may have been meant as an answer. */
export function mentionsAnswer(text: string): boolean {
  return MENTION.test(text);
}

/** How many possible starts of an object are tried. Each costs a pass over the rest. */
const PLACES = 64;

/**
 * Whether text that does not begin with `{` holds an object that looks like an answer: at its end, on lines of its own between
 * other lines, or in a list.
 */
export function hidesAnswer(text: string): boolean {
  return isListOfAnswers(text) || endsWithAnswer(text) || hasAnswerOnLines(text);
}

function isListOfAnswers(text: string): boolean {
  const list = text.startsWith('[') ? parsed(text) : undefined;
  return Array.isArray(list) && list.some(isAnswer);
}

function endsWithAnswer(text: string): boolean {
  if (!text.endsWith('}')) return false;
  let at = text.indexOf('{');
  for (let place = 0; place < PLACES; place++) {
    if (at < 0) return false;
    const value = parsed(text.slice(at));
    if (value !== undefined) return isAnswer(value);
    at = text.indexOf('{', at + 1);
  }
  return mentionsAnswer(text);
}

/** Characters that are looked at for objects between lines. */
const MOST_STEPS = 2_000_000;

/** A shell that greets may also say goodbye. */
function hasAnswerOnLines(text: string): boolean {
  if (!mentionsAnswer(text)) return false;
  let steps = 0;
  for (let at = nextOnLine(text, 0); at !== undefined; ) {
    const end = findEndOfObject(text, at);
    steps += (end ?? text.length) - at;
    if (isAnswer(parsed(text.slice(at, end)))) return true;
    if (steps > MOST_STEPS) return true;
    at = nextOnLine(text, end ?? at + 1);
  }
  return false;
}

const ON_LINE = /\n[ \t]{0,100}\{/g;

/** The next brace with which a line begins. */
function nextOnLine(text: string, from: number): number | undefined {
  ON_LINE.lastIndex = from;
  return ON_LINE.test(text) ? ON_LINE.lastIndex - 1 : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** The place after the brace that closes the one at `start`. */
function findEndOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === BACKSLASH && isQuoted) at++;
    else if (character === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === OPEN) depth++;
    else if (character === CLOSE && --depth === 0) return at + 1;
  }
  return undefined;
}

/** Whether a value speaks as an answer: it is an object with one of the words. */
export function isAnswer(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.keys(value).some((key) => ANSWER_WORDS.has(key));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
