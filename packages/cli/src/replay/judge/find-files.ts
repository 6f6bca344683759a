import type { Dirent } from 'node:fs';
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

/** What is below some paths. */
export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** The folders that cannot be opened, and why. */
  readonly unread: readonly UnreadFolder[];
}

export interface UnreadFolder {
  readonly path: string;
  readonly problem: string;
}

/**
 * The files that are named, and all .jsonl and .json files below the folders that are, the newest first. Links to files are followed,
 * links to folders are not: they may lead in circles.
 *
 * @throws {DefinitionError} `bad_option` where a path that is named cannot be read
 */
export async function findFiles(paths: readonly string[]): Promise<FoundFiles> {
  const found = new Map<string, FoundFile>();
  const unread: UnreadFolder[] = [];
  for (const path of paths)
    for await (const one of filesAt(path))
      if ('problem' in one) unread.push(one);
      else found.set(one.path, one);
  return { files: [...found.values()].toSorted((a, b) => b.writtenAt - a.writtenAt), unread };
}

async function* filesAt(path: string): AsyncGenerator<FoundFile | UnreadFolder> {
  try {
    const one = await stat(path);
    if (!one.isDirectory()) yield { path, size: one.size, writtenAt: one.mtimeMs };
    else yield* filesBelow(path, await readdir(path, { withFileTypes: true }));
  } catch (error) {
    throw unreadable(path, error, REMEDY);
  }
}

async function* filesBelow(
  folder: string,
  entries: readonly Dirent[],
): AsyncGenerator<FoundFile | UnreadFolder> {
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') yield* filesInside(path);
    else if (/\.jsonl?$/.test(entry.name) && (entry.isFile() || entry.isSymbolicLink())) {
      // It may have been removed since, as a link may lead nowhere.
      const one = await stat(path).catch(() => undefined);
      if (one?.isFile()) yield { path, size: one.size, writtenAt: one.mtimeMs };
    }
  }
}

async function* filesInside(folder: string): AsyncGenerator<FoundFile | UnreadFolder> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    yield { path: folder, problem: `the folder cannot be opened (${code ?? 'unknown'})` };
    return;
  }
  yield* filesBelow(folder, entries);
}
