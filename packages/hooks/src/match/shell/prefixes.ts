import { UNKNOWN } from './scan.ts';

/** Words after which a command begins. */
const KEYWORDS = new Set([
  'if',
  'then',
  'elif',
  'else',
  'while',
  'until',
  'do',
  '!',
  '{',
  '}',
  'fi',
  'done',
  'esac',
]);

export function isKeyword(word: string): boolean {
  return KEYWORDS.has(word);
}

/** `NAME=value`, `NAME+=value`, `NAME[index]=value`. */
const ASSIGNMENT = new RegExp(`^[A-Za-z_]\\w*(?:${UNKNOWN}[^]*\\])?\\+?=`);

export function isAssignment(word: string): boolean {
  return ASSIGNMENT.test(word);
}

/** How many words come before the command itself: keywords, assignments, the name of a function. */
export function prefixLength(words: readonly string[]): number {
  let length = 0;
  while (length < words.length) {
    const word = words[length] as string;
    if (word === 'function') length += 2;
    else if (KEYWORDS.has(word) || isAssignment(word)) length++;
    else break;
  }
  return length;
}
