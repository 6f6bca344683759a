import { COVERED } from './finding.ts';
import { addAll, findSecretMatches, type Match, quotedBy } from './secret-match.ts';
import { hasOddSign, isCode, isOpaque, isStandIn, isWording } from './secret-value.ts';

const ARGUMENT = `(?:${quotedBy('"', 2, 1000)}|'([^'\\n${COVERED}]{2,1000})'|([^\\s"'|;&<>${COVERED}]{3,1000}))`;
/** `name:password` in one argument. */
const PAIR = `(?:"[^":\\n]{0,100}:([^"\\n${COVERED}]{1,200})"|'[^':\\n]{0,100}:([^'\\n${COVERED}]{1,200})'|[^\\s:"']{0,100}:(?:"([^"\\n${COVERED}]{1,200})"|'([^'\\n${COVERED}]{1,200})'|([^\\s"'${COVERED}]{1,200}))|"([^":\\s${COVERED}]{8,200}):"|'([^':\\s${COVERED}]{8,200}):'|([^\\s"':${COVERED}]{8,200}):(?=\\s))`;
/** The text between a command and the option, also across lines. */
const BETWEEN = '(?:[^\\n|]|\\\\\\n){0,300}?(?<=\\s)';

/** Commands with their own option for a password: a text that they contain, the command and the option. */
const COMMANDS: readonly (readonly [hint: string, command: string, option: string])[] = [
  ['curl', 'curl', `(?:-[a-z]{0,6}u\\s?|--(?:proxy-)?user[ =])\\s{0,3}${PAIR}`],
  ['http', '(?:https?|xhs?)', `(?:-a|--auth)[ =]${PAIR}`],
  ['wget', 'wget', `--user[ =]\\S{1,100}\\s{1,3}--password[ =]${ARGUMENT}`],
  ['my', 'my(?:sql|sqldump|sqladmin|sqlimport|cli)', `-p${ARGUMENT}`],
  ['maria', 'mariadb(?:-dump|-admin)?', `-p${ARGUMENT}`],
  ['mongo', 'mongo(?:sh|dump|restore|export|import)?', `-p\\s{1,3}${ARGUMENT}`],
  ['sshpass', 'sshpass', `-p\\s?${ARGUMENT}`],
  [
    'login',
    '(?:docker|podman|nerdctl|buildah|skopeo|helm|az|oc|cf|npm)\\s(?:registry\\s|acr\\s)?login',
    `-p\\s{1,3}${ARGUMENT}`,
  ],
  ['redis', 'redis-cli', `(?:-a|--pass)\\s{1,3}${ARGUMENT}`],
  ['ldap', 'ldap(?:search|add|modify|delete|passwd|whoami)', `-w\\s?${ARGUMENT}`],
  ['openssl', 'openssl', `-pass(?:in|out)?\\s{1,3}"?pass:${ARGUMENT}`],
  ['sqlcmd', '(?:sqlcmd|bcp|osql|isql)', `-P\\s?${ARGUMENT}`],
  ['zip', '(?:zip|unzip)', `-P\\s?${ARGUMENT}`],
  ['7z', '7z[ar]?', `-p${ARGUMENT}`],
  ['smbclient', '(?:smbclient|rpcclient|mount\\.cifs|net)', `-U\\s?"?[^\\s%"']{1,60}%${ARGUMENT}`],
  ['--from-literal', 'kubectl', `--from-literal[= ]"?[\\w.-]{1,80}=${ARGUMENT}`],
  [
    'htpasswd',
    'htpasswd',
    `-[A-Za-z]{0,5}b[A-Za-z]{0,5}\\s{1,3}\\S{1,200}\\s{1,3}\\S{1,100}\\s{1,3}${ARGUMENT}`,
  ],
];

const PATTERNS = COMMANDS.map(([hint, command, option]) => ({
  hint,
  pattern: new RegExp(`(?<![\\w.-])${command}\\s${BETWEEN}${option}`, 'gu'),
}));

/** A command that takes a password, up to any of its options. */
export const COMMAND_OPTION: RegExp = new RegExp(
  `(?<![\\w.-])(?:${COMMANDS.map(([, command]) => command).join('|')})\\s${BETWEEN}-`,
  'u',
);

/** `echo … | docker login --password-stdin`, `echo … | sudo -S` */
const PIPED = new RegExp(
  `(?<![\\w-])(?:echo|printf)\\s{1,3}(?:-n\\s{1,3})?${ARGUMENT}(?=\\s{0,3}\\|\\s{0,3}[^\\n|]{0,200}?(?:-stdin|sudo -S|--with-token|passwd|chpasswd)(?!\\w))`,
  'gu',
);

/** `--password-file=<(echo …)`, `sudo -S <<< "…"` */
const FED = new RegExp(
  `(?:pass(?:word|wd)?|secret|token|key)[\\w-]{0,20}[ =]<\\((?:echo|printf)\\s{1,3}${ARGUMENT}|(?:sudo -S|-stdin)[^\\n<]{0,200}<<<\\s{0,3}${ARGUMENT}`,
  'giu',
);

/** `--password x`, `--api-key=x`, `--token "x"` of any command. */
const OPTION = new RegExp(
  `(?<=^|[\\s"'])--?(?:[a-z0-9]{1,20}-){0,4}(?<word>password|passwd|pwd|passphrase|passcode|pass|secret|secret-key|client-secret|api-?key|access-key|(?:[a-z]{1,10}-)?token|apitoken|credentials?)(?<sign>[= ])\\s{0,3}${ARGUMENT}`,
  'gimu',
);

/** Passwords and keys in arguments of commands. */
export function commandSecrets(text: string): Match[] {
  const found: Match[] = [];
  for (const { hint, pattern } of PATTERNS) {
    if (text.includes(hint))
      addAll(
        found,
        findSecretMatches(text, pattern).filter(({ value }) => !isStandIn(value)),
      );
  }
  if (text.includes('|') && /echo|printf/.test(text))
    addAll(
      found,
      findSecretMatches(text, PIPED).filter(({ value }) => !isStandIn(value)),
    );
  if (text.includes('<(') || text.includes('<<<'))
    addAll(
      found,
      findSecretMatches(text, FED).filter(({ value }) => !isStandIn(value)),
    );
  if (text.includes('--') || text.includes(' -'))
    addAll(found, findSecretMatches(text, OPTION).filter(isOption));
  return found;
}

/** Help texts say `--token string` and `the --password option`. There a value must look like a secret. */
function isOption(match: Match): boolean {
  const { value, word, sign, quoted } = match;
  if (/^[-.~/]/.test(value) || isStandIn(value) || /^[A-Z_]+$/.test(value)) return false;
  if (quoted ? isWording(value) : isCode(value, match)) return false;
  if (/token|credential/.test(word)) return isOpaque(value, 8);
  return quoted || sign === '=' || hasOddSign(value);
}
