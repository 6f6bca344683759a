import { launchers, lineOptions, RUNS_AS_SETTING, RUNS_ITS_VALUE, SHELL } from './launchers.ts';
import { isCompiler, programOptions } from './own-options.ts';
import { UNKNOWN } from './scan.ts';

const SPECIAL = new RegExp(`[\\s;&|<>()\`$'"\\\\${UNKNOWN}]`);
const COMMAND_OPTION = /^-[A-Za-z]*c[A-Za-z]*$/;

/** The texts among a command's words that a shell, or a program that starts a shell, reads as lines. */
export function linesIn(name: string, words: readonly string[], start: number): string[] {
  const own = words.slice(start + 1);
  if (name === 'eval') return [(own[0] === '--' ? own.slice(1) : own).join(' ')];
  if (SHELL.test(name)) return [...commandArguments(own), ...settings(name, own)];
  // Words of git that are not options are messages and paths. The values of its settings are read below.
  const mayHold = name === 'git' ? own.filter((word) => word.startsWith('-')) : own;
  const options = programOptions(name, own);
  return [
    ...(start > 0 && SPECIAL.test(words[start] as string) ? [words[start] as string] : []),
    ...(launchers.has(name) ? optionValues(own) : []),
    ...(options.length > 0 ? [...mayHold.flatMap(joinedValues), ...listValues(own, new Set(options))] : []),
    ...(name.endsWith('make') ? own.flatMap(makeVariable) : []),
    ...(isCompiler(name) ? own.filter((_, at) => own[at - 1] === '-wrapper').map(parted) : []),
    ...sshLines(name, own),
    ...(name === 'watch' ? [own.slice(own.findIndex((word) => !/^[-\d]/.test(word))).join(' ')] : []),
    ...settings(name, own),
    ...(name === 'git' ? gitLines(own) : []),
  ];
}

/** The line after `-c`. */
function commandArguments(own: readonly string[]): string[] {
  const option = own.findIndex((word) => COMMAND_OPTION.test(word));
  if (option === -1) return [];
  const later = own.slice(option + 1).filter((word) => !word.startsWith('-'));
  const isNext = !/^[-+]/.test(own[option + 1] ?? '') && !/[oO]/.test(own[option] as string);
  return isNext ? later.slice(0, 1) : later;
}

/** Values attached to their option that could be a command line, as in `env --split-string='git push'`. */
function optionValues(own: readonly string[]): string[] {
  return own.filter((word) => /^-\S*\s/.test(word)).map((word) => word.replace(/^--[\w-]+=|^-\w/, ''));
}

/** The possible values in a word with a blank, after one option letter or several. */
function joinedValues(word: string): string[] {
  if (!/\s/.test(word)) return [];
  if (word.startsWith('--')) return [word.slice(word.indexOf('=') + 1)];
  return word.startsWith('-') ? [word.slice(2), word.slice(3), word.slice(4)] : [word];
}

/** The values of options that name a program, even single words. */
function listValues(own: readonly string[], options: ReadonlySet<string>): string[] {
  return own.flatMap((word, at) => {
    const value = options.has(own[at - 1] ?? '') && !(own[at - 1] as string).includes('=') ? [word] : [];
    if (!options.has(word)) return value;
    const attached = word.startsWith('--')
      ? [word.slice(word.indexOf('=') + 1)]
      : [2, 3, 4].map((length) => word.slice(length));
    return [...value, ...attached];
  });
}

/** Commands that recipes run through a variable, such as `CC=…`. Numbers and switches are none. */
function makeVariable(word: string): string[] {
  const value = /^[\w.]+[:+?]*=([\s\S]*)$/.exec(word)?.[1] ?? '';
  return /^(?:\d*|[yn]|yes|no|true|false|on|off)$/i.test(value) ? [] : [value];
}

function parted(program: string): string {
  return program.replaceAll(',', ' ');
}

/** Programs that take ssh settings after `-o`. */
const SSH = /^(?:ssh|scp|sftp|autossh|sshfs|ssh-copy-id)$/;
const SSH_SETTING =
  /^(?:-\w*o)?\s*"?(?:(?:Proxy|Local|KnownHosts|Remote|AuthorizedKeys)Command|Match\s[\s\S]*\bexec)"?\s*=?\s*([\s\S]*)$/i;

/** The lines that ssh runs because of settings after `-o`. */
export function sshLines(name: string, own: readonly string[]): string[] {
  return SSH.test(name) ? own.flatMap(sshSetting) : [];
}

function sshSetting(word: string): string[] {
  const value = SSH_SETTING.exec(word)?.[1];
  return value === undefined ? [] : [value.replace(/^"([\s\S]*)"$/, '$1')];
}

/** Values of options and settings whose name says that they are run. */
function settings(name: string, own: readonly string[]): string[] {
  const option = lineOptions.get(name);
  return own.flatMap((word, at) => {
    const before = own[at - 1] ?? '';
    if (name === 'git' && SAYS_WHO.test(word)) return [];
    const lines = option?.test(before) || RUNS_ITS_VALUE.test(before) ? [word] : [];
    if (name !== 'git' && word.length > 2 && option?.test(word.slice(0, 2))) lines.push(word.slice(2));
    const equals = word.indexOf('=');
    if (equals > 0 && RUNS_ITS_VALUE.test(word.slice(0, equals))) lines.push(word.slice(equals + 1));
    if (RUNS_AS_SETTING.test(word.replace(/^-o/, '')))
      lines.push(word.slice(word.lastIndexOf('=', SETTING_NAME) + 1));
    if (equals > 0 && RUNS_AS_SETTING.test(word)) lines.push(word.slice(equals + 1));
    return lines.map(withoutMark).filter((line) => line !== '');
  });
}

/** The characters that may end the name of a setting. */
const SETTING_NAME = 64;

/** `!cmd` of vim and git, `shell cmd` of gdb, `exec=cmd` of tar. */
function withoutMark(line: string): string {
  return line.replace(/^(?:[\w.-]+=(?=!|\w+\s)|exec=)?(?:!|shell\s+|:!)?/, '');
}

/** With `-c alias.x=push`, `git x` is a `git push`; `-c alias.x='!cmd'` is its own command. Other settings may name programs. */
function gitLines(own: readonly string[]): string[] {
  const isConfig = own.includes('config');
  return own.flatMap((word, at) => {
    if (word.startsWith('!')) return [word.slice(1)];
    const attached = /^-c[\w]+\.[^=]*=/.test(word) ? word.slice(2) : undefined;
    if (!GIT_SETTING.has(own[at - 1] ?? '') && attached === undefined)
      return isConfig ? gitConfig(own, at) : [];
    const setting = attached ?? word;
    const value = setting.slice(setting.indexOf('=') + 1);
    if (SAYS_WHO.test(setting)) return [];
    return [value.replace(/^!/, ''), ...(setting.startsWith('alias.') ? [`git ${value}`] : [])];
  });
}

/** The option before a setting, and one that only the shell knows. */
const GIT_SETTING: ReadonlySet<string> = new Set(['-c', `-${UNKNOWN}`]);

/** Git settings that hold names and switches. */
const SAYS_WHO = /^(?:user|author|committer|color|advice|init)\./i;

/** `git config KEY VALUE`: a value that git will run later. */
function gitConfig(own: readonly string[], at: number): string[] {
  const isValue = RUNS_AS_SETTING.test(`${own[at - 1] ?? ''}=`);
  return isValue ? [own[at] as string] : [];
}
