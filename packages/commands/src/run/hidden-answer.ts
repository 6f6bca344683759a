/** The words by which an object says that it is an answer, in any dialect. */
const ANSWER_WORDS = new Set([
  'additionalContext',
  'continue',
  'decision',
  'hookSpecificOutput',
  'permissionDecision',
  'stopReason',
  'suppressOutput',
  'systemMessage',
  'updatedInput',
  'updatedToolOutput',
]);

const MENTION = new RegExp(`"(?:${[...ANSWER_WORDS].join('|')})"\\s*:`);

/** Whether a text that cannot be read as JSON may have been meant as an answer. */
export function mentionsAnswer(text: string): boolean {
  return MENTION.test(text);
}

/** So many places where an object could begin are tried: each costs a pass over the rest. */
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

/** A shell that greets may also say goodbye. */
function hasAnswerOnLines(text: string): boolean {
  const begin = /^[ \t]*\{/gm;
  for (let place = 0; place < PLACES; place++) {
    const start = begin.exec(text);
    if (start === null) return false;
    const end = endOfObject(text, start.index);
    if (end === undefined) continue;
    if (
      /^[ \t\r]*$/m.test(text.slice(end, lineEnd(text, end))) &&
      isAnswer(parsed(text.slice(start.index, end)))
    )
      return true;
    begin.lastIndex = end;
  }
  return mentionsAnswer(text);
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at < 0 ? text.length : at;
}

const PIECE = /"(?:[^"\\]|\\.)*"|[{}]/gs;

/** The place after the brace that closes the one at `start`. */
function endOfObject(text: string, start: number): number | undefined {
  const piece = new RegExp(PIECE);
  piece.lastIndex = start;
  let depth = 0;
  for (let found = piece.exec(text); found !== null; found = piece.exec(text)) {
    if (found[0] === '{') depth++;
    else if (found[0] === '}' && --depth === 0) return piece.lastIndex;
  }
  return undefined;
}

function isAnswer(value: unknown): boolean {
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
