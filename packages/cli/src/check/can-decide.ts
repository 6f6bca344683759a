import { type CommandEntry, conditionCommand } from '@spec/commands';
import { type CheckedStep, shellSteps } from './shell-steps.ts';

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

/**
 * Whether an entry may refuse something. One that cannot, such as `date >> log.txt`, guards nothing, and what its failures do is nobody's
 * concern. Where a line cannot be read for certain, it may.
 */
export function canDecide(entry: CommandEntry): boolean {
  const { handler, effects } = entry;
  if (handler.type !== 'command' || handler.args !== undefined || effects.onExit !== 'continue') return true;
  if (conditionCommand(entry) !== undefined) return true;
  const steps = shellSteps(handler.command);
  // What stands between `[[` and `]]` are no commands, unless a `$( )` among it runs one.
  const running = steps.filter(({ role }) => role !== 'test');
  return steps.length === 0 || running.some((_, at) => mayRefuse(running, at));
}

function mayRefuse(steps: readonly CheckedStep[], at: number): boolean {
  const { words, output, isInside } = steps[at] as CheckedStep;
  const [program, ...args] = words;
  if (program === undefined) return false;
  if (program === 'exit') return args.join() !== '0';
  if (SILENT.has(program)) return false;
  if (!PRINTING.has(program)) return true;
  return output === 'shown' && !isInside && mayPrintAnswer(steps, at);
}

/** A filter prints what is piped into it; what other programs print is not known. */
function mayPrintAnswer(steps: readonly CheckedStep[], at: number): boolean {
  const { words, before } = steps[at] as CheckedStep;
  const [program, ...args] = words;
  if (program === 'echo') return args.some((text) => text.includes('{'));
  return before !== '|' || !FILTERS.has(program ?? '') || mayPrintAnswer(steps, at - 1);
}
