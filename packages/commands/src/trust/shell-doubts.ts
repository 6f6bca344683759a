import { runsInIndex } from '@spec/hooks';

const CONTINUES = 'continues lines where shells disagree';
/** Signs that a shell text runs, sets or loads something that its words do not show. */
const DOUBTS: readonly (readonly [RegExp, string])[] = [
  [/\(\(/, 'calculates, which can set variables and run what they hold'],
  // The next `[[` ends the search for one that begins before it: a long text takes no time of its square.
  [/\[\[\s(?:(?!\s\]\]|\[\[\s)[\s\S])*?\s-(?:eq|ne|lt|le|gt|ge|v|R)\s/, 'compares what the shell may run'],
  [/\]\](?![\s]*(?:[;&|)}\]"'#]|\n|$))(?!:)/, 'has a condition that goes on in an unusual way'],
  [/(?:^|[\s;&|({])(?:for\s+\w+\s*;?\s*do\b|select\s)/, 'has a loop over words that the line does not name'],
  [/\$\{(?:!|#?\w+(?:\[[@*\d]*\])?(?:@|:?=))/, 'has an expansion that can run or set something'],
  [/\$\{\w+:(?![-+?=\s\d])|\$\{[#!]?\w+\[(?![@*\d]+\])/, 'calculates in an expansion'],
  [/\{\w+\}[<>]/, 'has a redirection that sets a variable'],
  [/\r/, 'has carriage returns, which shells take for a part of a word'],
  [/[<$]\\\r?\n/, CONTINUES],
];

/** Why a shell text cannot be read for certain, as the end of a sentence; `undefined` if it can. */
export function findDoubt(text: string): string | undefined {
  const doubt = DOUBTS.find(([pattern]) => pattern.test(text))?.[1];
  const document = text.indexOf('<<');
  return doubt ?? (document >= 0 && text.includes('\\\n', document) ? CONTINUES : undefined);
}

const SETTERS =
  /^(?:export|declare|typeset|local|readonly|read|mapfile|readarray|getopts|let|unset|printf|wait|for)$/;
const DECLARERS = /^(?:export|declare|typeset|local|readonly)$/;
const OTHER_FOLDER = /^-(?:execdir|okdir)$/;
const INTERPRETER_IN_WORD =
  /(?:^|[\s/!=])(?:ba|da|z|k)?sh(?:\s|$)|(?:^|[\s/!=])(?:python[\d.]*|node|perl|ruby)(?:\s|$)/;

/** How a command changes variables or folders in ways that its words do not show. @param isLoading whether a name says what programs load */
export function findCommandDoubt(
  base: string,
  args: readonly string[],
  isLoading: (name: string) => boolean,
): string | undefined {
  if (base === 'find' && args.some((arg) => OTHER_FOLDER.test(arg)))
    return 'runs commands in folders that it finds';
  if (base === 'env' || base === 'sudo') return findLauncherDoubt(base, args);
  if (runsInIndex(base, args)) return 'has an index that can run something';
  if (!SETTERS.test(base)) return undefined;
  if (base === 'let') return 'calculates, which can set variables and run what they hold';
  if (args.some((arg) => isLoading(/^\w+/.exec(arg)?.[0] ?? '')))
    return 'sets a variable that says what programs load';
  if (DECLARERS.test(base) && args.some((arg) => /^[^=]*\uFFFF/.test(arg) || /^-\w*n/.test(arg)))
    return 'sets variables that only the shell can tell';
  if (base === 'printf' && args.some((arg) => arg.startsWith('-v')))
    return 'sets a variable to what it prints';
  if (/^(?:mapfile|readarray)$/.test(base) && args.some((arg) => /^-\w*C/.test(arg)))
    return 'runs a command for the lines that it reads';
  if (/^(?:read|unset)$/.test(base) && args.some((arg) => arg.includes('\uFFFF')))
    return 'sets variables that only the shell can tell';
  return undefined;
}

const PLAIN_OPTIONS: Readonly<Record<string, RegExp>> = {
  env: /^(?:-|-[i0]|-u|-u\w+|--unset=\w+|--ignore-environment|-S|-C)$/,
  sudo: /^-(?:[nEHkS]+|u)$/,
};

/** Options of a launcher may change its folder or split words differently. */
function findLauncherDoubt(base: 'env' | 'sudo', args: readonly string[]): string | undefined {
  for (const [i, arg] of args.entries()) {
    const before = args[i - 1];
    if (before === '-S' && /[\\$#'"]/.test(arg)) return 'splits words in its own way';
    if (before !== undefined && /^-[uC]$/.test(before)) continue;
    if (!arg.startsWith('-')) {
      if (/^\w+=/.test(arg)) continue;
      return undefined;
    }
    if (PLAIN_OPTIONS[base]?.test(arg) !== true)
      return `starts ${base} with an option that may change what runs`;
  }
  return undefined;
}

/** Whether an unknown program is given a program that runs scripts, or is the loader that starts programs. */
export function namesInterpreter(base: string, args: readonly string[]): boolean {
  return /^ld-(?:linux|musl)/.test(base) || args.some((arg) => INTERPRETER_IN_WORD.test(arg));
}
