import type { Detector, Finding, Scope } from './finding.ts';
import { COVERED } from './finding.ts';
import { keyEndsIn } from './key-words.ts';
import { assignedSecrets } from './secret-assignment.ts';
import { isCommonSecret } from './secret-labels.ts';

import { isExampleUrl, patternSecrets } from './secret-patterns.ts';
import { isStandIn } from './secret-value.ts';
import { judgeSuffix } from './secret-words.ts';
import { secretlintSecrets } from './secretlint.ts';

const SECRET_KEYS = new Set(
  'password passwd pwd pw passwort kennwort wachtwoord motdepasse contraseña contrasena senha userpass dbpass smtppass passphrase passcode secret apikey apitoken apisecret accesskey accesskeyid secretkey secretaccesskey privatekey privatekeyid clientsecret accesstoken refreshtoken authtoken idtoken sessiontoken sessionkey bearertoken bearer signingkey encryptionkey connectionstring credential credentials pin pincode otp'.split(
    ' ',
  ),
);
/** Keys whose value is a secret only if it looks like one. */
const TOKEN_KEYS = new Set(['token', 'auth', 'authorization', 'jwt', 'cookie', 'setcookie']);
const CURSOR_KEYS = new Set(['pagetoken', 'nexttoken', 'continuationtoken', 'synctoken']);
const AUTHORIZATION = /^(?:basic|bearer|token|digest)\s+\S+/i;

/** `pw=` with four characters. */
const SHORTEST = 7;

/** API keys, tokens, passwords and private keys: secretlint's rules, and our own for what it does not find. */
export const secrets: Detector = {
  label: 'SECRET',
  isExact: true,
  find(text: string, scope: Scope): readonly Finding[] {
    const keyed = underKey(text, scope);
    if (keyed !== undefined) return [keyed];
    if (scope.isNumber || text.length < SHORTEST) return [];
    const linted = secretlintSecrets(text).filter(({ start, end }) => !isExampleUrl(text.slice(start, end)));
    return [...linted, ...patternSecrets(text), ...assignedSecrets(text)];
  },
};

function underKey(text: string, { key }: Scope): Finding | undefined {
  if (key === undefined || text.includes(COVERED) || isStandIn(text.trim())) return undefined;
  const isSecret =
    keyEndsIn(withoutEnvironment(key), SECRET_KEYS) ||
    isToken(text, key) ||
    isCommonSecret(key, text) ||
    (key === 'd' && /^[A-Za-z0-9_-]{43,1000}$/.test(text));
  if (!isSecret) return undefined;
  return { start: 0, end: text.length, values: [text] };
}

/** `API_KEY_PROD` as `API_KEY`. */
function withoutEnvironment(key: string): string {
  const shorter = key.replace(/[_.-][A-Za-z0-9]{1,20}$|(?<=[a-z])[A-Z][a-z]{1,12}$/, '');
  return shorter !== key && judgeSuffix(key.slice(shorter.length)) === 'same' ? shorter : key;
}

function isToken(text: string, key: string): boolean {
  if (!keyEndsIn(key, TOKEN_KEYS) || keyEndsIn(key, CURSOR_KEYS)) return false;
  return AUTHORIZATION.test(text) || (/^\S{20,}$/.test(text) && /\d/.test(text) && /[A-Za-z]/.test(text));
}
