import { COVERED } from './finding.ts';

const QUOTES = '"\'`';

/** Between quotes, up to the quote that no backslash stands before; where there is none, the backslash is the value's own. */
export function quotedBy(quote: string, shortest = 3, longest = 4000): string {
  const many = `{${shortest},${longest}}`;
  return `${quote}((?:[^${quote}\\\\\\n${COVERED}]|\\\\[^\\n${COVERED}])${many})${quote}|${quote}([^${quote}\\n${COVERED}]${many})${quote}`;
}

/** A value: between quotes, or up to the next space or separator. Its form is the same behind every name. */
export const VALUE: string = `(?:${Array.from(QUOTES, (quote) => quotedBy(quote)).join('|')}|([^\\s,;&<>${QUOTES}${COVERED}]{4,4000}))`;

/** What follows a name in `name=…`, `"name": "…"`, `NAME_2 => …`: the sign may follow closing quotes. */
export const ASSIGNED: string = `(?:_?\\d{1,2})?[${QUOTES}\\]*]{0,3}\\s{0,5}(?<sign>=>|->|→|:{1,3}=|\\?=|==?|:)\\s{0,5}(?:\\*{2}\\s{0,3})?${VALUE}`;

/** A value with the name and the sign in front of it; empty where the pattern has no groups of that name. */
export interface Match {
  /** Where the name begins, and where the value does. */
  readonly index: number;
  readonly start: number;
  readonly value: string;
  /** The value without the escapes of a quoted text, where it has any. */
  readonly meant?: string;
  readonly word: string;
  readonly suffix: string;
  readonly sign: string;
  readonly quoted: boolean;
  /** Whether a space stands before the value, and the next sign behind it that is no space. */
  readonly isApart: boolean;
  readonly next: string;
}

/** Adds what may be a million findings: as arguments of `push` they would overflow the stack. */
export function addAll<T>(found: T[], more: readonly T[]): void {
  for (const one of more) found.push(one);
}

function signBehind(text: string, end: number): string {
  let at = end;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return text[at] ?? '';
}

/** Where each pattern's last group that matched stands: the value is the end of the match, less a closing quote. */
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

/** Without them a view with its escapes undone has the same value, and says what is meant. */
const ESCAPED_QUOTE = /\\(?:[\\"'`]|u002[27]|x2[27])/;

function withoutEscapes(value: string): string {
  try {
    return JSON.parse(`"${value}"`) as string;
  } catch {
    return value.replace(/\\([\\"'`])/g, '$1');
  }
}
