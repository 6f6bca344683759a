import type { Detector, Finding, Scope } from '../finding.ts';
import { COVERED } from '../finding.ts';
import { keyEndsIn } from '../key-words.ts';
import { assignedSecrets } from './secret-assignment.ts';
import { isCommonSecret } from './secret-labels.ts';
import { isStandIn } from './secret-match.ts';
import { patternSecrets } from './secret-patterns.ts';
import { secretlintSecrets } from './secretlint.ts';

const SECRET_KEYS = new Set(
  'password passwd pwd pw passwort kennwort wachtwoord motdepasse contraseña contrasena senha userpass dbpass smtppass passphrase passcode secret apikey apitoken apisecret accesskey accesskeyid secretkey secretaccesskey privatekey privatekeyid clientsecret accesstoken refreshtoken authtoken idtoken sessiontoken sessionkey bearertoken bearer signingkey encryptionkey connectionstring credential credentials pin pincode otp'.split(
    ' ',
  ),
);
/** Keys whose value is a secret only when it looks like one. */
const TOKEN_KEYS = new Set(['token', 'auth', 'authorization', 'jwt', 'cookie', 'setcookie']);
const CURSOR_KEYS = new Set(['pagetoken', 'nexttoken', 'continuationtoken', 'synctoken']);
const AUTHORIZATION = /^(?:basic|bearer|token|digest)\s+\S+/i;

/** `pw=` with four characters. */
const SHORTEST = 7;

/** API keys, tokens, passwords and private keys: the rules of secretlint, and our own for what it does not know. */
export const secrets: Detector = {
  label: 'SECRET',
  find(text: string, scope: Scope): readonly Finding[] {
    const keyed = underKey(text, scope);
    if (keyed !== undefined) return [keyed];
    if (scope.isNumber || text.length < SHORTEST) return [];
    return [...secretlintSecrets(text), ...patternSecrets(text), ...assignedSecrets(text)];
  },
};

function underKey(text: string, { key }: Scope): Finding | undefined {
  if (key === undefined || text.includes(COVERED) || isStandIn(text.trim())) return undefined;
  if (!keyEndsIn(key, SECRET_KEYS) && !isToken(text, key) && !isCommonSecret(key, text)) return undefined;
  return { start: 0, end: text.length, values: [text] };
}

function isToken(text: string, key: string): boolean {
  if (!keyEndsIn(key, TOKEN_KEYS) || keyEndsIn(key, CURSOR_KEYS)) return false;
  return AUTHORIZATION.test(text) || (/^\S{20,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text));
}
