import { commandName } from './command-name.ts';
import { READS_COMMANDS, runsInTexts, SHELL } from './launchers.ts';
import { isOddCommand } from './odd-forms.ts';
import { namesAnotherProgram } from './own-options.ts';
import { isKeyword } from './prefixes.ts';
import { runsUnreadText } from './program-text.ts';
import { type ShellCommand, UNKNOWN } from './scan.ts';
import { loadsCode } from './variables.ts';
import { unwrap } from './wrappers.ts';

/** Characters that have no special meaning in any shell, and quoted text without special meaning. */
const WORD = /(?:[\w./:=@%+,-]|'[^'\\$`\p{Cc}]*'|"[^"\\$`\p{Cc}]*")+/uy;
/** Redirections of output that do nothing: to nowhere, or to the other output. */
const HARMLESS_REDIRECTION = /[12]?>(?:[ \t]*\/dev\/null|&[12])(?=[ \t]|$)/y;
const BLANKS = /[ \t]+|$/y;

/**
 * The text of a command that is surely all that runs: one command of plain words, without anything for the shell to expand, without inner
 * or started commands, and without files behind `>` and `<`. Quotes are removed. Use this reading to allow a call. A guard needs the other
 * reading, in which everything that may run counts. Only characters and forms that all shells read alike are plain.
 *
 * @param command a shell line, or the words of one command that runs without a shell
 * @returns `undefined` for every other command
 */
export function plainCommand(command: string | readonly string[]): string | undefined {
  if (typeof command === 'string') return writePlain(plainWords(command));
  // No program has such a name: a tool that gets it hands a line to a shell.
  return OF_SHELL.test(command[0] ?? '') ? undefined : writePlain(command);
}

const OF_SHELL = /[\s;&|<>()$`\\]/;

function writePlain(words: readonly string[] | undefined): string | undefined {
  return words && writeText({ words: [...words], scripts: [] });
}

function plainWords(line: string): string[] | undefined {
  const text = line.replace(/^[ \t]+/, '');
  const words: string[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  while (at < text.length) {
    const isRedirection = take(HARMLESS_REDIRECTION) !== undefined;
    const word = isRedirection ? undefined : take(WORD);
    if ((!isRedirection && word === undefined) || take(BLANKS) === undefined) return undefined;
    if (word !== undefined) words.push(word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
  }
  return words;
}

function writeText(command: ShellCommand): string | undefined {
  const { words } = command;
  const [first = ''] = words;
  const name = commandName(first);
  const isWord = first !== '' && !isKeyword(first) && !first.includes('=');
  if (!isWord || words.some((word) => word.includes(UNKNOWN))) return undefined;
  const runsMore = SHELL.test(name) || READS_COMMANDS.has(name) || RUNS_CODE.has(name);
  if (runsMore || runsInTexts(words, 0)) return undefined;
  if (isOddCommand(words) || namesAnotherProgram(name, words.slice(1))) return undefined;
  if (words.some(loadsCode) || runsUnreadText(words, 0, command)) return undefined;
  const { starts, lines, runsUnknown } = unwrap(command);
  return starts.length > 1 || lines.length > 0 || runsUnknown ? undefined : words.join(' ');
}

/** Builtins that change the meaning of later words, or run their words. */
const RUNS_CODE: ReadonlySet<string> = new Set([
  'eval',
  'alias',
  'compgen',
  'complete',
  'coproc',
  'function',
  'exec',
  'trap',
  'hash',
  'enable',
  'for',
  'case',
  'select',
  'time',
  'bind',
  'mapfile',
  'readarray',
]);
