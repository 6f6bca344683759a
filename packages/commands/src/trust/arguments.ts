import { UNKNOWN } from '@spec/hooks';
import type { Interpreter, OptionSort } from './languages.ts';

/** What an interpreter runs according to its arguments. */
export interface Given {
  readonly files: readonly string[];
  readonly code: readonly string[];
  readonly modules: readonly string[];
  /** The letters of options without a value before all of these. */
  readonly flags: string;
  /** It reads code from its input. */
  readonly readsInput: boolean;
  /** Why some of it is unknown, as the end of a sentence about the command. */
  readonly unread?: string;
}

interface Reading {
  readonly args: readonly string[];
  at: number;
  readonly found: Record<'file' | 'code' | 'module' | 'line', string[]>;
  flags: string;
  readsInput: boolean;
  unread: string | undefined;
}

/** Reads the arguments of an interpreter as it does. For an argument that it does not know, it says so instead of guessing. */
export function readArguments(interpreter: Interpreter, args: readonly string[]): Given {
  const reading: Reading = {
    args,
    at: 0,
    found: { file: [], code: [], module: [], line: [] },
    flags: '',
    readsInput: false,
    unread: undefined,
  };
  while (reading.at < args.length && reading.unread === undefined) {
    const isOperand = readArgument(interpreter, reading, args[reading.at++] as string);
    if (isOperand && interpreter.permutes !== true) break;
  }
  const { file, code, module, line } = reading.found;
  const isFed = file.length + code.length + module.length + line.length === 0 && !asksForItself(args);
  return {
    files: file,
    code,
    modules: module,
    flags: reading.flags,
    readsInput: reading.readsInput || isFed,
    ...(reading.unread === undefined ? {} : { unread: reading.unread }),
  };
}

const isInput = (word: string): boolean => word === '-' || word === '/dev/stdin';

const asksForItself = (args: readonly string[]): boolean =>
  args.some((word) => /^(?:--version|--help|-V|-v|-h)$/.test(word));

/** Reads one argument. True for the operand that ends the options. */
function readArgument(interpreter: Interpreter, reading: Reading, word: string): boolean {
  // Shells take their line after all options, but readers of lines disagree on which word that is.
  if (reading.found.line.length > 0 && /^[-+]/.test(word)) {
    refuse(reading, word);
    return true;
  }
  if (word === '--') {
    const next = reading.args[reading.at++];
    if (next !== undefined) takeOperand(interpreter, reading, next);
    return true;
  }
  if (isInput(word)) {
    reading.readsInput ||= reading.found.code.length === 0;
    return true;
  }
  if (/^-|^\+[A-Za-z]/.test(word)) {
    readOption(interpreter, reading, word);
    return false;
  }
  if (interpreter.subcommand?.test(word) === true && reading.found.file.length === 0) return false;
  if (interpreter.subcommand !== undefined && !/[./]/.test(word)) {
    reading.unread = `runs ${word}, which the project says what it is`;
    return true;
  }
  takeOperand(interpreter, reading, word);
  return true;
}

function takeOperand({ operand }: Interpreter, { found }: Reading, word: string): void {
  const hasCode = found.code.length + found.line.length + found.module.length > 0;
  if (hasCode || (operand === 'code' && found.file.length > 0)) return;
  found[operand ?? 'file'].push(word);
}

function readOption({ words, letters }: Interpreter, reading: Reading, word: string): void {
  const [name, value] = splitAtEqual(word);
  const long = words.find(([pattern]) => pattern.test(name))?.[1];
  if (long !== undefined) take(reading, { sort: long, attached: value, word });
  else if (word.startsWith('--')) refuse(reading, word);
  else readLetters(letters, reading, word);
}

/** Letters after one `-`; an option with a value takes the rest of the word. */
function readLetters(letters: Interpreter['letters'], reading: Reading, word: string): void {
  const { code, file, module } = reading.found;
  const isFirst = code.length + file.length + module.length === 0;
  for (let i = 1; i < word.length; i++) {
    const sort = letters[word[i] as string];
    if (sort === 'flag' && isFirst) reading.flags += word[i];
    if (sort === undefined) refuse(reading, word);
    else take(reading, { sort, attached: word.slice(i + 1) || undefined, word });
    if (sort !== undefined && !STANDS_ALONE.includes(sort)) break;
  }
}

/** In `-ec` the line is the first operand. */
const STANDS_ALONE: readonly OptionSort[] = ['flag', 'line', 'input'];

function splitAtEqual(word: string): readonly [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

interface Option {
  readonly sort: OptionSort;
  readonly attached: string | undefined;
  readonly word: string;
}

function take(reading: Reading, { sort, attached, word }: Option): void {
  if (sort === 'flag' || sort === 'attached') return;
  if (sort === 'input') {
    reading.readsInput = true;
    return;
  }
  if (sort === 'line') {
    reading.found.line.push(word);
    return;
  }
  const value = attached ?? reading.args[reading.at++];
  if (sort === 'value') return;
  if (value === undefined) refuse(reading, word);
  else if (sort === 'file' && isInput(value)) reading.readsInput = true;
  else reading.found[sort].push(value);
}

function refuse(reading: Reading, word: string): void {
  const shown = word.includes(UNKNOWN) ? '' : ` ${word}`;
  reading.unread = `has an option${shown} that may load code`;
}
