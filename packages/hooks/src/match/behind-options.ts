import { UNKNOWN } from './shell/scan.ts';
import type { SimpleCommand } from './shell/simple-commands.ts';

/**
 * Finds the words of a pattern in a command that has options between them: `git -C dir push` is a `git push`, `kubectl -n x delete` a
 * `kubectl delete`. It is not known which options take a value, so the word after an option may be one or not.
 * @param wanted the words of a pattern
 * @returns the words after those of the pattern; none if it does not fit
 */
export function findBehindOptions(
  { words = [], begins = [] }: SimpleCommand,
  wanted: readonly string[],
): (readonly string[])[] {
  const [name = '', ...later] = wanted;
  if (later.length === 0) return [];
  return begins
    .filter((begin) => isNamed(words[begin] ?? '', name))
    .map((begin) => endOfWords(words, begin + 1, later))
    .filter((end) => end !== undefined)
    .map((end) => words.slice(end));
}

function isNamed(word: string, name: string): boolean {
  return word === name || word.slice(word.lastIndexOf('/') + 1) === name;
}

function endOfWords(words: readonly string[], start: number, wanted: readonly string[]): number | undefined {
  let at: number | undefined = start;
  for (const word of wanted) {
    at = at === undefined ? undefined : endOfNext(words, at, word);
  }
  return at;
}

/** The index after a word that stands here or behind options. */
function endOfNext(words: readonly string[], start: number, wanted: string): number | undefined {
  let at = start;
  while (at < words.length) {
    const word = words[at] as string;
    if (mayBe(word, wanted)) return at + 1;
    if (!isOption(word)) return undefined;
    at++;
    const value = words[at];
    if (!mayTakeValue(word) || value === undefined || isOption(value)) continue;
    if (value === wanted) return at + 1;
    at++;
  }
  return undefined;
}

/** A word that only the shell knows may be any. */
function mayBe(word: string, wanted: string): boolean {
  const known = word.indexOf(UNKNOWN);
  return known < 0 ? word === wanted : wanted.startsWith(word.slice(0, known));
}

const isOption = (word: string): boolean => word.startsWith('-');

/** `--name=value` has its value, and `--no-name` takes none. */
function mayTakeValue(option: string): boolean {
  return !option.includes('=') && !option.startsWith('--no-') && option !== '--';
}
