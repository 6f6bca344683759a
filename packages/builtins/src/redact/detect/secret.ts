import type { Detector, Finding, Scope } from '../finding.ts';
import { COVERED } from '../finding.ts';
import { keyEndsIn } from '../key-words.ts';
import { assignedSecrets, isStandIn } from './secret-assignment.ts';
import { patternSecrets } from './secret-patterns.ts';
import { secretlintSecrets } from './secretlint.ts';

const SECRET_KEYS = new Set(
  'password passwd pwd userpass dbpass smtppass passphrase passcode secret apikey apitoken apisecret accesskey accesskeyid secretkey secretaccesskey privatekey privatekeyid clientsecret accesstoken refreshtoken authtoken idtoken sessiontoken sessionkey bearertoken bearer signingkey encryptionkey connectionstring credential credentials pin pincode otp'.split(
    ' ',
  ),
);
/** Keys whose value is a secret only when it looks like one: `token` also names words and page cursors. */
const TOKEN_KEYS = new Set(['token', 'auth', 'authorization', 'jwt', 'cookie', 'setcookie']);
const CURSOR_KEYS = new Set(['pagetoken', 'nexttoken', 'continuationtoken', 'synctoken']);
const AUTHORIZATION = /^(?:basic|bearer|token|digest)\s+\S+/i;

/** API keys, tokens, passwords and private keys: the rules of secretlint, and our own for what it does not know. */
export const secrets: Detector = {
  label: 'SECRET',
  find(text: string, scope: Scope): readonly Finding[] {
    const keyed = underKey(text, scope);
    if (keyed !== undefined) return [keyed];
    if (scope.isNumber || text.length < 8) return [];
    return [...secretlintSecrets(text), ...patternSecrets(text), ...assignedSecrets(text)];
  },
};

function underKey(text: string, { key }: Scope): Finding | undefined {
  if (key === undefined || text.includes(COVERED) || isStandIn(text.trim())) return undefined;
  if (!keyEndsIn(key, SECRET_KEYS) && !isToken(text, key)) return undefined;
  return { start: 0, end: text.length, values: [text] };
}

function isToken(text: string, key: string): boolean {
  if (!keyEndsIn(key, TOKEN_KEYS) || keyEndsIn(key, CURSOR_KEYS)) return false;
  return AUTHORIZATION.test(text) || (/^\S{20,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text));
}
