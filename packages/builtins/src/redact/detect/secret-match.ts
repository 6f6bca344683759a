import { COVERED } from '../finding.ts';

const QUOTES = '"\'`';

/** A value: between quotes, or up to the next space or separator. Its form is the same behind every name. */
const VALUE = `(?:"([^"\\n${COVERED}]{3,4000})"|'([^'\\n${COVERED}]{3,4000})'|\`([^\`\\n${COVERED}]{3,4000})\`|([^\\s,;&<>${QUOTES}${COVERED}]{4,4000}))`;

/** What follows a name in `name=…`, `"name": "…"`, `NAME_2 => …`: the sign may follow closing quotes. */
export const ASSIGNED: string = `(?:_?\\d{1,2})?[${QUOTES}\\]*]{0,3}\\s{0,5}(?<sign>=>|:=|==?|:)\\s{0,5}(?:\\*{2}\\s{0,3})?${VALUE}`;

const STAND_INS =
  /^(?:null|none|nil|true|false|undefined|required|optional|string|number|text|hidden|redacted|changeme|example|\*+|x{3,}|\.{3,}|•+|<[^>]*>?|\$\{?[A-Za-z_]\w*\}?|\{\{.*|%[A-Z_]+%|your[-_ ].*|my[-_ ]?(?:password|secret|api[-_]?key)|process\.env.*|os\.environ.*|env\..*)$/i;

/** Whether a text stands where a secret would stand and is none: a template variable, stars, `null`. */
export function isStandIn(text: string): boolean {
  return text === '' || STAND_INS.test(text);
}

/** A value with the name and the sign in front of it; both empty where the pattern has no groups called `word` and `sign`. */
export interface Match {
  /** Where the name begins, and where the value does. */
  readonly index: number;
  readonly start: number;
  readonly value: string;
  readonly word: string;
  readonly sign: string;
  readonly quoted: boolean;
}

/** Where each pattern's last group that matched stands: the value is the end of the match, less a closing quote. */
export function matchesOf(text: string, pattern: RegExp): Match[] {
  return [...text.matchAll(pattern)].map((match) => {
    const last = match.slice(1).findLast((group) => group !== undefined) as string;
    const quoted = QUOTES.includes(match[0].at(-1) as string);
    const value = quoted ? last : last.replace(/[.?)\]}]{1,10}$/, '');
    return {
      index: match.index,
      start: match.index + match[0].length - last.length - (quoted ? 1 : 0),
      value,
      word: match.groups?.word?.toLowerCase() ?? '',
      sign: match.groups?.sign ?? '',
      quoted,
    };
  });
}

/** Prose holds "password: please enter it"; secrets hold a digit, a sign, capitals inside, or words joined by hyphens. */
export function hasOddSign(value: string): boolean {
  return /\d|[^\p{L}\d'’.,!?:;()-]|\p{Ll}\p{Lu}|\p{L}-\p{L}{1,40}-\p{L}/u.test(value);
}
