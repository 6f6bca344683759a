import { UNKNOWN } from './shell/scan.ts';
import type { SimpleCommand } from './shell/simple-commands.ts';

/** The words of a pattern before its first `*`. */
interface WantedWords {
  readonly words: readonly string[];
  /** The last of them is the beginning of a word, as in `git pu*`. */
  readonly isCut: boolean;
}

/**
 * Finds the words of a pattern in a command that has options between them: `git -C dir push` is a `git push`, `kubectl -n x delete` a
 * `kubectl delete`. It is not known which options take a value, so the word after an option may be one or not.
 * @returns for each place where they begin the text without these options; none if it does not fit
 */
export function findBehindOptions(
  { words = [], begins = [] }: SimpleCommand,
  wanted: WantedWords,
): (readonly string[])[] {
  const [name = '', ...later] = wanted.words;
  if (later.length === 0) return [];
  return begins
    .filter((begin) => isNamed(words[begin] ?? '', name))
    .map((begin) => findEndOfWords(words, begin + 1, { words: later, isCut: wanted.isCut }))
    .filter((end) => end !== undefined)
    .map((end) => [name, ...later.slice(0, -1), ...words.slice(end - 1)]);
}

function isNamed(word: string, name: string): boolean {
  return word === name || word.slice(word.lastIndexOf('/') + 1) === name;
}

function findEndOfWords(
  words: readonly string[],
  start: number,
  { words: wanted, isCut }: WantedWords,
): number | undefined {
  let at: number | undefined = start;
  for (const [index, word] of wanted.entries()) {
    const isBeginning = isCut && index === wanted.length - 1;
    at =
      at === undefined
        ? undefined
        : findEndOfNext(words, at, isBeginning ? beginsWith(word) : isExactly(word));
  }
  return at;
}

/** Tests a word as it is known; what only the shell knows is `UNKNOWN` in it. */
interface WordTest {
  is(word: string): boolean;
  /** The same for a word that only the shell knows: it may be any. */
  mayBe(word: string): boolean;
}

/** The index after a word that stands here or behind options. */
function findEndOfNext(words: readonly string[], start: number, wanted: WordTest): number | undefined {
  let at = start;
  while (at < words.length) {
    const word = words[at] as string;
    if (wanted.mayBe(word)) return at + 1;
    if (!isOption(word)) return undefined;
    at++;
    const value = words[at];
    if (!mayTakeValue(word) || value === undefined || isOption(value)) continue;
    if (wanted.is(value)) return at + 1;
    at++;
  }
  return undefined;
}

const isExactly = (wanted: string): WordTest => makeTest(wanted, (word) => word === wanted);
const beginsWith = (wanted: string): WordTest => makeTest(wanted, (word) => word.startsWith(wanted));

function makeTest(wanted: string, is: WordTest['is']): WordTest {
  const mayBe = (word: string): boolean => {
    const known = word.indexOf(UNKNOWN);
    return is(word) || (known >= 0 && wanted.startsWith(word.slice(0, known)));
  };
  return { is, mayBe };
}

const isOption = (word: string): boolean => word.startsWith('-');

/** `--name=value` has its value, and `--no-name` takes none. */
function mayTakeValue(option: string): boolean {
  return !option.includes('=') && !option.startsWith('--no-') && option !== '--';
}
