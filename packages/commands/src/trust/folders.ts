import { dirname, resolve } from 'node:path';
import { UNKNOWN } from '@spec/hooks';
import { resolveWord } from './candidates.ts';
import { GLOB, HERE } from './expand.ts';
import { type ReadCommand, readCommands } from './read-commands.ts';
import { noteUnseen, type Scene } from './scene.ts';
import { readFileOrNothing, type SourcedFile } from './sight.ts';

/** Options of any command that a folder follows, and the same with the folder attached. */
const FOLDER_OPTION = '--(?:chdir|directory|prefix|cwd|wd|workdir|working-directory)';
const ENTERS = new RegExp(`^(?:-C|${FOLDER_OPTION})$`);
const ENTERS_ATTACHED = new RegExp(`^${FOLDER_OPTION}=([\\s\\S]+)$`);
/** `chdir` is the `cd` of dash and zsh. */
const CHANGES_FOLDER = /^(?:cd|chdir|pushd)$/;
const OPTION_OF_CD = /^(?:-[LPe@n]+|--)$/;
const SOURCES = /^(?:\.|source)$/;
const MAX_FOLDERS = 16;
/** The most files that a text may source, directly or by way of others. */
const MAX_SOURCED = 300;

/** The folders that commands may run in: the earlier ones and each folder that is entered, also from another one or by a sourced file. */
export function foldersEntered(commands: readonly ReadCommand[], scene: Scene): readonly string[] {
  const folders = new Set(scene.folders);
  const all = [...commands, ...readSourced(findSourcedFiles(commands, scene), scene)];
  for (const word of new Set(all.flatMap(listEntered))) {
    if (folders.size > MAX_FOLDERS) break; // Each word may double their number.
    if (word === HOME) {
      const home = scene.known.variables.get('HOME');
      if (home !== undefined) folders.add(home);
    } else if (word.includes(UNKNOWN) || word === '-' || GLOB.test(word) || word.indexOf(HERE) > 0)
      noteUnseen(scene, 'enters a folder that only the shell can tell');
    else for (const path of resolveWord(word, [...folders])) folders.add(path);
  }
  if (folders.size > MAX_FOLDERS) noteUnseen(scene, 'enters more folders than can be looked at');
  return [...folders].slice(0, MAX_FOLDERS);
}

/** Stands for the folder that `cd` without a word enters. */
const HOME = '';

function listEntered({ words }: ReadCommand): string[] {
  const entered = words.flatMap((word, at) =>
    ENTERS.test(words[at - 1] ?? '') ? [word] : (ENTERS_ATTACHED.exec(word)?.[1] ?? []),
  );
  for (const [at, word] of words.entries()) {
    if (!CHANGES_FOLDER.test(word)) continue;
    const folder = words.slice(at + 1).find((one) => !OPTION_OF_CD.test(one));
    if (folder !== undefined) entered.push(folder);
    else if (word !== 'pushd' && at === 0) entered.push(HOME);
  }
  return entered;
}

/** The commands of files that are sourced: a folder that one of them enters stays entered. */
function readSourced(
  files: readonly string[],
  scene: Scene,
  seen: Set<string> = new Set(),
): readonly ReadCommand[] {
  return files.flatMap((path) => {
    if (seen.has(path)) return [];
    if (seen.size === MAX_SOURCED) {
      noteUnseen(scene, 'sources more files than can be looked at');
      return [];
    }
    seen.add(path);
    const inside = readOnce(path, scene);
    return [...inside.commands, ...readSourced(inside.files, scene, seen)];
  });
}

/** Many scripts may source one file. */
function readOnce(path: string, scene: Scene): SourcedFile {
  const { sourced } = scene.sight;
  const key = [path, ...scene.folders].join('\0');
  const read = sourced.get(key);
  if (read !== undefined) return read;
  const known = { ...scene.known, scriptDir: dirname(path) };
  const { commands } = readCommands(readFileOrNothing(path), known);
  const inside = { commands, files: [...new Set(findSourcedFiles(commands, scene))] };
  sourced.set(key, inside);
  return inside;
}

/** The paths that the files which commands source may have. */
export function findSourcedFiles(commands: readonly ReadCommand[], scene: Scene): string[] {
  return commands.flatMap(({ words: [name = '', ...args] }) => {
    const file = args.find((arg) => arg !== '--') ?? UNKNOWN;
    if (!SOURCES.test(name) || file.includes(UNKNOWN)) return [];
    const shadows = file.includes('/') ? [] : findShadows(file, scene);
    return [...shadows, ...resolveWord(file, scene.folders)];
  });
}

/** The files that a bare name can mean because the search path leads into the project. */
export function findShadows(base: string, { folders }: Scene): string[] {
  const [project = ''] = folders;
  const entries = (process.env.PATH ?? '').split(':');
  return entries
    .filter((entry) => !entry.startsWith('/') || `${entry}/`.startsWith(`${project}/`))
    .flatMap((entry) => folders.map((folder) => resolve(folder, entry, base)));
}
