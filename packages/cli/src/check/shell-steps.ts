import { readShellLine, type ShellStep } from '@spec/hooks';

/** Stands in words for what only the shell will know. */
export const UNKNOWN = '\uFFFF';

/** What a check has to know of one command of a shell line. */
export interface CheckedStep extends Pick<ShellStep, 'before' | 'after' | 'role'> {
  /** From the command's name on, without keywords and assignments; quotes removed. */
  readonly words: readonly string[];
  /** Lines that it hands to a shell. */
  readonly lines: readonly string[];
  /** The variables that it sets, for itself or for the line. */
  readonly assigns: readonly string[];
  /** The line up to here. */
  readonly textBefore: string;
  /** Where its standard output and its standard error go. */
  readonly output: 'shown' | 'elsewhere';
  readonly errors: 'shown' | 'elsewhere';
  /** No construct stands before it of which it is open what it does with what follows. */
  readonly isCertain: boolean;
  /** The line goes by whether it fails: `if`, `while`, `!`. */
  readonly isCondition: boolean;
  /** It stands in `$( )`, and what it prints is no output of the line. */
  readonly isInside: boolean;
}

/** The commands of a line, those inside of another before it; nothing, where it cannot be read for certain. */
export function shellSteps(line: string): CheckedStep[] {
  const steps = readShellLine(line)?.steps ?? [];
  return checkSteps(steps, { line, isInside: false, isCertain: true });
}

interface Place {
  readonly line: string;
  readonly isInside: boolean;
  readonly isCertain: boolean;
}

function checkSteps(steps: readonly ShellStep[], place: Place): CheckedStep[] {
  let { isCertain } = place;
  return steps.flatMap((step) => {
    isCertain &&= !leavesOpen(step);
    const isSurelyRun = isCertain && step.before !== '||';
    const inside = checkSteps(step.inside, { ...place, isInside: true, isCertain: isSurelyRun });
    if (step.role === 'pattern') return inside;
    return [...inside, checkStep(step, { ...place, isCertain })];
  });
}

function checkStep(step: ShellStep, { line, isInside, isCertain }: Place): CheckedStep {
  const { words, prefix, runs, before, after, start, role } = step;
  const leading = words.slice(0, prefix);
  const isPiped = after === '|' || after === '|&';
  return {
    words: words.slice(prefix),
    lines: runs.lines,
    assigns: leading.flatMap((word) => /^\w+(?=\+?=)/.exec(word) ?? []),
    textBefore: line.slice(0, start),
    before,
    after,
    role,
    output: isPiped || isRedirected(step, '1') ? 'elsewhere' : 'shown',
    errors: after === '|&' || isRedirected(step, '2') ? 'elsewhere' : 'shown',
    isCertain,
    isCondition: leading.some((word) => CONDITION.test(word)),
    isInside,
  };
}

const CONDITION = /^(?:if|elif|while|until|!)$/;

/** Whether an output goes to a file or to another output. */
function isRedirected({ redirections }: ShellStep, output: '1' | '2'): boolean {
  return redirections.some(({ descriptor, operator, target }) => {
    if (!operator.includes('>') || operator === '<>') return false;
    const isForBoth =
      operator.startsWith('&') || (operator === '>&' && descriptor === '' && !DESCRIPTOR.test(target));
    return isForBoth || (descriptor || '1') === output;
  });
}

const DESCRIPTOR = /^(?:\d+|-)$/;

/** Whether the parts of a step are no commands, or it is open whether those behind it run. */
function leavesOpen({ words, prefix, after, redirections }: ShellStep): boolean {
  const [name = '', ...more] = words.slice(prefix);
  const isFunction =
    words.slice(0, prefix).includes('function') || (after === '(' && name !== '' && more.length === 0);
  return isFunction || name === '[[' || name === 'case' || redirections.some(isHereDocument);
}

function isHereDocument({ operator }: ShellStep['redirections'][number]): boolean {
  return operator === '<<' || operator === '<<-';
}

/** Whether a line uses `[[`, which bash knows and sh does not. */
export function usesBashTest(line: string): boolean {
  return shellSteps(line).some(({ words }) => words[0] === '[[');
}
