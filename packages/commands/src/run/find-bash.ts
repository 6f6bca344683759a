import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';

/** Where systems keep it. */
const BASH = ['/bin/bash', '/usr/bin/bash'] as const;

/**
 * Finds the Bash that reads commands. It is never one of the project: the search path of `npx` begins there, and whoever puts a file into it
 * would answer for every guard.
 *
 * @param path the search path, for systems that keep Bash elsewhere
 * @param inside folders of the project
 */
export function findBash(path: string, inside: readonly string[], fixed: readonly string[] = BASH): string {
  const others = path.split(':').filter((entry) => isAbsolute(entry) && !isOfProject(entry, inside));
  return [...fixed, ...others.map((entry) => join(entry, 'bash'))].find(isProgram) ?? '/bin/bash';
}

function isOfProject(entry: string, inside: readonly string[]): boolean {
  const folders = inside.flatMap((folder) => [folder, follow(folder)]);
  return [entry, follow(entry)].some(
    (one) => one.split('/').includes('node_modules') || folders.some((folder) => isBelow(one, folder)),
  );
}

function isBelow(path: string, folder: string): boolean {
  return relative(folder, path).split('/')[0] !== '..';
}

function follow(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
