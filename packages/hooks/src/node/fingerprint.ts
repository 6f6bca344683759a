import { stat } from 'node:fs/promises';
import { findHookFiles } from './hook-files.ts';

/**
 * What files looked like: by absolute path the times, size and number of each, so that it is another text where a file was
 * written or replaced.
 */
export type Fingerprint = ReadonlyMap<string, string>;

/** Looks at the modules and helpers of a folder. One that cannot be read has a fingerprint too. */
export async function lookAtFolder(folder: string): Promise<Fingerprint> {
  try {
    const { modules, helpers, broken } = await findHookFiles(folder);
    const looks = await lookAtFiles([...modules, ...helpers].map(({ file }) => file));
    return new Map([...looks, ...broken.map((path): [string, string] => [path, 'broken'])]);
  } catch (error) {
    return new Map([[folder, error instanceof Error ? error.message : '']]);
  }
}

export async function lookAtFiles(files: Iterable<string>): Promise<Fingerprint> {
  return new Map(
    await Promise.all(
      [...files].map(async (file): Promise<[string, string]> => [file, await describeLook(file)]),
    ),
  );
}

export function isSameFingerprint(a: Fingerprint, b: Fingerprint): boolean {
  return a.size === b.size && [...a].every(([file, look]) => b.get(file) === look);
}

async function describeLook(file: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file);
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch {
    return 'missing';
  }
}
