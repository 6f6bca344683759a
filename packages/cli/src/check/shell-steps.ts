import { readShellLine } from '@spec/hooks';

/** Stands in words for what only the shell will know. */
export const UNKNOWN = '\uFFFF';

/** One command of a shell line, between the operators around it. */
export interface ShellStep {
  /** From the command's name on, without keywords and assignments; quotes removed. */
  readonly words: readonly string[];
  /** The variables that it sets, for itself or for the line. */
  readonly assigns: readonly string[];
  /** The line up to here. */
  readonly textBefore: string;
  /** `&&`, `||`, `|`, `;`, `(` … or nothing. */
  readonly before: string;
  readonly after: string;
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

/** Takes a line apart; nothing, where it cannot be read for certain. */
export function shellSteps(line: string, isInside = false): ShellStep[] {
  const outline = outlineOf(line);
  if (outline === undefined) return [];
  const { text, masked, inner } = outline;
  const doubt = masked.search(DOUBTFUL);
  const end = doubt < 0 ? masked.length : doubt;
  const cuts = [...masked.matchAll(OPERATOR), undefined];
  let start = 0;
  let before = ';';
  return cuts.flatMap((cut) => {
    const { index = masked.length, 0: after = '' } = cut ?? {};
    const step = stepOf(outline, { start, end: index, isCertain: index <= end, before, after, isInside });
    const nested = inner
      .filter(({ at }) => at >= start && at < index)
      .flatMap(({ at, text: line }) => nestedSteps(line, text.slice(0, at), at < end && before !== '||'));
    start = index + after.length;
    before = after;
    return step === undefined ? nested : [...nested, step];
  });
}

function nestedSteps(line: string, textBefore: string, isCertain: boolean): ShellStep[] {
  return shellSteps(line, true).map((step) => ({
    ...step,
    isCertain: step.isCertain && isCertain,
    textBefore: `${textBefore}${step.textBefore}`,
  }));
}

/** Whether a line uses `[[`, which bash knows and sh does not. */
export function usesBashTest(line: string): boolean {
  const outline = outlineOf(line);
  return (
    outline !== undefined &&
    (BASH_TEST.test(outline.masked) || outline.inner.some(({ text }) => usesBashTest(text)))
  );
}

const BASH_TEST = /(?:^|[;&|\n({!]|(?<![\w-])(?:if|then|elif|else|while|until|do))\s*\[\[(?=\s)/;

/** What a line holds whose parts are no commands, or of which it is open whether they run. */
const DOUBTFUL = /\[\[|(?<![\w./-])(?:case|function)(?![\w./-])|[\w-]+\s*\(\s*\)|<<(?!<)|\(\(/;

const OPERATOR = /&&|\|\||;;|[;\n()]|\|&?|(?<![<>])&(?!>)/g;

interface Outline {
  /** Without what stands in `$( )` and backticks. */
  readonly text: string;
  /** As long as `text`; quotes, comments and the like are filled with a letter. */
  readonly masked: string;
  /** What stands in `$( )`. */
  readonly inner: readonly { readonly text: string /** Where in `text` it stood. */; readonly at: number }[];
}

function outlineOf(line: string): Outline | undefined {
  const spans = readShellLine(line)?.spans.filter(
    ({ kind }) => kind === 'substitution' || kind === 'backticks',
  );
  if (spans === undefined) return undefined;
  const outer = spans
    .map(({ kind, start, end }) => ({ start: start - (kind === 'backticks' ? 1 : 2), end, kind }))
    .filter((one, _, all) => !all.some((other) => other.start < one.start && one.end <= other.end))
    .toSorted((a, b) => a.start - b.start);
  let text = '';
  let read = 0;
  const inner = outer.flatMap(({ kind, start, end }) => {
    text += line.slice(read, start);
    const { length: at } = text;
    text += '$_';
    read = end;
    const isCommands = kind === 'substitution' && line[start + 2] !== '(';
    return isCommands ? [{ text: line.slice(start + 2, end - 1), at }] : [];
  });
  text += line.slice(read);
  const masked = maskOf(text);
  return masked === undefined ? undefined : { text, masked, inner };
}

function maskOf(text: string): string | undefined {
  const spans = readShellLine(text)?.spans.filter(({ kind }) => kind !== 'redirection');
  if (spans === undefined) return undefined;
  const chars = text.split('');
  for (const { kind, start, end } of spans) {
    const opening = kind === 'comment' || kind === 'here-document' ? 0 : kind === 'parameter' ? 2 : 1;
    chars.fill('x', Math.max(0, start - opening), end);
  }
  return chars.join('').replace(/\\[\s\S]/g, 'xx');
}

interface StepPlace extends Pick<ShellStep, 'before' | 'after' | 'isCertain' | 'isInside'> {
  readonly start: number;
  readonly end: number;
}

function stepOf({ text, masked }: Outline, { start, end, ...more }: StepPlace): ShellStep | undefined {
  const commands = readShellLine(text.slice(start, end))?.commands ?? [];
  const [command] = commands;
  if (command === undefined || commands.length > 1) return undefined;
  const shape = masked.slice(start, end);
  return {
    ...more,
    words: command.words.slice(command.prefix),
    assigns: command.words.slice(0, command.prefix).flatMap((word) => /^\w+(?=\+?=)/.exec(word) ?? []),
    isCondition: /^\s*(?:if|elif|while|until|!)\s/.test(shape),
    textBefore: text.slice(0, start),
    output:
      /(?<!2)>/.test(shape) || (more.after.startsWith('|') && more.after !== '||') ? 'elsewhere' : 'shown',
    errors: /(?:2|&)>|>&/.test(shape) ? 'elsewhere' : 'shown',
  };
}
