import type { KeptValue } from './kept-value.ts';
import { listSpellings } from './spelling.ts';

/** The place of a known value in a text, in one of its spellings. */
export interface FoundValue {
  readonly start: number;
  readonly end: number;
  readonly value: KeptValue;
}

/** Finds known values in the text of a view, whatever they look like. */
export type ValueFinder = (text: string) => Iterable<FoundValue>;

/** A spelling of a value, and the characters that must not adjoin it. */
interface Spelling {
  readonly text: string;
  readonly value: KeptValue;
  readonly apart?: 'word' | 'digits';
  readonly isExact?: boolean;
}

/** From this length on, a tool's value is found in every text, even inside other words. */
const LONG = 8;
/** A shorter text would occur in every text. */
const SHORTEST = 4;
/** Shorter texts would occur in every word. */
const SHORTEST_INSIDE = 3;

/**
 * Finds the values of one call in its tool's answer and in the words of those who saw them: of any length, in any case, and
 * inside words and numbers. A value of one or two letters must stand alone.
 */
export function findValuesOfCall(values: readonly KeptValue[]): ValueFinder | undefined {
  return makeFinder(
    values.flatMap((value) =>
      listSpellings(value).map((text) => ({
        text,
        value,
        ...(text.length < SHORTEST_INSIDE ? { apart: 'word' as const } : {}),
      })),
    ),
  );
}

/** Finds values given to tools in every other text of the thread. A short value does not count inside what it is probably a part of. */
export function findValuesOfTools(values: readonly KeptValue[]): ValueFinder | undefined {
  return makeFinder(
    values.flatMap((value) =>
      listSpellings(value)
        .filter((text) => text.length >= SHORTEST)
        .map((text) => ({ text, value, ...cautionFor(text) })),
    ),
  );
}

function cautionFor(text: string): Pick<Spelling, 'apart' | 'isExact'> {
  if (text.length >= LONG) return {};
  if (/^\p{L}+$/u.test(text)) return { apart: 'word', isExact: true };
  return /^\d+$/.test(text) ? { apart: 'digits' } : {};
}

function makeFinder(all: readonly Spelling[]): ValueFinder | undefined {
  if (all.length === 0) return undefined;
  const ways = [all.filter(({ isExact }) => isExact === true), all.filter(({ isExact }) => isExact !== true)];
  const finders = ways.filter((some) => some.length > 0).map(makeFinderOfOneCase);
  return function* (text) {
    for (const find of finders) yield* find(text);
  };
}

function makeFinderOfOneCase(some: readonly Spelling[]): ValueFinder {
  const isExact = some[0]?.isExact === true;
  const makeKey = (text: string): string => (isExact ? text : caseless(text));
  const byText = new Map(some.map(({ text, value }) => [makeKey(text), value]));
  const pattern = new RegExp(
    some
      .toSorted((a, b) => b.text.length - a.text.length)
      .map(makePattern)
      .join('|'),
    isExact ? 'gu' : 'giu',
  );
  return function* (text) {
    for (const { index, 0: written } of matchesOver(text, pattern)) {
      const value = byText.get(makeKey(written)) ?? some.find((one) => isSame(one.text, written))?.value;
      if (value !== undefined) yield { start: index, end: index + written.length, value };
    }
  };
}

/** All matches, even overlapping ones: one value may end with the beginning of another. */
function* matchesOver(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  const search = new RegExp(pattern);
  for (let match = search.exec(text); match !== null; match = search.exec(text)) {
    yield match;
    search.lastIndex = match.index + ((match[0].codePointAt(0) as number) > 0xffff ? 2 : 1);
  }
}

/** Some letters have more than two cases. */
function isSame(a: string, b: string): boolean {
  return caseless(a) === caseless(b) || a.localeCompare(b, undefined, { sensitivity: 'accent' }) === 0;
}

/** Letters that become several in another case, and those of Turkish, whose `i` differs: all their cases count as one. */
const SEVERAL_CASES = /(?:ss|[ßẞ])+s?|i\u0307|[iıİ]|(?![\0-\x7f])\p{L}/giu;

/** A text without regard to case: `Straße` and `STRASSE` are equal. */
function caseless(text: string): string {
  return text.replace(TURKISH, 'i').toLowerCase().toUpperCase().toLowerCase();
}
const TURKISH = /i\u0307|[iıİ]/giu;

const MOST_S = 8;

/** A run of `s`, in which each pair may count as one letter or as two. */
function writtenAs(count: number): string[] {
  if (count <= 0) return count === 0 ? [''] : [];
  return [
    ...writtenAs(count - 2).map((rest) => `[ßẞ]${rest}`),
    ...writtenAs(count - 1).map((rest) => `s${rest}`),
  ];
}

function inAnyCase(letters: string): string {
  const { length } = letters.replace(/[ßẞ]/g, 'ss');
  if (/^[sßẞ]+$/iu.test(letters))
    return length > MOST_S
      ? `[sßẞ]{${Math.ceil(length / 2)},${length}}`
      : `(?:${writtenAs(length).join('|')})`;
  if (/^(?:i\u0307|[iıİ])$/iu.test(letters)) return '(?:i\u0307|[iıİ])';
  const upper = letters.toUpperCase();
  return upper.length === letters.length ? letters : `(?:${letters}|${upper})`;
}

const APART = { word: String.raw`\p{L}\p{N}`, digits: String.raw`\p{N}` } as const;

function makePattern({ text, apart, isExact }: Spelling): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const exactly = isExact === true ? literal : literal.replace(SEVERAL_CASES, inAnyCase);
  return apart === undefined ? exactly : `(?<![${APART[apart]}])${exactly}(?![${APART[apart]}])`;
}
