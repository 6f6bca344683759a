import { isAssignment } from './prefixes.ts';
import { type ShellCommand, UNKNOWN } from './scan.ts';

/** What may run when a command runs. */
export interface Unwrapped {
  /** Indexes of the words at which a command may begin: 0, and what `sudo`, `env`, `xargs` and their like would run. */
  readonly starts: readonly number[];
  /** Texts that a shell would read: what follows `sh -c` or `eval`, a here-document sent to `bash`. */
  readonly lines: readonly string[];
  /** It runs something that is not on the line, such as `sh` reading its input. */
  readonly runsUnknown: boolean;
}

/** Commands that run the command after them, with the number of operands of their own that stand before it. */
const WRAPPERS: ReadonlyMap<string, number> = new Map([
  ...namesOf(`builtin busybox caffeinate command coproc doas env exec ionice ltrace nice nocorrect noglob nohup nsenter
    parallel script setsid stdbuf strace sudo time trap unshare watch xargs`).map(
    (name): [string, number] => [name, 0],
  ),
  ...namesOf('chroot chrt flock runuser ssh su taskset timeout').map((name): [string, number] => [name, 1]),
]);
const TAKES_ASSIGNMENTS = new Set(namesOf('env sudo doas'));
const SHELLS = new Set(namesOf('sh bash dash ash zsh ksh mksh fish'));
const READS_COMMANDS = new Set([...SHELLS, ...namesOf('ssh su runuser at batch')]);
const RUNS_OTHERS = new Set([...WRAPPERS.keys(), ...READS_COMMANDS, 'eval', 'find']);
const ALONE: Unwrapped = { starts: [0], lines: [], runsUnknown: false };
const SPECIAL = new RegExp(`[\\s;&|<>()\`$'"\\\\${UNKNOWN}]`);
const EXEC_OPTION = /^-(?:exec|execdir|ok|okdir)$/;
const SPLIT_OPTION = /^(?:-[A-Za-z]*S|--split-string)$/;
const COMMAND_OPTION = /^-[A-Za-z]*c[A-Za-z]*$/;
const INPUT_OPTION = /^-[A-Za-z]*s[A-Za-z]*$/;
const VALUE_OPTION = /^(?:[-+][A-Za-z]*[oO]|--rcfile|--init-file)$/;

/** More places where a command may begin than any sensible line has. */
const MAX_STARTS = 64;

/** Looks through commands that run other commands. Where options leave it open which word that is, all that may be are taken. */
export function unwrap({ words, scripts }: ShellCommand): Unwrapped {
  if (!RUNS_OTHERS.has(commandName(words[0]))) return ALONE;
  const starts = new Set([0]);
  const lines = new Set<string>();
  let runsUnknown = false;
  for (const start of starts) {
    const name = commandName(words[start]);
    for (const next of startsAfter(name, words, start)) starts.add(next);
    for (const line of linesAt(name, words, start)) lines.add(line);
    for (const script of READS_COMMANDS.has(name) ? scripts : []) lines.add(script);
    runsUnknown ||= starts.size > MAX_STARTS || (scripts.length === 0 && readsItsInput(name, words, start));
    if (runsUnknown) break;
  }
  return { starts: [...starts], lines: [...lines], runsUnknown };
}

/** The name of a command without its folder. */
export function commandName(word = ''): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

/** What is neither after an option, whose value it may be, nor has a `=`, which `env` takes for an assignment, is an operand. */
function startsAfter(name: string, words: readonly string[], start: number): number[] {
  if (name === 'find') return indexesAfter(words, start, EXEC_OPTION);
  let operands = WRAPPERS.get(name) ?? -1;
  const found: number[] = [];
  for (let at = start + 1; operands >= 0 && found.length <= MAX_STARTS && at < words.length; at++) {
    const word = words[at] as string;
    if (word.startsWith('-')) continue;
    if (TAKES_ASSIGNMENTS.has(name) && isAssignment(word) && !SPLIT_OPTION.test(words[at - 1] as string))
      continue;
    found.push(at);
    if (!words[at - 1]?.startsWith('-') && !word.includes('=')) operands--;
  }
  return found;
}

function indexesAfter(words: readonly string[], start: number, option: RegExp): number[] {
  const found: number[] = [];
  for (let at = start + 1; at < words.length && found.length <= MAX_STARTS; at++) {
    if (option.test(words[at - 1] as string)) found.push(at);
  }
  return found;
}

function linesAt(name: string, words: readonly string[], start: number): string[] {
  if (name === 'eval') return [words.slice(start + 1).join(' ')];
  if (SHELLS.has(name)) return commandArguments(words, start);
  const lines = start > 0 && SPECIAL.test(words[start] as string) ? [words[start] as string] : [];
  return WRAPPERS.has(name) ? [...lines, ...optionValues(words, start)] : lines;
}

/** What follows `-c`. */
function commandArguments(words: readonly string[], start: number): string[] {
  const option = words.findIndex((word, at) => at > start && COMMAND_OPTION.test(word));
  if (option === -1) return [];
  const script = words.find((word, at) => at > option && !word.startsWith('-'));
  return script === undefined ? [] : [script];
}

/** Values written together with their option that could be a command line, such as `env --split-string='git push'`. */
function optionValues(words: readonly string[], start: number): string[] {
  return words
    .slice(start + 1)
    .filter((word) => /^-\S*\s/.test(word))
    .map((word) => word.replace(/^--[\w-]+=|^-\w/, ''));
}

function readsItsInput(name: string, words: readonly string[], start: number): boolean {
  if (!SHELLS.has(name)) return false;
  for (let at = start + 1; at < words.length; at++) {
    const word = words[at] as string;
    if (COMMAND_OPTION.test(word) || word === '--version' || word === '--help') return false;
    if (INPUT_OPTION.test(word) || word === '/dev/stdin') return true;
    const isOption =
      word.startsWith('-') || word.startsWith('+') || VALUE_OPTION.test(words[at - 1] as string);
    if (!isOption) return false;
  }
  return true;
}

function namesOf(list: string): string[] {
  return list.split(/\s+/);
}
