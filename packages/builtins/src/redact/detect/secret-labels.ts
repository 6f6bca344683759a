import { keyEndsIn } from './key-words.ts';
import { ASSIGNED, addAll, findSecretMatches, type Match } from './secret-match.ts';
import { hasOddSign, isCode, isOpaque, isStandIn, isWording } from './secret-value.ts';
import { judgeSuffix } from './secret-words.ts';

/** Names of secrets that are also common words. They count only as whole words, and their value must look like a secret. */
const WORDS = ['token', 'pass', 'pw', 'pin', 'otp', 'session', 'senha', 'clave', 'mdp'];

const WHOLE_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?<word>${WORDS.join('|')})(?:[ _-]?(?:code|number))?(?<suffix>(?:_[A-Za-z][A-Za-z0-9]{0,20}){0,2})${ASSIGNED}`,
  'giu',
);
const capitalised = WORDS.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('|');
/** The last word of a camel case key. */
const CAMEL_CASE = new RegExp(`(?<=[\\p{Ll}\\p{N}])(?<word>${capitalised})(?:Code|Number)?${ASSIGNED}`, 'gu');
const MAY_HAVE = new RegExp(WORDS.join('|'), 'i');

/** Words that change the meaning of the next word: a boarding pass, a page token, a number of tokens. */
const OTHER_THINGS =
  '(?:boarding|day|week|month|season|ski|bus|rail|travel|museum|lounge|guest|hall|first|second|third|next|page|continuation|sync|max|min|total|num|per|prompt|completion|input|output)[\\s_-]?';
const OTHER_BEFORE = new RegExp(`(?<!\\p{L})${OTHER_THINGS}$`, 'iu');
const OTHER_KEY = new RegExp(`${OTHER_THINGS}(?:${WORDS.join('|')})`, 'i');

/** Values after a common word (`token=…`, `DB_PASS=…`, `PIN: 1234`) that look like a secret. */
export function commonSecrets(text: string): Match[] {
  if (!MAY_HAVE.test(text)) return [];
  const found: Match[] = [];
  for (const pattern of [WHOLE_WORD, CAMEL_CASE]) {
    addAll(
      found,
      findSecretMatches(text, pattern).filter(
        (match) =>
          judgeSuffix(match.suffix) === 'same' &&
          !isPartOfProgram(match) &&
          looksSecret(match) &&
          !OTHER_BEFORE.test(text.slice(Math.max(0, match.index - 20), match.index)),
      ),
    );
  }
  return found;
}

const isPartOfProgram = (match: Match): boolean =>
  match.quoted ? isWording(match.value) : isCode(match.value, match);

/** Whether the value looks like a secret, for a key that ends in a common word. */
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
  if (isStandIn(value) || (/\s/.test(value) && /token|session/.test(word))) return false;
  const isSure = sign !== ':';
  if (word === 'pin') return /^\d{4,12}$/.test(value);
  if (word === 'otp') return /^(?=\D{0,9}\d)[a-z\d]{4,10}$/i.test(value);
  if (word === 'token' || word === 'session')
    return isOpaque(value, isSure ? 6 : 8) || (isSure && isLongNumber(value));
  if (isSure || quoted) return value.length >= 4;
  return word === 'pass' ? isOpaque(value, 6) : hasOddSign(value);
}

const isLongNumber = (value: string): boolean => /^\d{6,}$/.test(value);
