import { conditionCommand } from '../dialect-traits.ts';
import type { CommandHandler } from '../entry-handler.ts';
import type { CommandEntry } from '../normal-form.ts';

/** A command as one shell line, and what had to be rewritten for it. */
export interface ShellLine {
  readonly command: string;
  readonly converted: readonly ('arguments' | 'condition' | 'surroundings')[];
}

/** Writes a command entry as one line if its format allows that: condition first, arguments quoted. */
export function writeShellLine(entry: CommandEntry): ShellLine | undefined {
  const { handler } = entry;
  if (handler.type !== 'command') return undefined;
  const { command, args, cwd, env } = handler;
  const inside = args === undefined ? command : [command, ...args].map(quote).join(' ');
  const before = writeSurroundings(cwd, env);
  const line = `${before}${inside}`;
  const condition = conditionCommand(entry);
  return {
    command: condition !== undefined ? `( ${condition}\n) || exit 0\n${line}` : line,
    converted: [
      ...(args === undefined ? [] : (['arguments'] as const)),
      ...(condition !== undefined ? (['condition'] as const) : []),
      ...(before === '' ? [] : (['surroundings'] as const)),
    ],
  };
}

/** Its variables and its folder, in front of it. */
function writeSurroundings(cwd: string | undefined, env: CommandHandler['env'] = {}): string {
  const set = Object.entries(env).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  return `${set.join('')}${cwd === undefined ? '' : `cd ${quote(cwd)} || exit 1\n`}`;
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const BASH =
  /\[\[|<<<|=~|[<>]\(|\$\{\w+(?:\/|\^|,|:\d|\[)|\bfunction \w|\bdeclare |\blocal |\bsource |\$'|\w\+?=\(|&>|\bset -o pipefail|\(\(/;

/** Whether a line uses syntax that only bash understands. */
export function needsBash(command: string): boolean {
  return BASH.test(command);
}
