import type { Detector, Finding, Scope } from '../finding.ts';
import { keyEndsIn } from '../key-words.ts';

const LABEL = 'CARD';
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;

/** First digits of a network's numbers (from, to; of equal length) and how long the numbers are. */
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
    for (const run of runsOf(text)) findInRun(run, found);
    return found;
  },
};

function keyedNumber(text: string, { key }: Scope): Finding | undefined {
  if (key === undefined || !/^[\s\d-]{12,40}$/.test(text) || !keyEndsIn(key, CARD_KEYS)) return undefined;
  const digits = text.replace(/\D/g, '');
  return digits.length >= 12 && digits.length <= MAX_DIGITS
    ? { start: 0, end: text.length, values: [digits] }
    : undefined;
}

interface Group {
  readonly start: number;
  readonly digits: string;
  /** What stands between this group and the next. */
  separator: string;
}

const GROUP = /\d+/g;
const SEPARATOR = /^[\s\-_./·•*|‐-―−]{1,3}$/u;
/** Longer groups cannot be part of a card number. */
const isSeparator = (text: string): boolean => text.length <= 3 && SEPARATOR.test(text);

/** Groups of digits that only separators part. */
function* runsOf(text: string): Generator<Group[]> {
  let run: Group[] = [];
  for (const match of text.matchAll(GROUP)) {
    const last = run.at(-1);
    if (last !== undefined) {
      last.separator = text.slice(
        last.start + last.digits.length,
        Math.min(match.index, last.start + last.digits.length + 4),
      );
      if (!isSeparator(last.separator)) {
        yield run;
        run = [];
      }
    }
    if (!insideWord(text, match.index, match[0].length))
      run.push({ start: match.index, digits: match[0], separator: '' });
  }
  if (run.length > 0) yield run;
}

/** Digits with a letter on either side are part of a word, such as a hash. */
function insideWord(text: string, start: number, length: number): boolean {
  return /\p{L}/u.test(text[start - 1] ?? '') && /\p{L}/u.test(text[start + length] ?? '');
}

function findInRun(run: readonly Group[], found: Finding[]): void {
  for (let first = 0; first < run.length; ) {
    const last = longestCard(run, first);
    if (last === undefined) {
      first++;
      continue;
    }
    const groups = run.slice(first, last + 1);
    const end = groups.at(-1) as Group;
    found.push({
      start: (run[first] as Group).start,
      end: end.start + end.digits.length,
      values: [digitsOf(groups)],
    });
    first = last + 1;
  }
}

/** The index of the last group of the longest card number that begins with the group at `first`. */
function longestCard(run: readonly Group[], first: number): number | undefined {
  let digits = '';
  let longest: number | undefined;
  for (let last = first; last < run.length; last++) {
    digits += (run[last] as Group).digits;
    if (digits.length > MAX_DIGITS) break;
    if (digits.length >= MIN_DIGITS && isWritten(run, first, last) && isCardNumber(digits)) longest = last;
  }
  return longest;
}

const digitsOf = (groups: readonly Group[]): string => groups.map((group) => group.digits).join('');

function isWritten(run: readonly Group[], first: number, last: number): boolean {
  if (first === last) return run[first - 1]?.separator !== '.' && (run[first] as Group).separator !== '.';
  const groups = run.slice(first, last + 1);
  if (PRINTED.has(groups.map((group) => group.digits.length).join('-'))) return true;
  const size = (groups[0] as Group).digits.length;
  const separator = (groups[0] as Group).separator;
  const even = groups.every(
    ({ digits }, index) => digits.length === size || (index === groups.length - 1 && digits.length < size),
  );
  const same = separator.length === 1 && groups.slice(0, -1).every((group) => group.separator === separator);
  const alone = first === 0 && last === run.length - 1;
  return even && same && groups.length > 2 && (size >= 4 || alone);
}

/** Whether digits are a number that a known network could have issued. */
export function isCardNumber(digits: string): boolean {
  return (
    passesLuhn(digits) &&
    NETWORKS.some(({ from, to, lengths }) => {
      const prefix = Number(digits.slice(0, String(from).length));
      return prefix >= from && prefix <= to && lengths.includes(digits.length);
    })
  );
}

/** Luhn's check: every second digit from the right doubled, their digit sums add up to a multiple of ten. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = digits.charCodeAt(index) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}
