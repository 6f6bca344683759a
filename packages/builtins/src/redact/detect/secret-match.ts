import { COVERED } from './finding.ts';

const QUOTES = '"\'`';

/** Text between quotes, up to the first quote without a backslash before it. If there is none, the backslash belongs to the value. */
export function quotedBy(quote: string, shortest = 3, longest = 4000): string {
  const many = `{${shortest},${longest}}`;
  return `${quote}((?:[^${quote}\\\\\\n${COVERED}]|\\\\[^\\n${COVERED}])${many})${quote}|${quote}([^${quote}\\n${COVERED}]${many})${quote}`;
}

/** A value: between quotes, or up to the next space or separator. Its form is the same after every name. */
export const VALUE: string = `(?:${Array.from(QUOTES, (quote) => quotedBy(quote)).join('|')}|([^\\s,;&<>${QUOTES}${COVERED}]{4,4000}))`;

/** The text between a name and its value in `name=…`, `"name": "…"`, `NAME_2 => …`: the sign may follow closing quotes. */
export const ASSIGNED: string = `(?:_?\\d{1,2})?[${QUOTES}\\]*]{0,3}\\s{0,5}(?<sign>=>|->|→|:{1,3}=|\\?=|==?|:)\\s{0,5}(?:\\*{2}\\s{0,3})?${VALUE}`;

/** A value with the name and the sign before it; these are empty if the pattern has no such groups. */
export interface Match {
  /** The start of the name, and the start of the value. */
  readonly index: number;
  readonly start: number;
  readonly value: string;
  /** The value of a quoted text without escapes, if it has any. */
  readonly meant?: string;
  readonly word: string;
  readonly suffix: string;
  readonly sign: string;
  readonly quoted: boolean;
  /** Whether a space is before the value, and the next character after it that is not a space. */
  readonly isApart: boolean;
  readonly next: string;
}

/** Adds what may be a million findings: as arguments of `push`, they would overflow the stack. */
export function addAll<T>(found: T[], more: readonly T[]): void {
  for (const one of more) found.push(one);
}

function signBehind(text: string, end: number): string {
  let at = end;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return text[at] ?? '';
}

/** The matches of a pattern. The value is the last group that matched: the end of the match, without a closing quote. */
export function findSecretMatches(text: string, pattern: RegExp): Match[] {
  return [...text.matchAll(pattern)].map((match) => {
    const last = match.slice(1).findLast((group) => group !== undefined) as string;
    const quoted = QUOTES.includes(match[0].at(-1) as string);
    const value = quoted ? last : last.replace(/[.?)\]}*:]{1,10}$/, '');
    const end = match.index + match[0].length;
    const start = end - last.length - (quoted ? 1 : 0);
    return {
      index: match.index,
      start,
      value,
      ...(quoted && ESCAPED_QUOTE.test(value) ? { meant: withoutEscapes(value) } : {}),
      word: match.groups?.word?.toLowerCase() ?? '',
      suffix: match.groups?.suffix ?? '',
      sign: match.groups?.sign ?? '',
      quoted,
      isApart: /\s/.test(text[start - 1] ?? ''),
      next: signBehind(text, start + value.length),
    };
  });
}

/** Escaped quotes and backslashes. If a value has none, a view with its escapes undone already finds it, and its meaning. */
const ESCAPED_QUOTE = /\\(?:[\\"'`]|u002[27]|x2[27])/;

function withoutEscapes(value: string): string {
  try {
    return JSON.parse(`"${value}"`) as string;
  } catch {
    return value.replace(/\\([\\"'`])/g, '$1');
  }
}
