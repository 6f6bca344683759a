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
