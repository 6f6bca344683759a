import { basename } from 'node:path';
import type { FilePosition } from '../normal-form.ts';
import type { Known } from './expand.ts';
import type { Language } from './languages.ts';
import { addUnseen, type Sight, takeScript } from './sight.ts';

/** The surroundings in which a command is examined. */
export interface Scene {
  readonly sight: Sight;
  readonly position: FilePosition;
  readonly known: Known;
  /** The folders that it may run in. */
  readonly folders: readonly string[];
  /** The subject of sentences: `The command`, or a script's name. */
  readonly who: string;
  /** How many scripts led here, each started by the one before. */
  readonly depth: number;
}

const MAX_DEPTH = 12;

/** Notes code that the fingerprint does not cover. Returns `undefined`, so that callers can return it. */
export function noteUnseen({ sight, position, who }: Scene, why: string): undefined {
  addUnseen(sight, position, `${who} ${why}`);
}

/** The text of a script that must be searched. */
export function readScriptText(
  path: string,
  language: Language | 'program',
  scene: Scene,
): string | undefined {
  if (scene.depth > MAX_DEPTH) return noteUnseen(scene, 'starts scripts that start scripts');
  const tooMuch = (): void => {
    noteUnseen(scene, `runs ${basename(path)}, which is too large to be looked at`);
  };
  return takeScript(scene.sight, path, { language, tooMuch });
}

/** The scene inside a script. */
export function enterScript(path: string, scene: Scene): Scene {
  return { ...scene, depth: scene.depth + 1, who: `The script ${basename(path)}` };
}

/** How often commands and modules of the entries of a file are looked at. */
const MAX_LOOKS = 20_000;

/** Notes that a command or module is looked at in a scene. False if it was before, no deeper than now, or if there are too many. */
export function takeLook(what: unknown, scene: Scene): boolean {
  const { sight, position, known, folders, depth } = scene;
  const key = JSON.stringify([what, position.path, known.scriptDir, folders]);
  const before = sight.looked.get(key);
  if (before !== undefined && before <= depth) return false;
  if (++sight.looks > MAX_LOOKS) {
    noteUnseen(scene, 'runs more than can be looked at');
    return false;
  }
  sight.looked.set(key, depth);
  return true;
}
