import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { isExecutable } from '@spec/hooks/node';
import { isWithin, realPath } from '../file-paths.ts';

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
  return fixed.find(isProgram) ?? findOnPath(path, inside) ?? '/bin/bash';
}

function findOnPath(path: string, inside: readonly string[]): string | undefined {
  const folders = inside.flatMap((folder) => [folder, realPath(folder)]);
  const isOfProject = (entry: string): boolean =>
    [entry, realPath(entry)].some(
      (one) => one.split('/').includes('node_modules') || folders.some((folder) => isWithin(one, folder)),
    );
  const others = path.split(':').filter((entry) => isAbsolute(entry) && !isOfProject(entry));
  return others.map((entry) => join(entry, 'bash')).find(isProgram);
}

function isProgram(path: string): boolean {
  return isExecutable(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
