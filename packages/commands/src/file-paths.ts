// Paths of files: what they lead to, and what lies below what. Everything in this package may call it; it reads no file.

import { realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/** Where a path leads, through links; itself where it leads nowhere. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Whether a path is a folder or lies below it, as both are written. */
export function isWithin(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return !isAbsolute(below) && below.split(/[/\\]/)[0] !== '..';
}
