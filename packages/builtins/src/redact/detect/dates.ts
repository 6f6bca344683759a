/** A date in a text, with every calendar day that it may mean. */
export interface WrittenDate {
  readonly start: number;
  readonly end: number;
  /** `YYYY-MM-DD`, or `--MM-DD` without a year; the most likely reading first. Empty for an impossible date. */
  readonly days: readonly string[];
}

/** Which number comes first in 04/05/1990. */
export type DateOrder = 'month-first' | 'day-first';

const LOCALES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'pl',
  'sv',
  'da',
  'nb',
  'cs',
  'tr',
  'ru',
  'fi',
  'hu',
  'el',
  'ro',
  'uk',
  'id',
];

/** Month names and abbreviations of several languages, in lower case and without dots, with their number. Asking for them takes as long as loading all else: whoever has no dates does not wait for it. */
let knownMonths: ReadonlyMap<string, number> | undefined;
/** Any word next to a number. Whether it is a month is looked up, because a list of all names makes a slow expression. */
const MONTH = '(?<!\\p{L})(\\p{L}{3,12})(?!\\p{L})\\.?';

const GAP = '[\\s,.\\-/]{0,4}';
const ORDINAL = '(?:st|nd|rd|th|er|º|ª|\\.)?';
const OF = '(?:of\\s{1,2}|del?\\s{1,2}|in\\s{1,2}|the year\\s{1,2})?';
const YEAR = "(\\d{4}|['’]?\\d{2})(?![\\d:])";
const PART = '\\s?[-/.年月년월‐-―\\s]\\s?';

interface Form {
  readonly pattern: RegExp;
  /** The meaning of each group. */
  readonly parts: 'ymd' | 'numbers' | 'mdy' | 'dmy' | 'digits';
}

const FORMS: readonly Form[] = [
  {
    pattern: new RegExp(`(?<!\\d)(\\d{4})${PART}(\\d{1,2})${PART}(\\d{1,2})[日일]?(?!\\d)`, 'giu'),
    parts: 'ymd',
  },
  {
    pattern: new RegExp(`(?<!\\d)(\\d{4})${GAP}${MONTH}${GAP}(\\d{1,2})(?!\\d)${ORDINAL}`, 'giu'),
    parts: 'ymd',
  },
  { pattern: new RegExp(`(?<!\\d)(\\d{1,2})${PART}(\\d{1,2})${PART}${YEAR}`, 'giu'), parts: 'numbers' },
  {
    pattern: new RegExp(`${MONTH}${GAP}(\\d{1,2})(?!\\d)${ORDINAL}(?:${GAP}${OF}${YEAR})?`, 'giu'),
    parts: 'mdy',
  },
  {
    pattern: new RegExp(`(?<!\\d)(\\d{1,2})${ORDINAL}${GAP}${OF}${MONTH}(?:${GAP}${OF}${YEAR})?`, 'giu'),
    parts: 'dmy',
  },
  { pattern: /(?<!\d)\d{8}(?!\d)/g, parts: 'digits' },
];

/** All dates of a text, in order. Of overlapping readings, the longer one. */
export function datesIn(text: string, order: DateOrder): WrittenDate[] {
  const found: WrittenDate[] = [];
  for (const { pattern, parts } of FORMS) {
    for (const match of text.matchAll(pattern)) {
      if (!hasMonth(match, parts)) continue;
      found.push({
        start: match.index,
        end: match.index + match[0].length,
        days: readDays(match, parts, order),
      });
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  return withoutOverlaps(found);
}

function withoutOverlaps(dates: readonly WrittenDate[]): WrittenDate[] {
  const kept: WrittenDate[] = [];
  for (const date of dates) {
    const last = kept.at(-1);
    if (last === undefined || date.start >= last.end) kept.push(date);
    else if (rank(date) > rank(last)) kept[kept.length - 1] = date;
  }
  return kept;
}

/** A possible date comes before an impossible one, then the longer one. */
const rank = ({ start, end, days }: WrittenDate): number => (days.length > 0 ? 1000 : 0) + (end - start);

function readDays(match: RegExpMatchArray, parts: Form['parts'], order: DateOrder): string[] {
  const [whole, a = '', b = '', c] = match;
  if (parts === 'ymd') return days(readYears(a), readMonth(b), Number(c));
  if (parts === 'mdy') return days(readYears(c), readMonth(a), Number(b));
  if (parts === 'dmy') return days(readYears(c), readMonth(b), Number(a));
  if (parts === 'numbers') return inBothOrders({ first: Number(a), second: Number(b), year: c, order });
  return [
    ...days([Number(whole.slice(0, 4))], Number(whole.slice(4, 6)), Number(whole.slice(6))),
    ...inBothOrders({
      first: Number(whole.slice(0, 2)),
      second: Number(whole.slice(2, 4)),
      year: whole.slice(4),
      order,
    }),
  ];
}

function inBothOrders(date: {
  first: number;
  second: number;
  year: string | undefined;
  order: DateOrder;
}): string[] {
  const { first, second } = date;
  const years = readYears(date.year);
  const monthFirst = days(years, first, second);
  const dayFirst = first === second ? [] : days(years, second, first);
  return date.order === 'month-first' ? [...monthFirst, ...dayFirst] : [...dayFirst, ...monthFirst];
}

/** Whether a word is the name of a month. */
function hasMonth(match: RegExpMatchArray, parts: Form['parts']): boolean {
  const word = parts === 'mdy' ? match[1] : parts === 'dmy' || parts === 'ymd' ? match[2] : undefined;
  return word === undefined || /^\d/.test(word) || findMonth(word) !== undefined;
}

function readMonth(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : (findMonth(text) ?? 0);
}

/** `undefined` means no year. Two digits may mean either century; the one that is not in the future comes first. */
function readYears(text: string | undefined): readonly (number | undefined)[] {
  if (text === undefined) return [undefined];
  const digits = text.replace(/\D/g, '');
  if (digits.length === 4) return [Number(digits)];
  const [old, young] = [1900 + Number(digits), 2000 + Number(digits)];
  return young <= new Date().getUTCFullYear() ? [young, old] : [old];
}

const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function days(years: readonly (number | undefined)[], month: number, day: number): string[] {
  if (!(day >= 1 && day <= (DAYS_IN_MONTH[month - 1] ?? 0))) return [];
  const rest = `${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  return years
    .filter((year) => year === undefined || (year >= 1850 && year <= 2100))
    .map((year) => (year === undefined ? `--${rest}` : `${year}-${rest}`));
}

function findMonth(word: string): number | undefined {
  knownMonths ??= nameMonths();
  return knownMonths.get(word.toLowerCase());
}

function nameMonths(): Map<string, number> {
  const names = new Map<string, number>([['sept', 9]]);
  for (const locale of LOCALES) {
    for (const style of ['long', 'short'] as const) {
      // Beside a day, some languages use another form: kwiecień, 5 kwietnia.
      for (const form of [{ month: style }, { month: style, day: 'numeric' }] as const) {
        const format = new Intl.DateTimeFormat(locale, { ...form, timeZone: 'UTC' });
        for (let month = 1; month <= 12; month++) addMonth(names, format, month);
      }
    }
  }
  return names;
}

function addMonth(names: Map<string, number>, format: Intl.DateTimeFormat, month: number): void {
  const parts = format.formatToParts(Date.UTC(2000, month - 1, 15));
  const name = (parts.find(({ type }) => type === 'month')?.value ?? '').toLowerCase().replace(/\.$/, '');
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '');
  for (const spelling of [name, plain])
    if (/\p{L}/u.test(spelling) && !names.has(spelling)) names.set(spelling, month);
}
