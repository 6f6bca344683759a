import {
  accessSync,
  closeSync,
  constants,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, resolve } from 'node:path';
import type { CommandEntry } from '../normal-form.ts';
import { shellWords } from './words.ts';

/** Where the words of a command are looked up as files. */
export interface ScriptPlaces {
  /** Absolute. */
  readonly projectDir: string;
  /** Absolute: the settings file. */
  readonly settingsPath: string;
}

/** The files that the commands and conditions of entries name. */
export interface NamedFiles {
  /** Absolute paths of scripts, sorted. */
  readonly scripts: readonly string[];
  /** All paths that words could stand for, whether or not there is anything: what appears there may be a script. */
  readonly paths: readonly string[];
  /** Words that name a script in a way that only the shell can tell: a change of it is not noticed. */
  readonly unseen: readonly string[];
}

/**
 * The script files that entries name. A word counts that leads to a file with the extension of a script, one that can be executed, one
 * that begins with `#!`, or any that an interpreter is given; and so does a path with the extension of a script that leads to no file
 * yet. Words are looked up in the project's folder, in folders that the command enters or names, and patterns such as `*.sh` in theirs.
 * What a script loads by itself nobody can tell.
 */
export function namedFiles(entries: readonly CommandEntry[], places: ScriptPlaces): NamedFiles {
  const scripts = new Set<string>();
  const paths = new Set<string>();
  const unseen = new Set<string>();
  const isName = (quoted: string): boolean => isFile(resolve(places.projectDir, withFolders(quoted, places)));
  for (const text of new Set(entries.flatMap(textsOf))) {
    const commands = shellWords(withMarks(text), isName).commands.map((words) =>
      words.map((word) => withFolders(word, places)),
    );
    const words = new Set(commands.flat());
    const given = new Set(commands.flatMap(givenToInterpreters));
    const folders = foldersIn(commands, places);
    for (const word of new Set([...words, ...given])) {
      if (word.length > MAX_WORD || word.includes('\0')) continue;
      if (DYNAMIC.test(word)) {
        if (word.includes('/') || SCRIPT.test(word)) unseen.add(word);
        continue;
      }
      for (const path of folders.flatMap((folder) => pathsOf(resolve(folder, word)))) {
        if (isSystem(path)) continue;
        const counts = isScript(path) || (given.has(word) && isFile(path));
        if (counts) scripts.add(path);
        if (counts || word.includes('/') || given.has(word)) paths.add(path);
      }
    }
  }
  return { scripts: [...scripts].sort(), paths: [...paths].sort(), unseen: [...unseen].sort() };
}

function textsOf({ handler, condition }: CommandEntry): string[] {
  const command =
    handler.type === 'command' ? [handler.command, ...(handler.args ?? []).map(asWord)].join(' ') : '';
  return [command, condition ?? ''].filter((text) => text !== '' && text.length <= MAX_TEXT);
}

/** No shell reads arguments: each is one word. One that holds code for a shell is read as such all the same. */
function asWord(argument: string): string {
  return `"${argument.replace(/(["\\])/g, '\\$1')}"`;
}

const MAX_WORD = 4_096;
/** A longer command is none that the system would start. */
const MAX_TEXT = 131_072;
/** What the shell fills in. */
const DYNAMIC = /\$(?![\s"']|$)|\n/;

const INTERPRETER =
  /^(?:ba|da|z|k|fi)?sh$|^(?:python|node|deno|bun|ruby|perl|php|lua|pwsh|Rscript|tsx|ts-node|g?awk|sed|jq|source|\.|exec|env|sudo|timeout|nohup)[\d.]*$/;
/** After these options comes a file that runs. */
const FILE_OPTION = /^(?:-f|--file|-r|--require|--import|--loader|--from-file|--rcfile|--init-file)$/;

/** What interpreters of a command are given: their first word that is no option, files after options, modules of Python. */
function givenToInterpreters(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    if (!INTERPRETER.test(basename(word))) return [];
    const rest = words.slice(at + 1);
    const first = rest.find((one) => !one.startsWith('-'));
    const files = rest.filter((_, i) => FILE_OPTION.test(rest[i - 1] ?? ''));
    const modules = rest.filter((_, i) => rest[i - 1] === '-m').flatMap(moduleFiles);
    return [...(first === undefined ? [] : [first]), ...files, ...modules];
  });
}

function moduleFiles(name: string): string[] {
  const path = name.replaceAll('.', '/');
  return [`${path}.py`, `${path}/__main__.py`];
}

/** Folders looked in for one command. */
const MAX_FOLDERS = 16;

/** The project's folder, and those that the command enters or names, one after another too. */
function foldersIn(commands: readonly (readonly string[])[], { projectDir }: ScriptPlaces): string[] {
  const entered = commands.flatMap((words) => words.filter((_, i) => ENTERS.test(words[i - 1] ?? '')));
  const named = commands.flat().filter((word) => word.includes('/') || entered.includes(word));
  const folders = new Set([projectDir]);
  for (const word of [...new Set([...entered, ...named])]) {
    if (DYNAMIC.test(word) || word.length > MAX_WORD || word.includes('\0')) continue;
    for (const folder of [...folders]) {
      const path = resolve(folder, word);
      if (folders.size < MAX_FOLDERS && (entered.includes(word) || isFolder(path))) folders.add(path);
    }
  }
  return [...folders].filter((folder) => folder === projectDir || !isSystem(`${folder}/`));
}

const ENTERS = /^(?:cd|pushd|-C|--directory|--prefix|--cwd)$/;

/** A pattern of file names stands for those that are there, and for its folder, where more may come. */
function pathsOf(path: string): string[] {
  const name = basename(path);
  if (!/[*?[]/.test(path)) return [path];
  const folder = dirname(path);
  if (/[*?[]/.test(folder)) return [];
  const source = name.replace(/[.+^${}()|\\[\]*?]/g, (one) =>
    one === '*' ? '[^/]*' : one === '?' || one === '[' || one === ']' ? '.?' : `\\${one}`,
  );
  try {
    const fits = new RegExp(`^${source}$`);
    return [
      folder,
      ...readdirSync(folder)
        .filter((file) => fits.test(file))
        .map((file) => `${folder}/${file}`),
    ];
  } catch {
    return [folder];
  }
}

/** Folders that commands name by variables, and characters for private use that stand for them while the text is split. */
const FOLDERS: readonly (readonly [name: RegExp, mark: string])[] = [
  [/\$\{?(?:CLAUDE_PROJECT_DIR|PROJECT_ROOT|PWD)\b\}?|\$\(pwd\)/g, '\uE000'],
  [/\$\{?CLAUDE_PLUGIN_ROOT\b\}?/g, '\uE001'],
  [/\$\{?HOME\b\}?|(?<![\w/])~(?=\/)/g, '\uE002'],
];

function withMarks(text: string): string {
  const plain = text.replace(/[\uE000-\uE002]/g, '?');
  return FOLDERS.reduce((marked, [name, mark]) => marked.replace(name, mark), plain);
}

function withFolders(word: string, { projectDir, settingsPath }: ScriptPlaces): string {
  const folders = [projectDir, resolve(settingsPath, '..', '..'), homedir()];
  return word.replace(/[\uE000-\uE002]/g, (mark) => folders[mark.charCodeAt(0) - 0xe000] as string);
}

const SYSTEM = /^\/(?:bin|sbin|usr|lib|lib64|dev|proc|sys)\//;

/** What comes with the system is trusted with it. */
function isSystem(path: string): boolean {
  return SYSTEM.test(path);
}

const SCRIPT =
  /\.(?:sh|bash|zsh|fish|ksh|py|js|mjs|cjs|ts|mts|cts|rb|pl|php|lua|awk|sed|jq|ps1|bat|cmd|exe|jar|wasm)$/i;

function isScript(path: string): boolean {
  if (SCRIPT.test(path)) return true;
  return isFile(path) && (isExecutable(path) || startsAsScript(path));
}

function isFile(path: string): boolean {
  return statOf(path)?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() === true;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function startsAsScript(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    try {
      const start = Buffer.alloc(2);
      return readSync(file, start) === 2 && start.toString() === '#!';
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
