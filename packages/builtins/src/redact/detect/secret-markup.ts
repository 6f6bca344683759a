import { COVERED } from './finding.ts';
import { addAll, findSecretMatches, type Match, quotedBy } from './secret-match.ts';
import { hasOddSign, isKeyLike, isStandIn, isWording } from './secret-value.ts';
import { NAMES } from './secret-words.ts';

const NAME = `(?:[A-Za-z0-9_.:-]{0,40}?)(?<word>${NAMES}|pass|pw|token)`;

/** `<password>…</password>` */
const ELEMENT = new RegExp(
  `<${NAME}(?:\\s[^<>]{0,200})?>\\s{0,80}(?:<!\\[CDATA\\[)?([^<>\\s${COVERED}][^<>\\n${COVERED}]{2,1000}?)(?=\\s{0,80}(?:\\]\\]>)?</)`,
  'giu',
);
/** `<property name="password" value="…"/>` */
const ATTRIBUTE = new RegExp(
  `(?<![\\w-])(?:name|key|id|property|type)\\s{0,2}=\\s{0,2}["']${NAME}["']\\s[^<>]{0,200}?(?<![\\w-])(?:value|content)\\s{0,2}=\\s{0,2}(?:"([^"\\n${COVERED}]{3,1000})"|'([^'\\n${COVERED}]{3,1000})')`,
  'giu',
);

/** `<key>password</key><string>…</string>` of a property list; `name: DB_PASSWORD`, then `value: …` of an environment. */
const PAIRS: readonly RegExp[] = [
  new RegExp(
    `(?<![\\w-])(?:name|key|id)\\s{0,2}=\\s{0,2}["']${NAME}["'][^<>]{0,200}>\\s{0,80}(?:<value>)?\\s{0,80}([^<>\\s${COVERED}]{3,1000})(?=\\s{0,80}</)`,
    'giu',
  ),
  new RegExp(`<key>${NAME}</key>\\s{0,80}<string>([^<\\n${COVERED}]{3,1000})(?=</string>)`, 'giu'),
  new RegExp(
    `(?<![\\w-])(?:name|key)["']?\\s{0,3}[:=]\\s{0,3}["']?${NAME}["']?\\s{0,3},?\\s{1,80}["']?value["']?\\s{0,3}[:=]\\s{0,3}(?:${quotedBy('"', 3, 1000)}|${quotedBy("'", 3, 1000)}|([^\\s"',;${COVERED}]{4,1000}))`,
    'giu',
  ),
];
/** A name and a password as arguments: `auth=("bob", "…")`, `smtp.login("bob", "…")`. */
const CREDENTIALS = new RegExp(
  `(?<![A-Za-z])(?:auth|basic_?auth|login|credentials?|authenticate)\\s{0,3}(?:=\\s{0,3})?[([]\\s{0,3}(?:"[^"\\n]{1,100}"|'[^'\\n]{1,100}')\\s{0,3},\\s{0,3}(?:${quotedBy('"', 3, 1000)}|${quotedBy("'", 3, 1000)})(?=\\s{0,3}[)\\]])`,
  'giu',
);

const SQL: readonly RegExp[] = [
  /\bidentified\s{1,3}(?:with\s{1,3}\S{1,60}\s{1,3})?(?:by|as)\s{1,3}(?:password\s{1,3}|values\s{1,3})?(?:'([^'\n]{1,200})'|"([^"\n]{1,200})")/giu,
  /(?<!["'`])\bpassword(?:\s{1,3}|\s{0,3}=\s{0,3}N?|\s{0,3}\(\s{0,3})(?:password\s{0,3}\(\s{0,3})?(?:'([^'\n]{1,200})'|"([^"\n]{1,200})")/giu,
];
const INSERT = /\binsert\s{1,3}into\s{1,3}[^\s(]{1,100}\s{0,3}\(([^()]{1,1000})\)\s{0,3}values\s{0,3}\(/giu;
const COLUMN = /^["'`[]?(?:\w*(?:password|passwd|pwd|passphrase|secret|api_?key|token)|pass|pw)["'`\]]?$/i;
const SQL_VALUE = /\s{0,3}(?:N?'((?:[^'\n]|'')*)'|[^',()\n]*(?:\([^()\n]*\))?)\s{0,3}([,)])/y;

/** Passwords in XML, HTML and SQL. */
export function markedUpSecrets(text: string): Match[] {
  const found: Match[] = [];
  if (text.includes('</')) addAll(found, findSecretMatches(text, ELEMENT).filter(isContent));
  if (/value|<string>|<\//i.test(text))
    for (const pattern of PAIRS) addAll(found, findSecretMatches(text, pattern).filter(isContent));
  if (/auth|login|credential/i.test(text))
    addAll(found, findSecretMatches(text, CREDENTIALS).filter(isContent));
  if (/value|content/i.test(text)) addAll(found, findSecretMatches(text, ATTRIBUTE).filter(isContent));
  if (/identified|password/i.test(text)) {
    for (const pattern of SQL)
      addAll(
        found,
        findSecretMatches(text, pattern).filter(({ value }) => !isStandIn(value) && !isWording(value)),
      );
  }
  if (/insert/i.test(text)) addAll(found, insertedSecrets(text));
  return found;
}

function isContent({ value, word }: Match): boolean {
  if (isStandIn(value.trim()) || isWording(value)) return false;
  return word === 'token' ? isKeyLike(value) : hasOddSign(value) || !/\s/.test(value);
}

/** The values of an INSERT's first row whose columns are passwords. */
function insertedSecrets(text: string): Match[] {
  const found: Match[] = [];
  for (const insert of text.matchAll(INSERT)) {
    const columns = (insert[1] as string).split(',').map((column) => COLUMN.test(column.trim()));
    if (!columns.includes(true)) continue;
    SQL_VALUE.lastIndex = insert.index + insert[0].length;
    for (const isSecret of columns) {
      const cell = SQL_VALUE.exec(text);
      if (cell === null) break;
      const value = cell[1];
      if (isSecret && value !== undefined && value.length > 2 && !isStandIn(value)) {
        const start = cell.index + cell[0].indexOf("'") + 1;
        found.push({
          index: start,
          start,
          value,
          word: '',
          suffix: '',
          sign: '',
          quoted: true,
          isApart: false,
          next: "'",
        });
      }
      if (cell[2] === ')') break;
    }
  }
  return found;
}
