import { conditionCommand } from '../dialect-traits.ts';
import type { CommandEntry } from '../normal-form.ts';

/** A command as one shell line, and what had to be rewritten for it. */
export interface ShellLine {
  readonly command: string;
  readonly converted: readonly ('arguments' | 'condition')[];
}

/** Writes a command entry as one line if its format allows that: condition first, arguments quoted. */
export function shellLine(entry: CommandEntry): ShellLine | undefined {
  const { handler } = entry;
  if (handler.type !== 'command') return undefined;
  const { command, args } = handler;
  const line = args === undefined ? command : [command, ...args].map(quoted).join(' ');
  const condition = conditionCommand(entry);
  return {
    command: condition !== undefined ? `( ${condition}\n) || exit 0\n${line}` : line,
    converted: [
      ...(args === undefined ? [] : (['arguments'] as const)),
      ...(condition !== undefined ? (['condition'] as const) : []),
    ],
  };
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const BASH =
  /\[\[|<<<|=~|[<>]\(|\$\{\w+(?:\/|\^|,|:\d|\[)|\bfunction \w|\bdeclare |\blocal |\bsource |\$'|\w\+?=\(|&>|\bset -o pipefail|\(\(/;

/** Whether a line uses syntax that only bash understands. */
export function needsBash(command: string): boolean {
  return BASH.test(command);
}
