import { basename, dirname, join } from 'node:path';
import { UNKNOWN } from '@spec/hooks';
import { readArguments } from './arguments.ts';
import { candidatesFor, findRealPath, findStats, resolveWord, standsForAnother } from './candidates.ts';
import { GLOB, HERE } from './expand.ts';
import { findShadows, findSourcedFiles, foldersEntered } from './folders.ts';
import { readGitSettings, startsPrograms } from './git-settings.ts';
import { lookAtGivenFiles } from './given-files.ts';
import { noteModuleType, resolveSpecifier } from './javascript-files.ts';
import {
  harmless,
  type Interpreter,
  interpreters,
  type Language,
  LOADS,
  projectRunners,
  readers,
} from './languages.ts';
import { findLoads } from './loads.ts';
import { isPythons, isThere, moduleFiles, shadowsIn } from './python-modules.ts';
import { type ReadCommand, readCommands } from './read-commands.ts';
import { enterScript, noteUnseen, readScriptText, type Scene, takeLook } from './scene.ts';
import { findCommandDoubt, namesInterpreter } from './shell-doubts.ts';
import { isSystem, readFileOrNothing, SCRIPT } from './sight.ts';
import { lookAtOperands, lookAtWord } from './words-as-files.ts';

/** Finds the code that a shell text runs. Found code goes into the fingerprint; the rest is noted as unseen. */
export function lookAtText(text: string, scene: Scene): void {
  const { commands, variables, unread } = readCommands(text, scene.known);
  if (unread !== undefined) noteUnseen(scene, unread);
  if (commands.length === 0 && unread !== undefined)
    for (const word of text.split(/[\s;&|()<>"'`=]+/)) lookAtWord(word, scene);
  const inside = { ...scene, folders: foldersEntered(commands, scene) };
  lookAtSourced(commands, variables, inside);
  for (const command of commands) {
    if (!isCompared(command, text)) lookAtCommand(command, inside);
  }
}

/** Whether a test or a case compares it: the alternatives in `[[ x =~ (ts|tsx) ]]`, the patterns in `*.a|*.b)`. */
function isCompared(
  { words: [name = '', ...args], role, before, after }: ReadCommand,
  text: string,
): boolean {
  if (role === 'pattern') return args.length === 0 && GLOB.test(name);
  if (role !== 'test') return false;
  const isAlternative = /^[(|]$/.test(before) && /^[|)]$/.test(after) && text.includes('=~');
  if (args.length === 0) return isAlternative && /^[\w.]+$/.test(name);
  return isOperand(name) && COMPARES.test(args[0] as string);
}

const COMPARES = /^(?:[=!]?=|=~|-(?:eq|ne|lt|le|gt|ge))$/;

/** In `[[`, nothing runs the word after `&&`. A word that could run something is looked at anyway. */
function isOperand(name: string): boolean {
  return !name.includes('/') && !interpreters.some((one) => one.name.test(name));
}

/** A sourced file may set a variable to another value than the one filled in here. */
function lookAtSourced(commands: readonly ReadCommand[], variables: readonly string[], scene: Scene): void {
  for (const path of findSourcedFiles(commands, scene)) {
    const text = readFileOrNothing(path);
    const name = variables.find((one) => new RegExp(`\\b${one}\\+?=`).test(text));
    if (name !== undefined) noteUnseen(scene, `uses ${name}, which ${basename(path)} sets`);
  }
}

function lookAtCommand(command: ReadCommand, scene: Scene): void {
  if (!takeLook(command, scene)) return;
  const { words, assigned } = command;
  const [name = '', ...args] = words;
  for (const word of words) lookAtWord(word, scene);
  const base = basename(name);
  const sets = /^(?:export|declare|typeset|local|readonly|env|sudo|doas)$/.test(base)
    ? [...assigned, ...args]
    : assigned;
  const loading = sets.map((word) => /^(\w+)\+?=/.exec(word)?.[1] ?? '').find((one) => LOADS.test(one));
  if (loading !== undefined) noteUnseen(scene, `sets ${loading}, which says what programs load`);
  const doubt = findCommandDoubt(base, args, (one) => LOADS.test(one));
  if (doubt !== undefined) noteUnseen(scene, doubt);
  if (name.includes(UNKNOWN) || GLOB.test(name) || name.indexOf(HERE) > 0 || standsForAnother(name))
    noteUnseen(scene, 'runs something whose name only the shell can tell');
  else if (name.includes('/') && !isSystem(name, scene.sight)) {
    for (const path of pathsFor(name, scene)) lookAtProgram(path, args, scene);
    if (interpreters.some((one) => one.name.test(base))) lookAtNamed(base, command, scene);
  } else {
    for (const path of findShadows(base, scene)) lookAtProgram(path, args, scene);
    lookAtNamed(base, command, scene);
  }
}

function lookAtNamed(base: string, command: ReadCommand, scene: Scene): void {
  const args = command.words.slice(1);
  lookAtGivenFiles(base, args, scene);
  const interpreter = interpreters.find(({ name }) => name.test(base));
  if (interpreter !== undefined) lookAtInterpreter(interpreter, command, scene);
  else if (base === '.' || base === 'source')
    lookAtSource(args.find((arg) => arg !== '--') ?? UNKNOWN, scene);
  else if (base === 'jq') lookAtFilter(args, scene);
  else if (isProjectRunner(base)) noteUnseen(scene, `starts ${base}, which runs what the project says`);
  else if (base === 'git') lookAtGit(args, scene);
  else if (!harmless.has(base) && !/^[\d.]+[smhd]?$/.test(base)) lookAtUnknown(base, args, scene);
}

/** Whether it is a runner; its name may end in a version. */
function isProjectRunner(base: string): boolean {
  return projectRunners.has(base) || projectRunners.has(base.replace(/-?\d[\d.]*$/, ''));
}

function lookAtUnknown(base: string, args: readonly string[], scene: Scene): void {
  const isGivenFiles = lookAtOperands(base, args, scene);
  if (readers.has(base) && !isGivenFiles)
    noteUnseen(scene, `has ${base} read from its input what may be code`);
  if (namesInterpreter(base, args)) noteUnseen(scene, `gives ${base} something that may run`);
  else if (args.some((arg) => arg.includes(UNKNOWN) && (arg.includes('/') || SCRIPT.test(arg))))
    noteUnseen(scene, `gives ${base} a file that only the shell can tell`);
}

function lookAtGit(args: readonly string[], scene: Scene): void {
  const { sight, folders } = scene;
  if (startsPrograms(args)) noteUnseen(scene, 'starts git, which runs hooks and what its settings say');
  for (const { files, lines, hooks } of folders.map(readGitSettings)) {
    for (const file of files) sight.paths.add(file);
    for (const line of lines) sight.settings.add(line);
    for (const hook of hooks) lookAtProgram(hook, [], scene);
    if (lines.length > 0)
      noteUnseen(scene, 'starts git, and the settings of the repository may run something');
  }
}

function lookAtFilter(args: readonly string[], scene: Scene): void {
  if (args.some((arg) => /^-\w*L|^--library-path/.test(arg))) noteUnseen(scene, 'has jq load modules');
  for (const [i, arg] of args.entries())
    if (/^(?:-\w*f|--from-file)$/.test(args[i - 1] ?? '')) lookAtFile(arg, 'jq', scene);
    else if (arg.startsWith('--from-file=')) lookAtFile(arg.slice('--from-file='.length), 'jq', scene);
    else if (/(?:include|import)/.test(arg)) lookAtCode(arg, 'jq', scene);
}

/** The paths of a word that names a file to run; none if only the shell can tell. */
function pathsFor(word: string, scene: Scene): string[] {
  const isUnknown = word.includes(UNKNOWN) || word.includes('\0') || word.indexOf(HERE) > 0;
  const paths = isUnknown || /^\w+:\/\//.test(word) ? [] : resolveWord(word, scene.folders);
  if (paths.length === 0 || paths.some(standsForAnother))
    noteUnseen(scene, 'runs a script by a name that only the shell can tell');
  return paths;
}

/** Looks at a program by its path. Its first line names its interpreter; without one, it is a shell script. */
function lookAtProgram(path: string, args: readonly string[], scene: Scene): void {
  const text = readScriptText(path, 'program', scene);
  if (text === undefined) return;
  const inside = enterScript(path, scene);
  const line = /^#![ \t]*([^\r\n]*)/.exec(text)?.[1]?.trim() || 'sh';
  const parts = line.split(/\s+/).filter((word, i) => !/^-\w*S$|^--split-string$/.test(word) || i > 1);
  const own = /(?:^|\/)env$/.test(parts[0] ?? '') ? parts.slice(1) : parts;
  const words = [...own, path, ...args];
  lookAtCommand({ words, scripts: [], assigned: [], before: '', role: 'command', after: '' }, inside);
}

function lookAtFile(word: string, language: Language, scene: Scene): void {
  for (const path of pathsFor(word, scene))
    for (const candidate of candidatesFor(path, language)) lookAtScript(candidate, language, scene);
}

/** A shell looks for a name without a slash on the search path first. */
function lookAtSource(word: string, scene: Scene): void {
  lookAtFile(word, 'shell', scene);
  if (word.includes('/') || word.includes(UNKNOWN)) return;
  for (const path of findShadows(word, scene)) lookAtScript(path, 'shell', scene);
}

function lookAtScript(path: string, language: Language, scene: Scene): void {
  const read = language === 'javascript' && path.endsWith('.json') ? 'data' : language;
  const text = readScriptText(path, read, scene);
  const inside = enterScript(path, scene);
  if (text === undefined) return;
  // Node and Python follow links before they look next to a script.
  for (const folder of new Set([dirname(path), dirname(findRealPath(path))]))
    lookInto({ text, language: read, folder, isScript: true }, inside);
}

function lookAtInterpreter(interpreter: Interpreter, { words, scripts }: ReadCommand, scene: Scene): void {
  const { language, alsoReads = [] } = interpreter;
  const given = readArguments(interpreter, words.slice(1));
  if (given.unread !== undefined) noteUnseen(scene, given.unread);
  const home = scene.known.variables.get('HOME') ?? '';
  for (const file of alsoReads) lookAtFile(file.replace('~', home), 'data', scene);
  for (const file of given.files) lookAtFile(file, language, scene);
  for (const module of given.modules) lookAtModule(module, scene.folders, scene);
  for (const code of given.code) lookAtCode(code, language, scene);
  if (language === 'python' && !/[IP]/.test(given.flags)) lookAtShadows(given.files, words[0] ?? '', scene);
  if (!given.readsInput) return;
  if (scripts.length === 0) noteUnseen(scene, `has ${basename(words[0] ?? '')} read code from its input`);
  for (const script of scripts) lookAtCode(script, language, scene);
}

/** Looks at code on the line. */
function lookAtCode(code: string, language: Language, scene: Scene): void {
  if (language === 'sed' || language === 'awk' || !code.includes(UNKNOWN)) {
    for (const folder of scene.folders) lookInto({ text: code, language, folder, isScript: false }, scene);
  } else noteUnseen(scene, 'runs code that only the shell can tell');
}

/** A script, or code on a line. */
interface Code {
  readonly text: string;
  readonly language: Language;
  /** The folder that the code's names are relative to. */
  readonly folder: string;
  readonly isScript: boolean;
}

/** Looks for what code loads. */
function lookInto({ text, language, folder, isScript }: Code, scene: Scene): void {
  if (language === 'shell') {
    const scriptDir = isScript ? folder : undefined;
    lookAtText(text, { ...scene, known: { ...scene.known, scriptDir } });
    return;
  }
  const { files, modules, unread } = findLoads(language, text);
  if (unread !== undefined) noteUnseen(scene, unread);
  if (language === 'javascript') noteModuleType(folder, scene.sight);
  for (const file of files.flatMap((name) => resolveSpecifier(name, folder))) {
    if (standsForAnother(file)) noteUnseen(scene, 'loads a file that only the system can tell');
    for (const candidate of candidatesFor(file, language)) lookAtScript(candidate, language, scene);
  }
  for (const module of modules) lookAtModule(module, [folder], scene);
}

/** For Python, modules in the folder of a script or line win over its own, also when its own modules import them. */
function lookAtShadows(files: readonly string[], program: string, scene: Scene): void {
  const { sight, folders } = scene;
  const places = program.includes('/') ? resolveWord(program, folders) : [];
  if (places.some((path) => path.startsWith(`${folders[0]}/`)))
    noteUnseen(scene, 'starts a Python of the project, which loads what lies beside it');
  const scripts = files
    .flatMap((file) => pathsFor(file, scene))
    .flatMap((path) => [path, findRealPath(path)]);
  const own = scripts.map((path) => (findStats(path)?.isDirectory() === true ? path : dirname(path)));
  for (const folder of new Set(files.length === 0 ? folders : own)) {
    sight.paths.add(folder);
    for (const name of shadowsIn(folder)) {
      sight.paths.add(join(folder, name));
      lookAtModule(name, [folder], scene);
    }
  }
}

/** Python also runs the compiled copy of a module, in a folder that no person edits. */
function lookAtModule(name: string, folders: readonly string[], scene: Scene): void {
  if (!takeLook([name, folders], scene)) return;
  if (name.includes(UNKNOWN)) noteUnseen(scene, 'runs a module that only the shell can tell');
  const [top = ''] = name.split('.');
  if (top !== '' && !isPythons(top) && !folders.some((folder) => isThere(top, folder)))
    noteUnseen(scene, 'loads packages of Python');
  for (const path of folders.flatMap((folder) => moduleFiles(name, folder))) {
    const isNew = !scene.sight.scripts.has(path);
    lookAtScript(path, 'python', scene);
    if (isNew && scene.sight.scripts.has(path))
      noteUnseen(scene, `loads ${basename(path)}, and Python may run its compiled copy instead`);
  }
}
