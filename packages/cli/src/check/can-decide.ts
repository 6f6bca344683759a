import { type CommandEntry, conditionCommand } from '@spec/commands';
import { readShellLine } from '@spec/hooks';
import { type ShellStep, shellSteps } from './shell-steps.ts';

/** Programs that are not used to refuse anything, and print nothing that a format could read as an answer. */
const SILENT = new Set(
  'true : test [ [[ cd mkdir cp mv rm touch sleep export read local set unset shift logger notify-send osascript say afplay'.split(
    ' ',
  ),
);

/** Programs that are not used to refuse anything, and print what they are given. */
const PRINTING = new Set(
  'echo printf date cat jq tee tr cut head tail wc sort uniq basename dirname pwd whoami hostname ps grep sed awk git'.split(
    ' ',
  ),
);

const FILTERS = new Set('cat tee tr cut head tail wc sort uniq grep'.split(' '));

/** What stands in `[[ ]]` are no commands, as long as nothing in it runs one. */
const BASH_TEST = /(?<!\S)\[\[\s(?:(?!\]\]|\$\(|`)[\s\S])*\s\]\](?=[\s;&|)]|$)/g;

/**
 * Whether an entry may refuse something. One that cannot, such as `date >> log.txt`, guards nothing, and what its failures do is nobody's
 * concern. Where a line cannot be read for certain, it may.
 */
export function canDecide(entry: CommandEntry): boolean {
  const { handler, effects } = entry;
  if (handler.type !== 'command' || handler.args !== undefined || effects.onExit !== 'continue') return true;
  if (conditionCommand(entry) !== undefined) return true;
  const command = handler.command.replace(BASH_TEST, ' true ');
  const steps = shellSteps(command);
  const count = readShellLine(command)?.commands.length ?? Number.POSITIVE_INFINITY;
  return steps.length === 0 || steps.length < count || steps.some((_, at) => mayRefuse(steps, at));
}

function mayRefuse(steps: readonly ShellStep[], at: number): boolean {
  const { words, output, isInside } = steps[at] as ShellStep;
  const [program, ...args] = words;
  if (program === undefined) return false;
  if (program === 'exit') return args.join() !== '0';
  if (SILENT.has(program)) return false;
  if (!PRINTING.has(program)) return true;
  return output === 'shown' && !isInside && mayPrintAnswer(steps, at);
}

/** A filter prints what is piped into it; what other programs print is not known. */
function mayPrintAnswer(steps: readonly ShellStep[], at: number): boolean {
  const { words, before } = steps[at] as ShellStep;
  const [program, ...args] = words;
  if (program === 'echo') return args.some((text) => text.includes('{'));
  return before !== '|' || !FILTERS.has(program ?? '') || mayPrintAnswer(steps, at - 1);
}
