import type { Finding } from '../finding.ts';
import { COVERED } from '../finding.ts';
import { commonSecrets } from './secret-labels.ts';
import { ASSIGNED, hasOddSign, isStandIn, matchesOf } from './secret-match.ts';

const NAME =
  '(?:password|passwd|pwd|passphrase|passcode|passwort|kennwort|contrase[nñ]a|mot de passe|wachtwoord|secret|api[ _-]?key|api[ _-]?token|api[_-]?secret|access[ _-]?key(?:[_-]?id)?|secret[ _-]?key|secret[_-]?access[_-]?key|private[ _-]?key(?:[_-]?id)?|client[_-]?secret|access[ _-]?token|refresh[ _-]?token|auth[_-]?token|session[_-]?token|account[_-]?key|shared[_-]?access[_-]?key|signing[_-]?key|encryption[_-]?key)';

/** `password=…`, `"api_key": "…"`, `client_secret => …`. */
const ASSIGNMENT = new RegExp(`${NAME}${ASSIGNED}`, 'giu');
/** "my password is hunter2", "the passcode is 4711". */
const SENTENCE = new RegExp(
  `(?<!\\p{L})(?:password|passphrase|passcode|pin(?: code)?|secret|api key|access token)\\s{1,3}(?:is|was|=)\\s{1,3}["'\`]?([^\\s"'\`${COVERED}]{4,200})`,
  'giu',
);
const AUTHORIZATION =
  /(?:(?<![A-Za-z])bearer|authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:basic|token|apikey|digest|aws4-hmac-sha256))\s{1,3}([A-Za-z0-9._~+/=:-]{12,4000})/giu;
const MAY_HAVE = /pass|pwd|kennwort|contrase|wachtwoord|secret|key|token|pin|bearer|authorization/i;

/** Values that the words around them call a password, a key or a token. */
export function assignedSecrets(text: string): Finding[] {
  const found = commonSecrets(text);
  if (MAY_HAVE.test(text)) {
    found.push(
      ...matchesOf(text, ASSIGNMENT).filter(
        ({ value, sign, quoted }) => !isStandIn(value) && (quoted || sign !== ':' || hasOddSign(value)),
      ),
      ...matchesOf(text, SENTENCE).filter(({ value }) => hasOddSign(value)),
      ...matchesOf(text, AUTHORIZATION).filter(({ value }) => /\d/.test(value)),
    );
  }
  return found.map(({ start, value }) => ({ start, end: start + value.length, values: [value] }));
}
