import { accessSync, constants } from 'node:fs';

/** Whether this user may execute what is at a path: a program, or a folder that may be entered. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
