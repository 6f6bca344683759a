import { describeGiven } from '@spec/hooks';
import { badOption } from './bad-option.ts';
import type { Detector, Finding } from './finding.ts';
import { COVERED } from './finding.ts';

/** A kind of your own. */
export interface CustomPattern {
  /** The name of the placeholder, in snake_case: `customer_number` writes `[CUSTOMER_NUMBER_1]`. */
  readonly name: string;
  /**
   * What to redact: every match of a regular expression, or every range that a function returns (`end` exclusive). Avoid
   * nested repetition in the expression, because messages may be long and hostile.
   */
  readonly pattern: RegExp | ((text: string) => Iterable<{ readonly start: number; readonly end: number }>);
  /** Makes spellings of one value equal, such as a number with and without dashes; default: as found. */
  readonly normalize?: (value: string) => string;
  /**
   * The most characters of a match, with the text on both sides that decides on it. Without it, answers do not stream: nobody
   * knows whether the text so far is part of a match.
   */
  readonly holdBack?: number;
}

const NAME = /^[a-z]+(?:_[a-z]+)*$/;

/** @throws {DefinitionError} `bad_option` for a bad name or pattern. */
export function customDetector(custom: CustomPattern): Detector {
  const { name, pattern, normalize = (value) => value, holdBack } = custom;
  if (typeof name !== 'string' || !NAME.test(name) || name.length > 40) {
    throw badOption(
      `the name of a custom pattern must be snake_case letters, such as "customer_number"; got "${describeGiven(name)}".`,
    );
  }
  if (!(pattern instanceof RegExp) && typeof pattern !== 'function') {
    throw badOption(`the custom pattern "${name}" must be a regular expression or a function.`);
  }
  if (holdBack !== undefined && (!Number.isSafeInteger(holdBack) || holdBack < 1))
    throw badOption(`holdBack of the custom pattern "${name}" must be a whole number of at least 1.`);
  const ranges = pattern instanceof RegExp ? makeFinder(pattern) : pattern;
  const find = (text: string): Finding[] =>
    Array.from(checkedList(ranges(text), name), (range) => checkedRange(range, { name, text }))
      .filter(({ start, end }) => !text.slice(start, end).includes(COVERED))
      .map(({ start, end }) => {
        const value = checkedSpelling(normalize(text.slice(start, end)), name);
        return { start, end, values: [value] };
      });
  return { label: name.toUpperCase(), find };
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** @throws {TypeError} for what is no list: a promise of one would be taken for an empty list, and nothing would ever be found. */
function checkedList<List extends Iterable<Range>>(list: List, name: string): List {
  if (typeof (list as Partial<List> | null | undefined)?.[Symbol.iterator] === 'function') return list;
  throw new TypeError(
    `The function of the custom pattern "${name}" must return a list of ranges, and not a promise of one.`,
  );
}

/** @throws {TypeError} for what is no text: all values would be taken for one. */
function checkedSpelling(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new TypeError(`normalize of the custom pattern "${name}" must return a text.`);
}

/** @throws {TypeError} if a function returned an invalid range. The hook then fails, and its record names this line. */
function checkedRange(range: Range, { name, text }: { readonly name: string; readonly text: string }): Range {
  const { start, end } = (range ?? {}) as Partial<Range>;
  const isRange = Number.isInteger(start) && Number.isInteger(end) && (start as number) >= 0;
  if (isRange && (start as number) < (end as number) && (end as number) <= text.length) return range;
  throw new TypeError(
    `The function of the custom pattern "${name}" must return ranges { start, end } within the text, start before end.`,
  );
}

function makeFinder(pattern: RegExp): (text: string) => { start: number; end: number }[] {
  const global = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, '')}g`);
  return (text) =>
    [...text.matchAll(global)]
      .filter((match) => match[0] !== '')
      .map((match) => ({ start: match.index, end: match.index + match[0].length }));
}
