import { basename } from 'node:path';
import { UNKNOWN } from '@spec/hooks';
import { findStats, resolveWord } from './candidates.ts';
import { HERE } from './expand.ts';
import { noteUnseen, type Scene } from './scene.ts';
import { isSystem, looksLikeScript, MAX_SCRIPT_BYTES, readFileOrNothing } from './sight.ts';

/** A name that scripts have, and one that leads to something that runs, counts wherever it stands. */
export function lookAtWord(word: string, { sight, folders }: Scene): void {
  for (const [part, path] of filesIn(word.split(/[=,:]/).concat(word), folders)) {
    if (looksLikeScript(path)) sight.scripts.add(path);
    if (part.includes('/') || NAME.test(part)) sight.paths.add(path);
  }
}

/** What may be the name of a file: one that comes may be a script. */
const NAME = /^(?!-)[\w.,@%+~-]{1,255}$/;

/** Files that programs write again and again: nobody could trust them. */
const RECORD = /\.(?:log|jsonl|ndjson|pid|lock)$/i;
/** Words by which files load, start or read others. */
const LOADS_MORE =
  /load|include|import|use|require|source|open|read|run|exec|system|shell|command|eval|spawn|pipe/i;

/** A program that nobody knows may take any file for code: each that a word names is in the fingerprint. Whether there is one. */
export function lookAtOperands(base: string, args: readonly string[], scene: Scene): boolean {
  let isFound = false;
  const words = args.flatMap((arg) => [arg, arg.replace(/^-\w/, ''), ...arg.split(/[=,:]/)]);
  for (const [, path] of filesIn(words, scene.folders)) {
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

/** The files that words may name, outside of the system. */
function filesIn(words: readonly string[], folders: readonly string[]): (readonly [string, string])[] {
  return [...new Set(words)]
    .filter(isPlain)
    .flatMap((word) => resolveWord(word, folders).map((path) => [word, path] as const))
    .filter(([, path]) => !isSystem(path));
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
