import {
  type CountryCode,
  findPhoneNumbersInText,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js';
import type { Detector, Finding, Scope } from '../finding.ts';
import { keyEndsIn, keyHas } from '../key-words.ts';

const LEAST_DIGITS = 7;
/** A run of what telephone numbers are written with. */
const RUN = /[+(\d][\d\s().\-/·•‐-―−~+]{6,}/gu;
/** A longer run is a table or a list of numbers and is looked at piece by piece. */
const LONG_RUN = 60;
/** A bracket around no area code hides the number behind it from libphonenumber-js. */
const STRAY_BRACKET = /\((?![\d ]{1,6}\))/;
/** In a long run: an area code in brackets with what follows it, what begins with a plus, or what no space parts. */
const PIECE = /\+?\([\d ]{1,6}\) ?[^\s+(/~]+|\+\d[\d .\-()/]{5,24}|[^\s+(/~]+/gu;
/** A date, with or without the hour behind it: far more frequent than telephone numbers, and cheap to tell. */
const DATE = /^\s*\d{4}([-/.])\d{1,2}\1\d{1,2}(?:\s+\d{1,2})?[\s.)]*$/;
/** An amount such as 1.234.567,00. */
const THOUSANDS = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?$/;
const BARE = /^\d+$/;
const EXTENSION = /^\s{0,2}(?:x|ext|#)/i;
const EXTENSION_LENGTH = 12;

const PHONE_KEYS = new Set([
  'phone',
  'telephone',
  'tel',
  'mobile',
  'cell',
  'cellphone',
  'fax',
  'whatsapp',
  'msisdn',
]);
const ID_KEYS = new Set([
  ...[
    'id',
    'ids',
    'no',
    'number',
    'ref',
    'reference',
    'code',
    'sku',
    'zip',
    'zipcode',
    'postcode',
    'tracking',
    'order',
    'isbn',
    'ean',
    'upc',
  ],
  ...[
    'price',
    'amount',
    'total',
    'size',
    'count',
    'at',
    'time',
    'timestamp',
    'date',
    'version',
    'hash',
    'key',
    'seed',
    'offset',
    'length',
    'index',
  ],
]);
const ID_BEFORE =
  /(?:\b(?:order|reservation|booking|confirmation|reference|ref|ticket|invoice|account|acct|tracking|flight|case|claim|policy|member|customer|user|item|product|part|serial|model|isbn|sku|pnr|id|ids|code|certificate|receipt|transaction|timestamp)(?:\s+(?:id|ids|no|nr|number|num|code))?\.?\s*(?:is\s+)?[:#=-]?\s*|[#_$€£¥]\s?)$/i;

/**
 * Telephone numbers, as libphonenumber-js finds them: international ones, and national ones of the default country.
 * Digits without separators count only where neither the key nor the words before them say that they are an id.
 */
export function phones(defaultCountry: CountryCode): Detector {
  return {
    label: 'PHONE',
    find(text: string, scope: Scope): readonly Finding[] {
      if (text.length < LEAST_DIGITS) return [];
      if (scope.key !== undefined && keyHas(scope.key, PHONE_KEYS)) return namedNumber(text, defaultCountry);
      if (scope.isNumber) return [];
      const isId = scope.key !== undefined && keyEndsIn(scope.key, ID_KEYS);
      const found: Finding[] = [];
      for (const { start, end } of piecesOf(text, defaultCountry)) {
        for (const finding of inPiece(text, { start, end, defaultCountry })) {
          if (!isNamedId(text, finding, isId)) found.push(finding);
        }
      }
      return found;
    },
  };
}

/** Under a key such as `phone` everything with enough digits is one, valid or not. */
function namedNumber(text: string, defaultCountry: CountryCode): readonly Finding[] {
  const digits = text.replace(/\D/g, '');
  if (digits.length < LEAST_DIGITS || digits.length > 20 || text.length > LONG_RUN) return [];
  return [
    {
      start: 0,
      end: text.length,
      values: [parsePhoneNumberFromString(text, defaultCountry)?.number ?? digits],
    },
  ];
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function* piecesOf(text: string, country: CountryCode): Generator<Range> {
  for (const { index, 0: run } of text.matchAll(RUN)) {
    if (run.length > LONG_RUN) yield* piecesOfLongRun(run, index, country);
    else yield* partsOfRun(run, index);
  }
}

function* partsOfRun(run: string, offset: number): Generator<Range> {
  let start = 0;
  for (const part of run.split(STRAY_BRACKET)) {
    const end = start + part.length;
    if (mayBeNumber(part)) yield { start: offset + end - part.trimStart().length, end: offset + end };
    start = end + 1;
  }
}

function* piecesOfLongRun(run: string, offset: number, country: CountryCode): Generator<Range> {
  const pieces = new RegExp(PIECE);
  for (let match = pieces.exec(run); match !== null; match = pieces.exec(run)) {
    const piece = match[0].startsWith('+') ? longestNumber(match[0], country) : match[0];
    const end = match.index + piece.length;
    if (piece.length <= LONG_RUN && mayBeNumber(piece))
      yield { start: offset + match.index, end: offset + end };
    pieces.lastIndex = Math.max(end, match.index + 1);
  }
}

/** The next number of a list may follow an international one after a single space, as its own groups do. */
function longestNumber(piece: string, country: CountryCode): string {
  for (let end = piece.length; end > LEAST_DIGITS; end = piece.lastIndexOf(' ', end - 1)) {
    const number = piece.slice(0, end);
    if (parsePhoneNumberFromString(number, country)?.isValid() === true) return number;
  }
  return piece.slice(0, Math.max(1, piece.indexOf(' ')));
}

function mayBeNumber(piece: string): boolean {
  let digits = 0;
  for (let index = 0; index < piece.length; index++) {
    const code = piece.charCodeAt(index);
    if (code >= 48 && code <= 57) digits++;
  }
  return digits >= LEAST_DIGITS && !DATE.test(piece);
}

interface Piece extends Range {
  readonly defaultCountry: CountryCode;
}

function inPiece(text: string, piece: Piece): Finding[] {
  const { start, end } = piece;
  const found = BARE.test(text.slice(start, end)) ? bareNumber(text, piece) : writtenNumbers(text, piece);
  return found.filter(
    (one) =>
      one.start < end &&
      !/[\p{L}_]/u.test(text[one.start - 1] ?? '') &&
      !/[\p{L}_]/u.test(text[one.end] ?? ''),
  );
}

/** Digits alone need no search, which costs five times as much. */
function bareNumber(text: string, { start, end, defaultCountry }: Piece): Finding[] {
  const number =
    end - start > 15 ? undefined : parsePhoneNumberFromString(text.slice(start, end), defaultCountry);
  return number?.isValid() === true && isDialled(text.slice(start, end), number)
    ? [{ start, end, values: [number.number] }]
    : [];
}

/** The library needs to see what stands next to a number: a letter makes it a part of a word. */
function writtenNumbers(text: string, { start, end, defaultCountry }: Piece): Finding[] {
  const from = Math.max(0, start - 1);
  const behind = text.slice(end, end + EXTENSION_LENGTH);
  const until = EXTENSION.test(behind) ? end + EXTENSION_LENGTH : end + 1;
  return findPhoneNumbersInText(text.slice(from, until), { defaultCountry })
    .filter(({ startsAt, endsAt, number }) => isDialled(text.slice(from + startsAt, from + endsAt), number))
    .map(({ startsAt, endsAt, number }) => ({
      start: from + startsAt,
      end: from + endsAt,
      values: [number.number],
    }));
}

/**
 * Whether a number is written the way it is dialled, with `+`, an international or the national prefix. Without this, seven digits of
 * any meaning are a number in countries whose numbers have no fixed length.
 */
function isDialled(written: string, number: PhoneNumber): boolean {
  const digits = written.replace(/\D/g, '');
  if (written.startsWith('+') || /^(?:00|011)/.test(digits)) return true;
  const national = number.formatNational();
  return !THOUSANDS.test(written) && !BARE.test(national) && digits.includes(national.replace(/\D/g, ''));
}

function isNamedId(text: string, { start, end }: Finding, isId: boolean): boolean {
  return (
    BARE.test(text.slice(start, end)) && (isId || ID_BEFORE.test(text.slice(Math.max(0, start - 40), start)))
  );
}
