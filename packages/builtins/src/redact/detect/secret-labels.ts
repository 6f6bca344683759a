import { COVERED } from '../finding.ts';
import { keyEndsIn } from '../key-words.ts';
import { ASSIGNED, hasOddSign, isStandIn, type Match, matchesOf } from './secret-match.ts';

/** Names of secrets that are common words too, so that they count as whole words only and their value has to look like a secret. */
const WORDS = ['token', 'pass', 'pw', 'pin', 'otp', 'session', 'senha'];

const WHOLE_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<word>${WORDS.join('|')})(?:[ _-]?(?:code|number))?${ASSIGNED}`,
  'giu',
);
const capitalised = WORDS.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('|');
/** The last word of a key in camel case. */
const CAMEL_CASE = new RegExp(`(?<=[\\p{Ll}\\p{N}])(?<word>${capitalised})(?:Code|Number)?${ASSIGNED}`, 'gu');
const MAY_HAVE = new RegExp(WORDS.join('|'), 'i');

/** Words that make another thing of the word behind them: a boarding pass, a page token, a number of tokens. */
const OTHER_THINGS =
  '(?:boarding|day|week|month|season|ski|bus|rail|travel|museum|lounge|guest|hall|first|second|third|next|page|continuation|sync|max|min|total|num|per|prompt|completion|input|output)[\\s_-]?';
const OTHER_BEFORE = new RegExp(`${OTHER_THINGS}$`, 'i');
const OTHER_KEY = new RegExp(`${OTHER_THINGS}(?:${WORDS.join('|')})`, 'i');

/** `curl -u name:password`, also with other short options in front, quoted, or on a further line of the command. */
const CURL = new RegExp(
  `(?<![\\w-])curl\\s(?:[^\\n]|\\\\\\n){0,300}?(?<=\\s)(?:-[a-z]{0,6}u\\s?|--(?:proxy-)?user[ =])\\s{0,3}(?:"[^":\\n]{1,100}:([^"\\n${COVERED}]{1,200})"|'[^':\\n]{1,100}:([^'\\n${COVERED}]{1,200})'|[^\\s:"']{1,100}:([^\\s"'${COVERED}]{1,200}))`,
  'giu',
);

/** Values behind a common word (`token=…`, `DB_PASS=…`, `PIN: 1234`) that look like a secret, and passwords of a curl command. */
export function commonSecrets(text: string): Match[] {
  const found = text.includes('curl') ? matchesOf(text, CURL).filter(({ value }) => !isStandIn(value)) : [];
  if (!MAY_HAVE.test(text)) return found;
  for (const pattern of [WHOLE_WORD, CAMEL_CASE]) {
    found.push(
      ...matchesOf(text, pattern).filter(
        (match) =>
          looksSecret(match) && !OTHER_BEFORE.test(text.slice(Math.max(0, match.index - 20), match.index)),
      ),
    );
  }
  return found;
}

/** Whether the value of a key that ends in a common word looks like a secret. */
export function isCommonSecret(key: string, value: string): boolean {
  const word = WORDS.find((one) => keyEndsIn(key, new Set([one])));
  return (
    word !== undefined &&
    !OTHER_KEY.test(key) &&
    !/\s/.test(value) &&
    looksSecret({ word, value, sign: ':', quoted: true })
  );
}

function looksSecret({
  word,
  value,
  sign,
  quoted,
}: Pick<Match, 'word' | 'value' | 'sign' | 'quoted'>): boolean {
  if (isStandIn(value)) return false;
  const isSure = sign !== ':';
  if (word === 'pin') return /^\d{4,12}$/.test(value);
  if (word === 'otp') return /^(?=\D{0,9}\d)[a-z\d]{4,10}$/i.test(value);
  if (word === 'token' || word === 'session')
    return isOpaque(value, isSure ? 6 : 8) || (isSure && isLongNumber(value));
  if (isSure || quoted) return value.length >= 4;
  return word === 'pass' ? isOpaque(value, 6) : hasOddSign(value);
}

/** Letters and digits mixed, and neither a time nor a call or an index in a program. */
function isOpaque(value: string, shortest: number): boolean {
  return (
    value.length >= shortest &&
    /\d/.test(value) &&
    /\p{L}/u.test(value) &&
    !/^\d{1,4}[-:/.]\d|^[a-z_][\w.]{0,80}[([]/i.test(value)
  );
}

const isLongNumber = (value: string): boolean => /^\d{6,}$/.test(value);
