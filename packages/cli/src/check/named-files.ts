import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import { type CheckedStep, shellSteps, UNKNOWN } from './shell-steps.ts';

/** A program or a script that a command cannot do without. */
export interface NamedFile {
  /** A name to look up in PATH, or a path. */
  readonly name: string;
  readonly as: 'command' | 'script';
}

/** Where a command runs, and the file that it stands in. */
export interface CommandFolders {
  /** Absolute. */
  readonly folder: string;
  /** Absolute. */
  readonly settingsPath: string;
}

/** What the words of one command name that runs without a shell. */
export function namedByWords(words: readonly string[], places: CommandFolders): NamedFile[] {
  return findNamedFiles(words.map(markFolders), places);
}

/**
 * What a line names that it runs for certain.
 *
 * 1. Behind `[[ ]]`, `case`, functions, here-documents, what may define commands, and tests for a file that is not there, nothing is certain.
 * 2. What the line asks for first (`command -v`), and what stands behind `||`, it knows what to do without; and so it does where another
 *    program stands behind `||`, and where it hides the errors of a command and goes by whether it failed.
 * 3. Paths below the working folder count while the line is in it, and scripts that the line has not named before: it may write them.
 */
export function namedBy(line: string, places: CommandFolders): NamedFile[] {
  const text = markFolders(line);
  const found: NamedFile[] = [];
  const steps = shellSteps(text);
  const reading: Reading = { asked: new Set(namesAskedFor(steps)), isMoved: false };
  for (const [at, step] of steps.entries()) {
    if (!step.isCertain) continue;
    if (asksForFile(step, places)) break;
    const named = step.before === '||' ? [] : findAllNamed(step.words, places);
    if (isSpare(step, steps[at + 1]))
      for (const { name, as } of named) if (as === 'command') reading.asked.add(name);
    found.push(...named.filter((one) => isNeeded(one, step, reading)));
    reading.isMoved ||= moves(step, places);
    if (mayDefine(step)) break;
  }
  return found;
}

function findAllNamed(words: readonly string[], places: CommandFolders): NamedFile[] {
  return [...findNamedFiles(words, places), ...namedInside(words, places)];
}

/** What is known of a line up to one of its steps. */
interface Reading {
  /** The programs that it knows what to do without. */
  readonly asked: Set<string>;
  /** It left the working folder. */
  isMoved: boolean;
}

/** The names on a line, and on the lines that it hands to shells. */
function namesAskedFor(steps: readonly CheckedStep[]): string[] {
  const handed = steps.flatMap(({ lines }) => lines).flatMap((line) => shellSteps(line));
  return [...steps, ...handed].flatMap(({ words: [name = '', ...args] }) => {
    const isAsking = name === 'command' ? /^-[vV]$/.test(args[0] ?? '') : ASKS.has(name);
    return isAsking ? args.filter((arg) => !arg.startsWith('-')) : [];
  });
}

const ASKS: ReadonlySet<string> = new Set(['which', 'type', 'hash']);

/** The line goes on in another way where this fails. */
function isSpare({ after, errors, isCondition }: CheckedStep, next: CheckedStep | undefined): boolean {
  if (errors === 'elsewhere') return isCondition || after === '||' || after === '&&';
  return after === '||' && isProgram(next);
}

function isNeeded(
  { name, as }: NamedFile,
  { textBefore }: CheckedStep,
  { asked, isMoved }: Reading,
): boolean {
  const isBelow = !isAbsolute(name) && (as === 'script' || name.includes('/'));
  if (isMoved && isBelow) return false;
  return as === 'command' ? !asked.has(name) : !textBefore.includes(basename(name));
}

/** What a shell does by itself. */
const BUILT_IN = new Set(
  `. : [ [[ alias bg bind break builtin caller case cd command compgen complete continue coproc declare dirs disown do done echo
  elif else enable esac eval exec exit export false fc fg fi for function getopts hash help history if in jobs kill let local
  logout mapfile popd printf pushd pwd read readarray readonly return select set shift shopt source suspend test then time times
  trap true type typeset ulimit umask unalias unset until wait while { } ! (( ))`.split(/\s+/),
);

/** Commands that run the command behind them, with how many words of their own stand before it. */
const WRAPPERS: ReadonlyMap<string, number> = new Map([
  ['exec', 0],
  ['command', 0],
  ['env', 0],
  ['nohup', 0],
  ['setsid', 0],
  ['sudo', 0],
  ['time', 0],
  ['timeout', 1],
  ['xargs', 0],
]);

/** Options of `xargs`; a letter alone takes the next word. */
const XARGS_OPTION = /^-(?:[0rtx]+|[adEILnPs]\S*)$/;

function behindXargs(words: readonly string[]): readonly string[] {
  let at = 0;
  while (XARGS_OPTION.test(words[at] ?? '')) at += /^-[adEILnPs]$/.test(words[at] as string) ? 2 : 1;
  return words.slice(at);
}

function findNamedFiles([first = '', ...rest]: readonly string[], places: CommandFolders): NamedFile[] {
  const name = resolveWord(first, places);
  if (name === undefined) return [];
  const own: NamedFile[] = BUILT_IN.has(name) ? [] : [{ name, as: 'command' }];
  const taken = WRAPPERS.get(name);
  if (taken !== undefined) {
    const behind = name === 'xargs' ? behindXargs(rest) : rest.slice(taken);
    const inner = name === 'env' ? behind.slice(firstNot(/^\w+=/, behind)) : behind;
    const hasOptions = (name === 'xargs' ? behind : rest)[0]?.startsWith('-') === true;
    return hasOptions ? own : [...own, ...findNamedFiles(inner, places)];
  }
  const script = findScript(name, rest, places);
  return script === undefined ? own : [...own, { name: script, as: 'script' }];
}

const SHELL = /^(?:ba|da|z|k)?sh$/;

/** What the line of `sh -c LINE` names. */
function namedInside(words: readonly string[], places: CommandFolders): NamedFile[] {
  const [name = '', ...args] = words;
  const wrapped = WRAPPERS.get(name);
  if (wrapped !== undefined) return namedInside(args.slice(wrapped), places);
  const at = firstNot(/^-[eux]+$/, args);
  const line = args[at + 1];
  const isLine = SHELL.test(basename(name)) && /^-[eux]*c$/.test(args[at] ?? '');
  return isLine && line !== undefined ? namedBy(line, places) : [];
}

function firstNot(pattern: RegExp, words: readonly string[]): number {
  const at = words.findIndex((word) => !pattern.test(word));
  return at < 0 ? words.length : at;
}

/** Interpreters, with options that take no value and leave the first word behind them a file. */
const INTERPRETERS: readonly (readonly [name: RegExp, harmless: RegExp])[] = [
  [SHELL, /^(?:-[euxl]+|--norc|--noprofile)$/],
  [/^python[\d.]*$/, /^-[BEIOSsu]+$/],
  [/^(?:(?:node|ruby|perl|php|lua)[\d.]*|tsx|ts-node|source|\.)$/, /^--no-warnings$/],
];

function findScript(
  interpreter: string,
  words: readonly string[],
  places: CommandFolders,
): string | undefined {
  const harmless = INTERPRETERS.find(([name]) => name.test(basename(interpreter)))?.[1];
  if (harmless === undefined) return undefined;
  const script = words[firstNot(harmless, words)];
  return script === undefined ? undefined : resolveWord(script, places);
}

/** The step asks for a file that is not there now: what stands behind it may never run. */
function asksForFile({ words }: CheckedStep, places: CommandFolders): boolean {
  if (words[0] !== '[' && words[0] !== 'test') return false;
  const at = words.findIndex((word) => /^-[efdrwxsLh]$/.test(word));
  if (at < 0) return false;
  const path = resolveWord(words[at + 1] ?? '', places);
  return words.includes('!') || path === undefined || !existsSync(resolve(places.folder, path));
}

function isProgram(step: CheckedStep | undefined): boolean {
  const [name] = step?.words ?? [];
  return name !== undefined && !BUILT_IN.has(name);
}

function moves({ words: [name, to = ''] }: CheckedStep, places: CommandFolders): boolean {
  const isMove = name === 'cd' || name === 'pushd' || name === 'popd';
  return isMove && resolveWord(to, places) !== places.folder;
}

function mayDefine({ words, assigns }: CheckedStep): boolean {
  const [name = ''] = words;
  const sets = [...assigns, ...words.map((word) => word.replace(/=.*$/s, ''))];
  return ['.', 'source', 'eval', 'alias'].includes(name) || sets.includes('PATH');
}

/** Folders that commands name by variables, and characters for private use that stand for them while the line is read. */
const FOLDERS: readonly (readonly [name: RegExp, mark: string])[] = [
  [/\$\{CLAUDE_PROJECT_DIR\}|\$CLAUDE_PROJECT_DIR\b/g, '\uE000'],
  [/\$\{CLAUDE_PLUGIN_ROOT\}|\$CLAUDE_PLUGIN_ROOT\b/g, '\uE001'],
  [/\$\{HOME\}|\$HOME\b|(?<![\w/"'=:.-])~(?=\/)/g, '\uE002'],
];

function markFolders(text: string): string {
  const plain = text.replace(/\{\{[^}]*\}\}|[\uE000-\uE002]/g, UNKNOWN);
  return FOLDERS.reduce((line, [name, mark]) => line.replace(name, mark), plain);
}

/** A word as a path or a name; `undefined` where only the shell will know. */
function resolveWord(word: string, { folder, settingsPath }: CommandFolders): string | undefined {
  const isPlain = /^[\w@%+.,:/\uE000-\uE002 -]+$/.test(word) && /[\w.]/.test(word) && !word.startsWith('-');
  const isPlugin = basename(settingsPath) === 'hooks.json' && basename(dirname(settingsPath)) === 'hooks';
  if (word === '\uE000') return folder;
  if (!isPlain || (word.includes('\uE001') && !isPlugin)) return undefined;
  const folders = [folder, resolve(settingsPath, '..', '..'), homedir()];
  return word.replace(/[\uE000-\uE002]/g, (mark) => folders[mark.charCodeAt(0) - 0xe000] as string);
}
