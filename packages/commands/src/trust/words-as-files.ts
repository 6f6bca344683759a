import { basename } from 'node:path';
import { UNKNOWN } from '@spec/hooks';
import { findStats, resolveWord } from './candidates.ts';
import { HERE } from './expand.ts';
import { noteUnseen, type Scene } from './scene.ts';
import { isSystem, looksLikeScript, MAX_SCRIPT_BYTES, readFileOrNothing } from './sight.ts';

/** A word with the name of a script, or that leads to something that runs, counts wherever it stands. */
export function lookAtWord(word: string, scene: Scene): void {
  const { sight } = scene;
  for (const [part, path] of filesIn(word.split(/[=,:]/).concat(word), scene)) {
    if (looksLikeScript(path)) sight.scripts.add(path);
    if (part.includes('/') || NAME.test(part)) sight.paths.add(path);
  }
}

/** Possible names of files: one that appears later may be a script. */
const NAME = /^(?!-)[\w.,@%+~-]{1,255}$/;

/** Files that programs keep writing: nobody could trust them. */
const RECORD = /\.(?:log|jsonl|ndjson|pid|lock)$/i;
/** Words with which files load, start or read others. */
const LOADS_MORE =
  /load|include|import|use|require|source|open|read|run|exec|system|shell|command|eval|spawn|pipe/i;

/** An unknown program may run any file as code, so each file that its words name is in the fingerprint. True if there is one. */
export function lookAtOperands(base: string, args: readonly string[], scene: Scene): boolean {
  let isFound = false;
  const words = args.flatMap((arg) => [arg, arg.replace(/^-\w/, ''), ...arg.split(/[=,:]/)]);
  for (const [, path] of filesIn(words, scene)) {
    scene.sight.paths.add(path);
    const stat = findStats(path);
    if (stat?.isFile() !== true) continue;
    isFound = true;
    const text = readFileOrNothing(path);
    const isRead = stat.size <= MAX_SCRIPT_BYTES && !text.includes('\0') && !RECORD.test(path);
    if (isRead) scene.sight.scripts.add(path);
    if (!isRead || LOADS_MORE.test(text))
      noteUnseen(scene, `gives ${base} ${basename(path)}, which may run or load more`);
  }
  return isFound;
}

/** The files that words may name, except those of the system. */
function filesIn(words: readonly string[], { folders, sight }: Scene): (readonly [string, string])[] {
  return [...new Set(words)]
    .filter(isPlain)
    .flatMap((word) => resolveWord(word, folders).map((path) => [word, path] as const))
    .filter(([, path]) => !isSystem(path, sight));
}

function isPlain(word: string): boolean {
  return (
    word !== '' &&
    word.length <= 4_096 &&
    !word.includes(UNKNOWN) &&
    !word.includes('\0') &&
    word.indexOf(HERE) <= 0
  );
}
