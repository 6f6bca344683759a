import { readShellLine, type ShellLineCommand, type ShellStep, UNKNOWN } from '@spec/hooks';
import { expandWith, GLOB, type Known, withoutMarks } from './expand.ts';
import { findDoubt } from './shell-doubts.ts';

/** A command that may run; marks stand for expansions in its words. */
export interface ReadCommand extends Pick<ShellStep, 'before' | 'role' | 'after'> {
  /** The words, its name first. */
  readonly words: readonly string[];
  /** The here-documents of its input. */
  readonly scripts: readonly string[];
  /** Variables that are set for it or that it sets. */
  readonly assigned: readonly string[];
}

/** The readable part of a shell text. */
export interface ReadText {
  readonly commands: readonly ReadCommand[];
  /** The names of the variables known in it. */
  readonly variables: readonly string[];
  /** Why part of it cannot be read, as the end of a sentence about the command. */
  readonly unread?: string;
}

/** Limits for lines within lines, and for rounds until the variables of a text are known. */
const DEPTH = 6;
const ROUNDS = 4;

/** Reads a shell text and all lines inside it, such as those of `sh -c`. Fills in what is known. */
export function readCommands(text: string, known: Known, depth: number = DEPTH): ReadText {
  if (depth === 0) return unreadable('has lines within lines within lines');
  const plain = withoutMarks(text);
  let inside = known;
  let lines = readSteps(plain, inside);
  for (let round = 0; round < ROUNDS && lines !== undefined; round++) {
    inside = { ...known, variables: new Map([...known.variables, ...readVariables(lines)]) };
    lines = readSteps(plain, inside);
  }
  if (lines === undefined) return unreadable('cannot be read for certain');
  const texts = lines.map((line) => inLine(line, inside, depth));
  const unread = findDoubt(plain) ?? texts.find((one) => one.unread !== undefined)?.unread;
  return {
    commands: texts.flatMap(({ commands }) => commands),
    variables: [...inside.variables.keys()],
    ...(unread === undefined ? {} : { unread }),
  };
}

const unreadable = (unread: string): ReadText => ({ commands: [], variables: [], unread });

function readSteps(text: string, known: Known): readonly ShellStep[] | undefined {
  const line = readShellLine(text, expandWith(known));
  return line && flatten(line.steps);
}

function flatten(steps: readonly ShellStep[]): ShellStep[] {
  return steps.flatMap((step) => [
    ...flatten(step.inside),
    ...(step.isLabel || step.words.length === 0 ? [] : [step]),
  ]);
}

/** A command and those that it launches through `env`, `xargs` or `sh -c`. */
function inLine(
  { words, scripts, prefix, runs, before, role, after }: ShellStep,
  known: Known,
  depth: number,
): Omit<ReadText, 'variables'> {
  const own = words.slice(prefix);
  const assigned = words.filter((word) => ASSIGNMENT.test(word));
  const filled = own.some((word) => FILLS_IN.test(word)) ? own.map(withUnknown) : own;
  const starts = own[0] === 'command' && /^-[vV]/.test(own[1] ?? '') ? [0] : runs.starts;
  const commands = starts
    .filter((start) => !isPlaceholder(own, start))
    .map((start) => ({ words: filled.slice(start), scripts, assigned, before, role, after }));
  const inner = runs.lines.map((line) => readCommands(line, known, depth - 1));
  const unread = inner.find((one) => one.unread !== undefined)?.unread;
  const all = [...commands, ...inner.flatMap((one) => one.commands)];
  const isToldByName = all.some(({ words: [name = ''] }) => name.includes(UNKNOWN));
  return {
    commands: all,
    ...(runs.runsUnknown && !isToldByName ? { unread: 'has a shell read commands from its input' } : {}),
    ...(unread === undefined ? {} : { unread }),
  };
}

/** The first `{}` of `xargs -I {} cp {} x` only names the others. */
function isPlaceholder(words: readonly string[], at: number): boolean {
  return /^-[iIJ]$/.test(words[at - 1] ?? '') && words[at] === '{}';
}

/** Commands that replace `{}` by other words. */
const FILLS_IN = /^(?:.*\/)?(?:xargs|find|parallel)$/;

function withUnknown(word: string): string {
  return word.replaceAll('{}', UNKNOWN);
}

const ASSIGNMENT = /^([A-Za-z_]\w*)(\+?)=([\s\S]*)$/;
const DECLARES = /^(?:export|readonly|local|declare|typeset)$/;
/** Commands that set the variables named in their words. */
const SETS = /^(?:read|mapfile|readarray|getopts|select|let|unset|printf|wait)$/;

/** The name with which a word begins. */
const NAME = /^[A-Za-z_]\w*/;

/** The variables that a text sets. One is known if the text sets it to a single known value. */
function readVariables(lines: readonly ShellLineCommand[]): Map<string, string | undefined> {
  const values = new Map<string, string | undefined>();
  const set = (word: string, value: string | undefined): void => {
    const name = NAME.exec(word)?.[0];
    if (name === undefined) return;
    const isOther = values.has(name) && values.get(name) !== value;
    values.set(name, isOther || value?.includes(UNKNOWN) === true ? undefined : value);
  };
  for (const { words, prefix } of lines) {
    const [name = '', ...rest] = words.slice(prefix);
    // An assignment before a command is only for that command.
    for (const word of words.slice(0, prefix)) assign(word, name === '', set);
    if (DECLARES.test(name)) for (const word of rest) assign(word, true, set);
    if (SETS.test(name)) for (const word of rest) set(word, undefined);
    if (name === 'for') set(rest[0] ?? '', rest[1] === 'in' && rest.length === 3 ? rest[2] : undefined);
  }
  return lines.some(({ words, prefix }) => words[prefix] === 'eval')
    ? new Map([...values.keys()].map((name) => [name, undefined]))
    : values;
}

function assign(
  word: string,
  isForAll: boolean,
  set: (name: string, value: string | undefined) => void,
): void {
  const [, name, plus, value] = ASSIGNMENT.exec(word) ?? [];
  if (name === undefined) return;
  set(name, isForAll && plus === '' && !GLOB.test(value ?? '') ? value : undefined);
}
