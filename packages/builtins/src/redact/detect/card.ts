import { type DigitGroup, digitRuns } from './digit-runs.ts';
import type { Detector, Finding, Scope } from './finding.ts';
import { keyEndsIn } from './key-words.ts';
import { isWordLetter } from './word-bounds.ts';

const LABEL = 'CARD';
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** First digits of a network's numbers (from, to; of equal length), and the lengths of its numbers. */
interface Network {
  readonly from: number;
  readonly to: number;
  readonly lengths: readonly number[];
}

const LONG = [16, 17, 18, 19];
const NETWORKS: readonly Network[] = [
  { from: 4, to: 4, lengths: [13, 16, 18, 19] },
  { from: 34, to: 34, lengths: [15] },
  { from: 37, to: 37, lengths: [15] },
  { from: 36, to: 36, lengths: [14, ...LONG] },
  { from: 38, to: 39, lengths: [14, ...LONG] },
  { from: 51, to: 55, lengths: [16] },
  { from: 60, to: 60, lengths: LONG },
  { from: 62, to: 62, lengths: LONG },
  { from: 65, to: 65, lengths: LONG },
  { from: 81, to: 82, lengths: LONG },
  { from: 300, to: 305, lengths: [14, ...LONG] },
  { from: 508, to: 508, lengths: [16] },
  { from: 636, to: 639, lengths: [13, 14, 15, ...LONG] },
  { from: 644, to: 649, lengths: LONG },
  { from: 1800, to: 1800, lengths: [15] },
  { from: 2131, to: 2131, lengths: [15] },
  { from: 2200, to: 2205, lengths: LONG },
  { from: 2221, to: 2720, lengths: [16] },
  { from: 3095, to: 3095, lengths: [14, ...LONG] },
  { from: 3528, to: 3589, lengths: LONG },
  { from: 5018, to: 5020, lengths: [13, 14, 15, ...LONG] },
  { from: 5038, to: 5038, lengths: [13, 14, 15, ...LONG] },
  { from: 5061, to: 5061, lengths: [16, 18, 19] },
  { from: 506699, to: 506778, lengths: [16] },
  { from: 509000, to: 509999, lengths: [16] },
  { from: 504175, to: 504175, lengths: [16] },
  { from: 627780, to: 627780, lengths: [16] },
  { from: 5612, to: 5612, lengths: [13, 14, 15, ...LONG] },
  { from: 5893, to: 5893, lengths: [13, 14, 15, ...LONG] },
  { from: 6304, to: 6304, lengths: [13, 14, 15, ...LONG] },
  { from: 6703, to: 6709, lengths: [13, 14, 15, ...LONG] },
  { from: 6759, to: 6763, lengths: [13, 14, 15, ...LONG] },
  { from: 9792, to: 9792, lengths: [16] },
];

/** How issuers print numbers in groups. Other groupings must be of one size, with one separator. */
const PRINTED = new Set([
  '4-4-4-4',
  '4-4-4-4-3',
  '4-4-4-4-2',
  '4-4-4-4-1',
  '4-6-5',
  '4-6-4',
  '4-4-4-1',
  '4-4-4-2',
  '4-4-4-3',
  '8-8',
  '6-13',
  '8-11',
  '4-4-5',
  '4-5-4',
]);

/** A number that begins with a smaller group must be the first of its run. */
const SHORTEST_BEGINNING = 4;

/** Numbers with the first or last digits apart; they must stand alone. */
const IN_TWO = new Set(['4-12', '12-4', '6-10']);

const CARD_KEYS = new Set([
  'cardnumber',
  'cardno',
  'cardnum',
  'ccnumber',
  'ccnum',
  'ccno',
  'pan',
  'creditcardnumber',
  'debitcardnumber',
  'primaryaccountnumber',
  'creditcard',
]);

/**
 * Payment card numbers: 13 to 19 digits of a known network that pass Luhn's check, written without separators, in the
 * groups that cards print, or in equal groups. Under a key such as `card_number`, any 12 to 19 digits.
 */
export const cards: Detector = {
  label: LABEL,
  find(text: string, scope: Scope): readonly Finding[] {
    if (text.length < MIN_DIGITS - 1) return [];
    const keyed = keyedNumber(text, scope);
    if (keyed !== undefined) return [keyed];
    const found: Finding[] = [];
    for (const run of digitRuns(text, SEPARATOR)) {
      findInRun(
        run.filter((group) => !insideWord(text, group)),
        found,
      );
    }
    return found;
  },
};

function keyedNumber(text: string, { key }: Scope): Finding | undefined {
  if (key === undefined || !/^[\s\d_-]{12,40}$/.test(text) || !keyEndsIn(key, CARD_KEYS)) return undefined;
  const digits = text.replace(/\D/g, '');
  return digits.length >= 12 && digits.length <= MAX_DIGITS
    ? { start: 0, end: text.length, values: [digits] }
    : undefined;
}

type Run = readonly DigitGroup[];

const SEPARATOR = /^(?:[\s\-_./·•*|‐-―−]{1,4}|[,;:+]|\]\[|\)\()$/u;
/** Characters that separate numbers of a list, not groups of one number. */
const OF_LISTS = /[,;:+\][)(]| {4}/;

/** Digits between letters are part of a word, such as a hash; a `_` before more digits joins groups. */
const insideWord = (text: string, { start, end }: DigitGroup): boolean =>
  isBase16(text, start) || isInHash(text, { start, end });

const isBase16 = (text: string, start: number): boolean =>
  /(?<![\p{L}\p{N}])0x$/iu.test(text.slice(Math.max(0, start - 3), start));

const isInHash = (text: string, { start, end }: Pick<DigitGroup, 'start' | 'end'>): boolean =>
  isWordLetter(text[start - 1]) &&
  isWordLetter(text[end]) &&
  !/\d_{1,4}$/.test(text.slice(Math.max(0, start - 5), start)) &&
  !/^_{1,4}\d/.test(text.slice(end, end + 5));

function findInRun(run: Run, found: Finding[]): void {
  const done = found.at(-1)?.end ?? 0;
  for (let first = 0; first < run.length; ) {
    const { start } = run[first] as DigitGroup;
    const last = start < done ? undefined : longestCard(run, first);
    if (last !== undefined) {
      const { end } = run[last] as DigitGroup;
      found.push({ start, end, values: [joinDigits(run.slice(first, last + 1))] });
    }
    first = (last ?? first) + 1;
  }
}

/** The index of the last group of the longest card number that begins with the group at `first`. */
function longestCard(run: Run, first: number): number | undefined {
  if (first > 0 && (run[first] as DigitGroup).digits.length < SHORTEST_BEGINNING) return undefined;
  let digits = '';
  let longest: number | undefined;
  for (let last = first; last < run.length; last++) {
    digits += (run[last] as DigitGroup).digits;
    if (digits.length > MAX_DIGITS) break;
    if (digits.length >= MIN_DIGITS && isWritten(run, first, last) && isCardNumber(digits)) longest = last;
  }
  return longest;
}

const joinDigits = (groups: Run): string => groups.map((group) => group.digits).join('');

function isWritten(run: Run, first: number, last: number): boolean {
  if (first === last) return run[first - 1]?.behind !== '.' && (run[first] as DigitGroup).behind !== '.';
  const groups = run.slice(first, last + 1);
  const sizes = groups.map(({ digits }) => digits.length);
  const separators = groups.slice(0, -1).map(({ behind }) => behind);
  const same = new Set(separators).size === 1;
  const alone = first === 0 && last === run.length - 1;
  const shape = sizes.join('-');
  if (separators.some((separator) => OF_LISTS.test(separator))) return same && alone && PRINTED.has(shape);
  if (PRINTED.has(shape) || (alone && same && IN_TWO.has(shape))) return true;
  const [size = 0] = sizes;
  const even = sizes.every((one, index) => one === size || (index === sizes.length - 1 && one < size));
  return even && same && separators[0]?.length === 1 && groups.length > 2 && (size >= 4 || alone);
}

/** Whether a known network could have issued this number. */
export function isCardNumber(digits: string): boolean {
  return (
    passesLuhn(digits) &&
    NETWORKS.some(({ from, to, lengths }) => {
      const prefix = Number(digits.slice(0, String(from).length));
      return prefix >= from && prefix <= to && lengths.includes(digits.length);
    })
  );
}

/** Luhn's check: double every second digit from the right; the sum of all digits must be a multiple of ten. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = digits.charCodeAt(index) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}
