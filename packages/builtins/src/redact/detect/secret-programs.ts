import { addAll, findSecretMatches, type Match, quotedBy } from './secret-match.ts';
import { hasOddSign, isStandIn, isWording } from './secret-value.ts';
import { judgeSuffix, NAMES } from './secret-words.ts';

const NAME = `(?<word>${NAMES}|pass|token)(?<suffix>(?:[_.-][A-Za-z][A-Za-z0-9]{0,20}){0,3})`;
const LITERAL = `(?:${quotedBy('"', 3, 1000)}|${quotedBy("'", 3, 1000)}|${quotedBy('`', 3, 1000)})`;

const PATTERNS: readonly RegExp[] = [
  // val password: String = "…", let password: &str = "…", var password string = "…"
  new RegExp(
    `${NAME}(?:\\s{0,2}:\\s{0,2}&?(?:'\\w{1,10} )?|\\s)[A-Za-z][\\w.<>?]{0,30}\\s{0,3}=\\s{0,3}${LITERAL}`,
    'giu',
  ),
  // define("DB_PASSWORD", "…"), getenv("DB_PASSWORD", "…")
  new RegExp(`\\(\\s{0,3}["']\\w{0,40}?${NAME}["']\\s{0,3},\\s{0,3}${LITERAL}(?=\\s{0,3}\\))`, 'giu'),
  // setPassword("…"), .withToken("…")
  new RegExp(`(?:\\.|set|with|use)${NAME}\\(\\s{0,3}${LITERAL}(?=\\s{0,3}\\))`, 'giu'),
  // process.env.DB_PASSWORD || "…"
  new RegExp(`${NAME}["'\\])]{0,3}\\s{0,3}(?:\\|\\||\\?\\?|\\bor\\b)\\s{0,3}${LITERAL}`, 'giu'),
];
const SECURE_STRING = new RegExp(`ConvertTo-SecureString\\s{1,3}(?:-String\\s{1,3})?${LITERAL}`, 'giu');
/** A line of .pgpass: host, port, database, user, password. */
const PGPASS =
  /^[^\s:#]{1,100}:(?:\d{2,5}|\*):[^\s:]{1,60}:[^\s:]{1,60}:([^\s:\ufffc]{4,200})(?=[ \t\r]*$)/gmu;

const MAY_HAVE = new RegExp(`${NAMES}|pass|token`, 'iu');

/** Literals in programs that are passwords, according to the name that they are assigned or passed to. */
export function programSecrets(text: string): Match[] {
  const found = text.includes('ConvertTo-SecureString') ? findSecretMatches(text, SECURE_STRING) : [];
  if (text.includes(':'))
    addAll(
      found,
      findSecretMatches(text, PGPASS).filter(({ value }) => hasOddSign(value)),
    );
  if (!MAY_HAVE.test(text)) return found.filter(isLiteral);
  for (const pattern of PATTERNS) {
    addAll(
      found,
      findSecretMatches(text, pattern).filter(
        ({ suffix, value }) => judgeSuffix(suffix) !== 'other' && hasOddSign(value) && !/\s/.test(value),
      ),
    );
  }
  return found.filter(isLiteral);
}

const isLiteral = ({ value }: Match): boolean => !isStandIn(value) && !isWording(value);
