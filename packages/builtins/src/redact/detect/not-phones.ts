/** Dates in figures, with or without a year, and IP addresses: more frequent than telephone numbers, and written like them. */
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const YEAR = '(?:1[89]|20)\\d{2}';
const OCTET = '(?:0|[1-9]\\d?|1\\d{2}|2[0-4]\\d|25[0-5])';
/** 2025-12-09 and 09.12.2025, with one separator; 06.12.34.56.78 goes on and is not a date. */
const DATES = ['-', '/', '\\.', '–'].flatMap((sign) => [
  `(?<!\\d${sign})${YEAR}${sign}${DAY}${sign}${DAY}(?!\\d)`,
  `(?<!\\d${sign})${DAY}${sign}${DAY}${sign}(?:${YEAR}|\\d{2})(?!\\d|${sign}\\d)`,
]);
const FORMS = [
  ...DATES,
  // 09.12. at the start of a range
  `(?<!\\d\\.)${DAY}\\.(?:${DAY}\\.)?(?=\\s?[-–]\\s?\\d)`,
  `${DAY} ${DAY} ${YEAR}(?! ?\\d)`,
  // 20251209, or with a time after it
  `${YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\\d|3[01])(?:[-_ T]?\\d{4}(?:\\d{2})?)?(?!\\d)`,
  `(?<!\\d\\.)${OCTET}(?:\\.${OCTET}){3}(?!\\d|\\.\\d)`,
];
const NOT_PHONES = new RegExp(`(?<!\\d)(?:${FORMS.join('|')})`, 'g');

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Dates and addresses between two offsets of a text that look like telephone numbers. */
export function notPhonesIn(text: string, { start, end }: Range): readonly Range[] {
  return [...text.slice(start, end).matchAll(NOT_PHONES)].map(({ index, 0: found }) => ({
    start: start + index,
    end: start + index + found.length,
  }));
}
