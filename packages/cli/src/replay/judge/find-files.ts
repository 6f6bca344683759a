import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unreadable } from '../../read-text.ts';

/** A file that may hold conversations. */
export interface FoundFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** When it was written last, in milliseconds since the epoch. */
  readonly writtenAt: number;
}

const REMEDY = 'give files of conversations, or folders that have some';

/** Whether one of some paths is a folder. */
export async function hasFolder(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return found.some((one) => one?.isDirectory());
}

/**
 * The files that are named, and all .jsonl and .json files below the folders that are, the newest first. Links to folders are not
 * followed: they may lead in circles.
 *
 * @throws {DefinitionError} `bad_option` where a path cannot be read
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFile[]> {
  const found = new Map<string, FoundFile>();
  for (const path of paths) for await (const file of filesAt(path)) found.set(file.path, file);
  return [...found.values()].toSorted((a, b) => b.writtenAt - a.writtenAt);
}

async function* filesAt(path: string): AsyncGenerator<FoundFile> {
  try {
    const one = await stat(path);
    if (!one.isDirectory()) yield { path, size: one.size, writtenAt: one.mtimeMs };
    else yield* filesBelow(path);
  } catch (error) {
    throw unreadable(path, error, REMEDY);
  }
}

async function* filesBelow(folder: string): AsyncGenerator<FoundFile> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesBelow(path);
    else if (entry.isFile() && /\.jsonl?$/.test(entry.name)) {
      const { size, mtimeMs } = await stat(path);
      yield { path, size, writtenAt: mtimeMs };
    }
  }
}
