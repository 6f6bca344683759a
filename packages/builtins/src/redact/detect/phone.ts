import { type CountryCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import { type DigitGroup, digitRuns } from './digit-runs.ts';
import type { Detector, Finding, Scope } from './finding.ts';
import { keyEndsIn, keyHas } from './key-words.ts';
import { notPhonesIn } from './not-phones.ts';
import { ID_KEYS, isIdBefore, isPhoneBefore, PHONE_KEYS } from './phone-words.ts';
import { isInsideWord } from './word-bounds.ts';

const LEAST_DIGITS = 7;
/** With 00, the country code, and the national prefix that some write after it: 0044 (0)20. */
const MOST_DIGITS = 19;
const LONGEST_NAMED = 60;
/** The text allowed between digits of a telephone number; never a line break. */
const SEPARATOR = /^[ \u00a0\u2000-\u200a\u202f\u3000().\-/·•‐-―−~]{1,5}$/u;
/** An amount such as 1.234.567,00. */
const THOUSANDS = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?$/;
const BARE = /^\d+$/;
/** The largest integers of 32 bits. */
const LIMITS = new Set(['2147483647', '2147483648', '4294967295', '4294967296']);
const EXTENSION = /^,?\s{0,2}(?:x|ext\.?|extension|#)\s?\d{1,6}(?![\p{L}\d])/iu;
const EXTENSION_LENGTH = 20;
/** The allowed groups of a North American number: 415 555 2671, 1 415 5552671. */
const NORTH_AMERICAN = new Set(['10', '11', '3-3-4', '3-7', '6-4', '1-3-3-4', '1-3-7', '1-10']);
const MOST_GROUPS = 6;

/**
 * Telephone numbers as libphonenumber-js knows them: international ones, national ones of the default country, and after a word
 * such as "Tel." any number that may be one. Digits without separators count unless the key or the words before
 * them call them an id.
 */
export function phones(defaultCountry: CountryCode): Detector {
  const plan = makePlan(defaultCountry);
  return {
    label: 'PHONE',
    find(text: string, scope: Scope): readonly Finding[] {
      if (text.length < LEAST_DIGITS) return [];
      if (scope.key !== undefined && keyHas(scope.key, PHONE_KEYS)) return namedNumber(text, defaultCountry);
      if (scope.isNumber) return [];
      const isIdKey = scope.key !== undefined && keyEndsIn(scope.key, ID_KEYS);
      const search: Search = { text, plan, isIdKey, known: new Map() };
      const found: Finding[] = [];
      for (const run of digitRuns(text, SEPARATOR)) {
        if (countDigits(run) >= LEAST_DIGITS)
          for (const part of splitRun(text, run)) findInRun(search, part, found);
      }
      return found;
    },
  };
}

/** What is known of a country's numbers without asking the library for each number, which is slow. */
interface Plan {
  readonly country: CountryCode;
  readonly lengths: ReadonlySet<number>;
  /** The prefix of a number inside the country; empty if there is none. */
  readonly trunk: string;
  readonly isNorthAmerican: boolean;
}

function makePlan(country: CountryCode): Plan {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  const lengths = new Set(metadata.numberingPlan?.possibleLengths());
  const example = parsePhoneNumberFromString(examples[country], country);
  const national = example?.formatNational().replace(/\D/g, '') ?? '';
  const trunk = example === undefined ? '' : national.slice(0, -example.nationalNumber.length);
  return { country, lengths, trunk, isNorthAmerican: example?.countryCallingCode === '1' };
}

/** Under a key such as `phone`, any text with enough digits counts, valid or not. */
function namedNumber(text: string, defaultCountry: CountryCode): readonly Finding[] {
  const digits = text.replace(/\D/g, '');
  if (digits.length < LEAST_DIGITS || digits.length > 20 || text.length > LONGEST_NAMED) return [];
  const values = [parsePhoneNumberFromString(text, defaultCountry)?.number ?? digits];
  return [{ start: 0, end: text.length, values }];
}

interface Search {
  readonly text: string;
  readonly plan: Plan;
  readonly isIdKey: boolean;
  /** The library's answers during one search. */
  readonly known: Map<string, string | undefined>;
}

type Run = readonly DigitGroup[];

const countDigits = (groups: Run): number => groups.reduce((sum, { digits }) => sum + digits.length, 0);

/** A run, split at dates and addresses. */
function* splitRun(text: string, run: Run): Generator<Run> {
  const range = { start: (run[0] as DigitGroup).start, end: (run.at(-1) as DigitGroup).end };
  const others = notPhonesIn(text, range);
  let next = 0;
  let part: DigitGroup[] = [];
  for (const group of run) {
    while ((others[next]?.end ?? Infinity) <= group.start) next++;
    if (group.start < (others[next]?.start ?? Infinity)) {
      part.push(group);
      continue;
    }
    if (part.length > 0) yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

function findInRun(search: Search, run: Run, found: Finding[]): void {
  for (let first = 0; first < run.length; ) {
    const group = run[first] as DigitGroup;
    const isDone = group.start < (found.at(-1)?.end ?? 0);
    const number = isDone ? undefined : numberAt(search, run, first);
    if (number !== undefined) found.push(number.finding);
    first = number === undefined ? first + 1 : number.next;
  }
}

interface Found {
  readonly finding: Finding;
  /** The index of the group after it. */
  readonly next: number;
}

function numberAt(search: Search, run: Run, first: number): Found | undefined {
  const { text } = search;
  const start = (run[first] as DigitGroup).start;
  const isInternational = text[start - 1] === '+';
  const opens = !isInternational && text[start - 1] === '(' && run[first]?.behind.startsWith(')') === true;
  const from = isInternational || opens ? start - 1 : start;
  if (!isInternational && isPartOfMore(run, first)) return undefined;
  if (isInsideWord(text, { start: from, end: from })) return undefined;
  const isLabelled = !isInternational && first === 0 && isPhoneBefore(text, from);
  if (!isInternational && !isLabelled && hasSingleDigit(run, first)) return undefined;
  for (const last of findEnds(run, first)) {
    const groups = run.slice(first, last + 1);
    const range = { start: from, end: (groups.at(-1) as DigitGroup).end };
    const value = isInternational
      ? worldwide(search, `+${joined(groups)}`)
      : nationalValue(search, { groups, range, run, isLabelled });
    if (value === undefined) continue;
    const end = withExtension(text, closed(text, range));
    if (isInsideWord(text, { start: end, end })) continue;
    return { finding: { start: from, end, values: [value] }, next: last + 1 };
  }
  return undefined;
}

const joined = (groups: Run): string => groups.map(({ digits }) => digits).join('');

/** After a dot or dash without a space, a number continues and does not begin. */
function isPartOfMore(run: Run, first: number): boolean {
  return /^[.\-‐-―−]$/u.test(run[first - 1]?.behind ?? '');
}

/** A single digit may only come first. After 00, it may be a country or area code. */
function hasSingleDigit(run: Run, first: number): boolean {
  return run[first + 1]?.digits.length === 1 && run[first]?.digits.startsWith('00') === false;
}

/** The groups with which a number may end, the longest number first. */
function findEnds(run: Run, first: number): number[] {
  const ends: number[] = [];
  let digits = 0;
  for (let last = first; last < run.length; last++) {
    digits += (run[last] as DigitGroup).digits.length;
    if (digits > MOST_DIGITS) break;
    if (digits >= LEAST_DIGITS) ends.unshift(last);
  }
  return ends;
}

interface National {
  readonly groups: Run;
  readonly range: { readonly start: number; readonly end: number };
  readonly run: Run;
  readonly isLabelled: boolean;
}

function nationalValue(search: Search, { groups, range, run, isLabelled }: National): string | undefined {
  const { text, plan, isIdKey } = search;
  const digits = joined(groups);
  const written = text.slice(range.start, range.end);
  const isNamedId = BARE.test(written) && (isIdKey || isIdBefore(text, range.start));
  if (isNamedId && !isLabelled) return undefined;
  const value =
    abroad(search, digits) ?? (isLikeNational(plan, digits) ? dialled(search, digits) : undefined);
  if (isLabelled) return value ?? (digits.length <= 15 ? digits : undefined);
  if (value === undefined || LIMITS.has(digits) || THOUSANDS.test(written)) return undefined;
  return isWrittenAsNumber(groups, { plan, run }) ? value : undefined;
}

/** With 00 instead of the plus, or 011 from North America. */
function abroad(search: Search, digits: string): string | undefined {
  const prefix =
    /^00(?=[1-9])/.exec(digits) ?? (search.plan.isNorthAmerican ? /^011(?=[2-9])/.exec(digits) : null);
  return prefix === null || digits.length < 11
    ? undefined
    : worldwide(search, `+${digits.slice(prefix[0].length)}`);
}

function isLikeNational({ lengths, trunk, isNorthAmerican }: Plan, digits: string): boolean {
  if (isNorthAmerican) return /^1?[2-9]\d{2}[2-9]\d{6}$/.test(digits);
  return digits.startsWith(trunk) && (lengths.has(digits.length) || lengths.has(digits.length - 1));
}

/**
 * The number, if it is written as it is dialled, with the national prefix. Without this check, in countries whose numbers have
 * no fixed length, any seven digits would be a number.
 */
function dialled(search: Search, digits: string): string | undefined {
  const key = `${digits} at home`;
  if (search.known.has(key)) return search.known.get(key);
  const number = parsePhoneNumberFromString(digits, search.plan.country);
  const national = number?.isValid() === true ? number.formatNational() : '';
  const isDialled = national !== '' && !BARE.test(national) && digits.includes(national.replace(/\D/g, ''));
  const value = isDialled ? number?.number : undefined;
  search.known.set(key, value);
  return value;
}

function worldwide({ known }: Search, digits: string): string | undefined {
  if (known.has(digits)) return known.get(digits);
  const number = parsePhoneNumberFromString(digits);
  const value = number?.isValid() === true ? number.number : undefined;
  known.set(digits, value);
  return value;
}

/** Whether groups look like a telephone number and not like cells of a table. */
function isWrittenAsNumber(groups: Run, { plan, run }: { readonly plan: Plan; readonly run: Run }): boolean {
  const sizes = groups.map(({ digits }) => digits.length);
  if (/^(?:00|011)/.test(joined(groups))) return true;
  if (plan.isNorthAmerican && !NORTH_AMERICAN.has(sizes.join('-'))) return false;
  if (groups.length > MOST_GROUPS || sizes.slice(1).some((size) => size < 2)) return false;
  const inner = groups.slice(0, -1).map(({ behind }) => behind);
  const isSpaced = inner.length > 0 && inner.every((behind) => behind.trim() === '');
  return !isSpaced || run.length - groups.length <= 2;
}

/** A bracket that opens in a number closes in it. */
function closed(text: string, { start, end }: { readonly start: number; readonly end: number }): number {
  const written = text.slice(start, end);
  return text[end] === ')' && written.lastIndexOf('(') > written.lastIndexOf(')') ? end + 1 : end;
}

function withExtension(text: string, end: number): number {
  return end + (EXTENSION.exec(text.slice(end, end + EXTENSION_LENGTH))?.[0].length ?? 0);
}
