import type { Finding } from '../finding.ts';
import { COVERED } from '../finding.ts';

const NAME =
  '(?:password|passwd|pwd|passphrase|passcode|secret|api[_-]?key|api[_-]?token|api[_-]?secret|access[_-]?key(?:[_-]?id)?|secret[_-]?key|secret[_-]?access[_-]?key|private[_-]?key(?:[_-]?id)?|client[_-]?secret|access[_-]?token|refresh[_-]?token|auth[_-]?token|session[_-]?token|account[_-]?key|shared[_-]?access[_-]?key|signing[_-]?key|encryption[_-]?key)';
const QUOTES = '"\'`';

/** `password=…`, `"api_key": "…"`, `client_secret => …`: the sign after the name may follow closing quotes. */
const ASSIGNMENT = new RegExp(
  `${NAME}[${QUOTES}\\]*]{0,3}\\s{0,5}(=>|:=|==?|:)\\s{0,5}(?:\\*{2}\\s{0,3})?(?:"([^"\\n${COVERED}]{3,300})"|'([^'\\n${COVERED}]{3,300})'|\`([^\`\\n${COVERED}]{3,300})\`|([^\\s,;&<>${QUOTES}${COVERED}]{4,300}))`,
  'giu',
);
/** "my password is hunter2", "the passcode is 4711". */
const SENTENCE = new RegExp(
  `(?<!\\p{L})(?:password|passphrase|passcode|pin(?: code)?|secret|api key|access token)\\s{1,3}(?:is|was|=)\\s{1,3}["'\`]?([^\\s"'\`${COVERED}]{4,200})`,
  'giu',
);
const AUTHORIZATION =
  /(?:(?<![A-Za-z])bearer|authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|token|apikey|digest|aws4-hmac-sha256))\s{1,3}([A-Za-z0-9._~+/=:-]{12,4000})/giu;
const MAY_HAVE = /pass|pwd|secret|key|token|pin|bearer|authorization/i;

const STAND_INS =
  /^(?:null|none|nil|true|false|undefined|required|optional|string|number|text|hidden|redacted|changeme|example|\*+|x{3,}|\.{3,}|•+|<[^>]*>?|\$\{?[A-Za-z_]\w*\}?|\{\{.*|%[A-Z_]+%|your[-_ ].*|my[-_ ]?(?:password|secret|api[-_]?key)|process\.env.*|os\.environ.*|env\..*)$/i;

/** Whether a text stands where a secret would stand and is none: a template variable, stars, `null`. */
export function isStandIn(text: string): boolean {
  return text === '' || STAND_INS.test(text);
}

/** Values that the words around them call a password, a key or a token. */
export function assignedSecrets(text: string): Finding[] {
  if (!MAY_HAVE.test(text)) return [];
  return [
    ...matches(text, ASSIGNMENT).filter(
      ({ value, sign, quoted }) => !isStandIn(value) && (quoted || sign !== ':' || hasOddSign(value)),
    ),
    ...matches(text, SENTENCE).filter(({ value }) => hasOddSign(value)),
    ...matches(text, AUTHORIZATION).filter(({ value }) => /\d/.test(value)),
  ].map(({ start, value }) => ({ start, end: start + value.length, values: [value] }));
}

interface Match {
  readonly start: number;
  readonly value: string;
  readonly sign: string;
  readonly quoted: boolean;
}

/** Where each pattern's last group that matched stands: the value is the end of the match, less a closing quote. */
function matches(text: string, pattern: RegExp): Match[] {
  return [...text.matchAll(pattern)].map((match) => {
    const groups = match.slice(1).filter((group) => group !== undefined);
    const last = groups.at(-1) as string;
    const quoted = QUOTES.includes(match[0].at(-1) as string);
    const value = quoted ? last : last.replace(/[.?)\]}]{1,10}$/, '');
    return {
      start: match.index + match[0].length - last.length - (quoted ? 1 : 0),
      value,
      sign: groups[0] as string,
      quoted,
    };
  });
}

/** Prose holds "password: please enter it"; secrets hold a digit, a sign, or capitals inside. */
function hasOddSign(value: string): boolean {
  return /\d|[^\p{L}\d'’.,!?:;()-]|\p{Ll}\p{Lu}/u.test(value);
}
