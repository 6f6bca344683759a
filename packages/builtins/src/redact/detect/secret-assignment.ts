import type { Finding } from './finding.ts';
import { COVERED } from './finding.ts';
import { commandSecrets } from './secret-commands.ts';
import { kubernetesSecrets } from './secret-kubernetes.ts';
import { commonSecrets } from './secret-labels.ts';
import { markedUpSecrets } from './secret-markup.ts';
import { ASSIGNED, addAll, findSecretMatches, type Match, VALUE } from './secret-match.ts';
import { programSecrets } from './secret-programs.ts';
import { spokenSecrets } from './secret-sentences.ts';
import { tabledSecrets } from './secret-tables.ts';
import { hasOddSign, isCode, isKeyLike, isOpaque, isStandIn, isWording } from './secret-value.ts';
import { ISSUERS, judgeSuffix, KEY_NAMES, NAMES } from './secret-words.ts';

const SUFFIX =
  '(?<suffix>(?:[_.-][A-Za-z][A-Za-z0-9]{0,20}){0,3}|(?:Prod|Production|Dev|Staging|Test|Live|Local|Old|New)(?![a-z]))(?: \\([^()\\n]{1,40}\\))?';

/** `password=…`, `"api_key": "…"`, `client_secret => …`, `API_KEY_PROD=…`. */
const ASSIGNMENT = new RegExp(`(?<!\\d:)(?:${NAMES})${SUFFIX}${ASSIGNED}`, 'giu');
/** `STRIPE_KEY=…`, `app_key: …`, `key of an issuer`: only values that look like keys. */
const KEY_ASSIGNMENT = new RegExp(
  `(?:(?:${KEY_NAMES})|(?:${ISSUERS})[ _-]?(?:[a-z]{1,12}[ _-]){0,2}(?:key|token|secret))${SUFFIX}${ASSIGNED}`,
  'giu',
);
const VARIABLE = new RegExp(`(?<![A-Za-z0-9_])(?<word>[A-Z][A-Z0-9_]{1,40})_KEY(?<suffix>)${ASSIGNED}`, 'g');
const OTHER_KEYS =
  /(?:^|_)(?:CACHE|PRIMARY|FOREIGN|PUBLIC|SORT|PARTITION|HASH|RANGE|IDEMPOTENCY|TRANSLATION|OBJECT|S3|STORAGE_ITEM|ITEM|ROW|COLUMN|QUERY|REGISTRY|HOT|SHORTCUT|MAP|DICT|JSON|INDEX|UNIQUE|LOOKUP|GROUP|ROUTING|PUBLISHABLE|ANON|SITE|FINGERPRINT)$/;

const AUTHORIZATION =
  /(?:(?<![A-Za-z])bearer|authorization["']?\s{0,3}[:=]\s{0,3}["']?(?:(?:api-?)?token|api-?key|digest|aws4-hmac-sha256|ssws|bot|key|bearer)?)\s{1,3}([A-Za-z0-9._~+/=:-]{12,4000})/giu;
/** A name and a password in base64. */
const BASIC = /(?<![A-Za-z])(?:basic\s{1,3}|_auth\s{0,3}=\s{0,3})["']?([A-Za-z0-9+/]{8,4000}={0,2})/giu;

/** `ENV DB_PASSWORD …` in a Dockerfile. */
const DOCKER = new RegExp(
  `^[ \\t]{0,20}ENV[ \\t]{1,5}[A-Z0-9_]{0,60}(?<word>${NAMES}|PASS|TOKEN|KEY)(?<suffix>(?:_[A-Z0-9]{1,20}){0,3})[ \\t]{1,5}${VALUE}`,
  'gimu',
);

const MAY_HAVE = new RegExp(`${NAMES}|key|token|pass|credential|bearer|authorization|basic|_auth`, 'iu');

/** Values that nearby words call a password, a key or a token. */
export function assignedSecrets(text: string): Finding[] {
  const found = [
    ...commonSecrets(text),
    ...commandSecrets(text),
    ...markedUpSecrets(text),
    ...spokenSecrets(text),
    ...programSecrets(text),
  ];
  if (MAY_HAVE.test(text)) {
    addAll(found, findSecretMatches(text, ASSIGNMENT).filter(isAssigned));
    addAll(
      found,
      findSecretMatches(text, KEY_ASSIGNMENT).filter(
        (match) => isKeyLike(match.value) && !isStandIn(match.value) && judgeSuffix(match.suffix) !== 'other',
      ),
    );
    addAll(
      found,
      findSecretMatches(text, VARIABLE).filter(
        ({ word, value }) => isKeyLike(value) && !isStandIn(value) && !OTHER_KEYS.test(word.toUpperCase()),
      ),
    );
    addAll(
      found,
      findSecretMatches(text, DOCKER).filter(
        (match) =>
          judgeSuffix(match.suffix) !== 'other' &&
          !isStandIn(match.value) &&
          (match.word !== 'key' || isKeyLike(match.value)),
      ),
    );
    addAll(
      found,
      findSecretMatches(text, AUTHORIZATION).filter(({ value }) => /\d/.test(value) && !isStandIn(value)),
    );
    addAll(
      found,
      findSecretMatches(text, BASIC).filter(({ value }) => isBasic(value)),
    );
  }
  return [...found.map(makeFinding), ...tabledSecrets(text), ...kubernetesSecrets(text)];
}

function makeFinding({ start, value, meant }: Match): Finding {
  const range = { start, end: start + value.length, values: [meant ?? value] };
  return meant === undefined ? range : { ...range, meant };
}

function isAssigned(match: Match): boolean {
  const { value, sign, quoted, suffix } = match;
  if (isStandIn(value) || (quoted ? isWording(value) : isCode(value, match))) return false;
  const judged = judgeSuffix(suffix);
  if (judged === 'other') return false;
  if (judged === 'unsure' && !isOpaque(value, 6)) return false;
  return quoted || (sign !== ':' && sign !== '->' && sign !== '→') || hasOddSign(value);
}

/** Whether a base64 text decodes to `name:password`. */
function isBasic(value: string): boolean {
  if (value.includes(COVERED)) return false;
  try {
    return /^[^:\s]{0,200}:[\x20-\x7e\x80-\xff]{1,}$/.test(atob(value.replace(/=+$/, '')));
  } catch {
    return false;
  }
}
