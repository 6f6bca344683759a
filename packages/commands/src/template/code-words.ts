import { type ShellLine, type ShellLineCommand, UNKNOWN } from '@spec/hooks';
import {
  baseName,
  type CodeInterpreter,
  codeInterpreters,
  declares,
  evaluates,
  findInterpreter,
  TELLS_A_SHELL,
} from './interpreters.ts';

/** What a word of a command holds. */
export interface WordContents {
  /** Whether it holds a value. */
  hasValue(word: string): boolean;
  /** Whether it is a path that begins with the sandbox, the only value from the operator. */
  isInSandbox(word: string): boolean;
}

/** A word that would run as code, and the rest of a sentence about its value. */
export interface CodeWord {
  readonly word: string;
  readonly problem: string;
}

const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;
const AS_NAME =
  "is in the position of a command's name. Write the command, and hand the value to it as an argument.";
const OR_STDIN = 'Or read it from standard input, where the payload is as JSON.';

/** The first value that would run as code, however it is quoted; `undefined` if all values are only handed over. */
export function findCode({ commands }: ShellLine, contents: WordContents): CodeWord | undefined {
  for (const command of commands) {
    const found = findCodeWord(command, contents);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Why no place on a line is safe: a shell on it reads the output of something else, or it declares variables that calculate. */
export function taintsAll({ commands }: ShellLine): string | undefined {
  for (const { runs, words, prefix } of commands) {
    if (runs.runsUnknown)
      return 'is on a line where a shell reads its commands from its input. Give that shell a file or -c.';
    if (runs.lines.some((line) => line.includes(UNKNOWN)))
      return 'is on a line where a shell runs what a variable or another command says, and that may be the value. Hand it over as an argument.';
    const [name = '', ...rest] = words.slice(prefix);
    if (declares.has(name) && rest.some((word) => /^-\w*[in]/.test(word)))
      return `is on a line with ${name} -i or -n, after which an assignment runs what it finds in an index. Leave that option out.`;
  }
  return undefined;
}

function findCodeWord(command: ShellLineCommand, contents: WordContents): CodeWord | undefined {
  const { words, prefix, runs } = command;
  const own = words.slice(prefix);
  const { hasValue } = contents;
  const unsafePrefix = words.slice(0, prefix).find((word) => hasValue(word) && !isAssignment(word, contents));
  if (unsafePrefix !== undefined) {
    const problem = 'is in the name of a variable, or in one that tells the shell what to run. Use another.';
    return { word: unsafePrefix, problem };
  }
  const line = runs.lines.find(hasValue);
  for (const start of runs.starts) {
    const found = codeAt({ words: own.slice(start), scripts: command.scripts }, contents);
    if (found !== undefined) return found;
  }
  const option = beforeWrapped(own, runs.starts, contents);
  if (option !== undefined || line === undefined) return option;
  return { word: line, problem: viaArgument('', codeInterpreters[0] as CodeInterpreter) };
}

/** Whether `NAME=` comes first and the value after it, and the name is none of those that tell a shell what to run. */
function isAssignment(word: string, { hasValue }: WordContents): boolean {
  const name = ASSIGNMENT.exec(word)?.[0];
  return name !== undefined && !hasValue(name) && !TELLS_A_SHELL.test(word);
}

const LAUNCHES = /^(?:env|sudo|doas|nohup|nice|timeout|stdbuf|setsid|ionice|chrt)$/;

/** Between a launcher such as `env` or `sudo` and its command, a value could be an option that runs something. */
function beforeWrapped(
  words: readonly string[],
  starts: readonly number[],
  contents: WordContents,
): CodeWord | undefined {
  if (words[0] === 'find' || (starts.length < 2 && !LAUNCHES.test(baseName(words[0] ?? ''))))
    return undefined;
  const end = starts.length < 2 ? words.length : Math.max(...starts);
  const word = words
    .slice(1, end)
    .find((candidate) => contents.hasValue(candidate) && !isAssignment(candidate, contents));
  if (word === undefined) return undefined;
  return { word, problem: `is among the options of ${words[0]}. Put it after the command that runs.` };
}

interface Words {
  readonly words: readonly string[];
  readonly scripts: readonly string[];
}

function codeAt(
  { words: [first = '', ...rest], scripts }: Words,
  contents: WordContents,
): CodeWord | undefined {
  const { hasValue, isInSandbox } = contents;
  if (hasValue(first)) return isInSandbox(first) ? undefined : { word: first, problem: AS_NAME };
  const name = baseName(first);
  const interpreter = findInterpreter(name);
  const script = scripts.find(hasValue);
  if (interpreter !== undefined && script !== undefined)
    return { word: script, problem: viaArgument(name, interpreter) };
  const word = builtinCode(name, rest, contents);
  if (word !== undefined) return word;
  for (const [at, candidate] of [first, ...rest].entries()) {
    const found = findInterpreter(baseName(candidate));
    if (found === undefined || (at > 0 && !beginsCode(found, rest[at]))) continue;
    const code = programCode(found, rest.slice(at), contents);
    if (code !== undefined) return { word: code, problem: viaArgument(baseName(candidate), found) };
  }
  return undefined;
}

/** After other words, as in `docker exec box sh -c …`, a name counts as an interpreter if an option with code follows. */
function beginsCode({ code = /^-[A-Za-z]*c$/ }: CodeInterpreter, next: string | undefined): boolean {
  return next !== undefined && code.test(next);
}

/** The word with a value where an interpreter expects options, code or a file of code. */
function programCode(
  { code, values = {}, data, permutes = false }: CodeInterpreter,
  words: readonly string[],
  { hasValue, isInSandbox }: WordContents,
): string | undefined {
  let hasProgram = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--') return hasProgram ? undefined : words.slice(at + 1, at + 2).find(hasValue);
    if (code?.test(word)) {
      if (words.slice(at + 1, at + 2).some(hasValue)) return words[at + 1];
      hasProgram = true;
      at++;
    } else if (hasValue(word)) return !hasProgram && isInSandbox(word) ? undefined : word;
    else if (word.startsWith('-') || word.startsWith('+')) {
      hasProgram ||= word === '-f';
      const own = words.slice(at + 1, at + 1 + (values[word] ?? 0));
      const unsafe = data?.test(word) ? undefined : own.find(hasValue);
      if (unsafe !== undefined) return unsafe;
      at += own.length;
    } else if (!permutes) return undefined;
    else hasProgram = true;
  }
  return undefined;
}

function viaArgument(name: string, { instead }: CodeInterpreter): string {
  const who = name === '' ? 'a shell' : name;
  return `is where ${who} looks for code or options. Hand it over as an argument: ${instead}. ${OR_STDIN}`;
}

function builtinCode(name: string, rest: readonly string[], contents: WordContents): CodeWord | undefined {
  const { hasValue, isInSandbox } = contents;
  const isFile = name === '.' || name === 'source';
  const word = rest.find((candidate) => hasValue(candidate) && !(isFile && isInSandbox(candidate)));
  if (word === undefined) return undefined;
  if (evaluates.has(name))
    return {
      word,
      problem: `is given to ${name}, which runs what it says. Use another command. ${OR_STDIN}`,
    };
  if (declares.has(name)) return declaredCode(name, rest, contents);
  if (name === 'printf' && rest.slice(0, rest.findIndex(isFormat) + 1).some(hasValue))
    return { word, problem: "is in the format of printf. Write printf '%s' VALUE." };
  if (name === '[' || name === 'test' || name === '[[') return testedCode(name, rest, contents);
  return undefined;
}

const isFormat = (word: string, at: number, words: readonly string[]): boolean =>
  word !== '--' && word !== '-v' && words[at - 1] !== '-v';

function declaredCode(name: string, rest: readonly string[], contents: WordContents): CodeWord | undefined {
  const hasOption = rest.some((word) => word.startsWith('-'));
  const word = rest.find(
    (candidate) => contents.hasValue(candidate) && (hasOption || !isAssignment(candidate, contents)),
  );
  if (word === undefined) return undefined;
  return { word, problem: `is given to ${name} with options or as a name. Write ${name} NAME=VALUE.` };
}

const UNARY = new Set('-n -z -b -c -d -e -f -g -h -k -L -p -r -s -S -u -w -x -O -G -N'.split(' '));
const COMPARES = new Set('= == != < > -nt -ot -ef =~'.split(' '));
const CALCULATES = new Set('-eq -ne -lt -le -gt -ge'.split(' '));

/** In `[[ ]]` a numeric comparison runs commands in an index; in `[ ]` a value must not be taken for an operator. */
function testedCode(name: string, rest: readonly string[], { hasValue }: WordContents): CodeWord | undefined {
  const isPart = (word: string | undefined): boolean =>
    word !== undefined && (COMPARES.has(word) || (name !== '[[' && CALCULATES.has(word)));
  const operands = rest.filter((word) => word !== ']' && word !== ']]');
  for (const [at, word] of operands.entries()) {
    if (!hasValue(word) || isPart(operands[at - 1]) || isPart(operands[at + 1])) continue;
    if (operands.length === 1 || UNARY.has(operands[at - 1] ?? '')) continue;
    return {
      word,
      problem: `is where ${name} may take it for more than text. Write [ -n VALUE ] or [ VALUE = text ].`,
    };
  }
  return undefined;
}
