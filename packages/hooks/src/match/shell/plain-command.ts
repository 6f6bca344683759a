import { CALCULATES, READS_COMMANDS, RUNS_IN_INDEX, SHELL } from './launchers.ts';
import { splitAsDash, splitLine } from './line.ts';
import { isKeyword } from './prefixes.ts';
import { type ShellCommand, type Span, UNKNOWN } from './scan.ts';
import { commandName, unwrap } from './wrappers.ts';

/** Where output may go without doing anything: nowhere, or where the other output goes. */
const HARMLESS_TARGET = /(?:>\s*\/dev\/null|>&[12])$/;

/**
 * The text of a command that surely is all that runs: one command with its words, nothing that a shell would fill in, no other command
 * in it or started by it, no file that it writes or reads by `>` and `<`. Quotes are removed. Who allows by it needs this reading, as who
 * guards needs the other one, in which whatever may run counts.
 *
 * @param command a shell line, or the words of one command that runs without a shell
 * @returns `undefined` for every other command
 */
export function plainCommand(command: string | readonly string[]): string | undefined {
  if (typeof command !== 'string') return textOf({ words: [...command], scripts: [] });
  const spans: Span[] = [];
  const commands = splitLine(command, spans);
  const [only, ...others] = commands ?? [];
  if (only === undefined || others.length > 0 || !spans.every((span) => isHarmless(span, command)))
    return undefined;
  const text = textOf(only);
  const inDash = splitAsDash(command);
  return inDash?.length === 1 && textOf(inDash[0] as ShellCommand) === text ? text : undefined;
}

function isHarmless({ kind, end }: Span, line: string): boolean {
  if (kind === 'redirection') return HARMLESS_TARGET.test(line.slice(0, end));
  return kind === 'single' || kind === 'double';
}

function textOf(command: ShellCommand): string | undefined {
  const { words, scripts } = command;
  const [first = ''] = words;
  const name = commandName(first);
  const isWord = first !== '' && !isKeyword(first) && !first.includes('=');
  if (!isWord || scripts.length > 0 || words.some((word) => word.includes(UNKNOWN))) return undefined;
  const runsMore = SHELL.test(name) || READS_COMMANDS.has(name) || RUNS_CODE.has(name);
  if (runsMore || (CALCULATES.has(name) && words.some((word) => RUNS_IN_INDEX.test(word)))) return undefined;
  const { starts, lines, runsUnknown } = unwrap(command);
  return starts.length > 1 || lines.length > 0 || runsUnknown ? undefined : words.join(' ');
}

/** Builtins that change what later words mean, or run what they are given. */
const RUNS_CODE: ReadonlySet<string> = new Set([
  'eval',
  'alias',
  'function',
  'exec',
  'trap',
  'hash',
  'enable',
  'for',
  'case',
  'select',
]);
