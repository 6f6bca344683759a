import type { Detector, Finding } from './finding.ts';
import { isWordLetter, WORD_LETTERS } from './word-bounds.ts';

const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;

const LOCAL_CHAR = /[\p{L}\p{M}\p{N}._%+'!#$&*/=?^`{|}~-]/u;
/** A domain in ASCII ends where a script begins that does not separate words. In another script it ends with its letters. */
const DOMAIN = new RegExp(
  `^(?:(?:[a-z\\d](?:[a-z\\d-]{0,62}[a-z\\d])?\\.){1,10}(?:xn--[a-z\\d-]{2,59}|[a-z]{2,63})(?![${WORD_LETTERS}\\p{M}\\p{N}-])` +
    '|(?:(?:xn--)?[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,62}[\\p{L}\\p{M}\\p{N}])?\\.){1,10}[\\p{L}\\p{M}]{2,63}(?![\\p{L}\\p{M}\\p{N}-]))',
  'iu',
);
/** `postgres://user:secret@localhost:5432` names a service. */
const LOCAL_HOST = new RegExp(
  `^localhost(?:\\.localdomain)?(?![${WORD_LETTERS}\\d_-]|[.:/][${WORD_LETTERS}\\d]|/)`,
  'iu',
);
const ADDRESS_LITERAL = /^\[(?:IPv6:[\da-f:.]{2,45}|\d{1,3}(?:\.\d{1,3}){3})\]/i;
/** `icon@2x.png` is the name of a picture. */
const SCALED_IMAGE = /^\dx\.[a-z]{2,5}$/i;

/**
 * E-mail addresses, also with letters of any script, plus addressing, quoted local parts and address literals. It searches
 * outwards from every `@` for a limited distance, so its time only grows with the text's length.
 */
export const emails: Detector = {
  label: 'EMAIL',
  find(text: string): readonly Finding[] {
    const found: Finding[] = [];
    let from = 0;
    for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
      const domain = domainAfter(text, at);
      if (domain === undefined) continue;
      const start = findStartOfLocalPart(text, at, from);
      if (start === at || isRepository(text, { start, at, end: at + 1 + domain.length })) continue;
      from = at + 1 + domain.length;
      found.push({ start, end: from, values: [text.slice(start, from).normalize('NFKC').toLowerCase()] });
    }
    return found;
  },
};

function domainAfter(text: string, at: number): string | undefined {
  const rest = text.slice(at + 1, at + 1 + MAX_DOMAIN);
  const domain = (ADDRESS_LITERAL.exec(rest) ?? DOMAIN.exec(rest) ?? LOCAL_HOST.exec(rest))?.[0];
  return domain === undefined || SCALED_IMAGE.test(domain) ? undefined : domain;
}

function findStartOfLocalPart(text: string, at: number, from: number): number {
  const earliest = Math.max(from, at - MAX_LOCAL);
  if (text[at - 1] === '"') {
    const opening = text.lastIndexOf('"', at - 2);
    if (opening >= earliest && !/[\n\r@]/.test(text.slice(opening, at - 1))) return opening;
    return at;
  }
  let start = at;
  while (start > earliest && goesOn(text, { start, at })) start -= charBefore(text, start).length;
  while (start < at && /[.'`*/=&?|{]/.test(text[start] as string)) start++;
  return afterAssignment(text, start, at);
}

/** Before a local part in ASCII, letters of a script that does not separate words are surrounding text. */
function goesOn(text: string, { start, at }: { readonly start: number; readonly at: number }): boolean {
  const char = charBefore(text, start);
  if (!LOCAL_CHAR.test(char)) return false;
  const isOtherScript = /\p{L}/u.test(char) && !isWordLetter(char);
  return !isOtherScript || start === at || /[^\0-\x7f]/.test(text[at - 1] as string);
}

function charBefore(text: string, offset: number): string {
  const low = text.charCodeAt(offset - 1);
  return low >= 0xdc00 && low <= 0xdfff
    ? text.slice(Math.max(0, offset - 2), offset)
    : (text[offset - 1] as string);
}

/** In `?email=anna@example.com&…` or `a/anna@example.com`, the address begins after the last separator of the URL. */
function afterAssignment(text: string, start: number, at: number): number {
  const local = text.slice(start, at);
  const sign = Math.max(
    local.lastIndexOf('='),
    local.lastIndexOf('&'),
    local.lastIndexOf('/'),
    local.lastIndexOf('?'),
    local.lastIndexOf('|'),
  );
  return start + sign + 1;
}

/** `git@host:path` names a repository, not a person. */
function isRepository(text: string, { start, at, end }: { start: number; at: number; end: number }): boolean {
  return text.slice(start, at) === 'git' && text[end] === ':' && text[end + 1] !== ' ';
}
