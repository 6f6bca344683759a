import { closeSync, fstatSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { isExecutable } from '@spec/hooks/node';
import { openPrivate, removeFile } from './input-file.ts';

/** Opens the file by which the first process in a namespace says that it is there; else a refused namespace would look like the command's own exit. */
export function openGate(): number {
  const { path, descriptor } = openPrivate();
  removeFile(path);
  return descriptor;
}

/** Closes the file and returns whether the namespace was entered. */
export function closeGate(descriptor: number): boolean {
  const entered = fstatSync(descriptor).size > 0;
  closeSync(descriptor);
  return entered;
}

/**
 * The first process of a namespace is deaf to signals from inside, and its death by `kill -9 $$` would come back as exit 0. So a shell
 * stands first, runs the program as its child, and exits with its code, or with 128 and the number of the signal that ended it.
 */
const FIRST_PROCESS = 'echo entered >&3; "$@" 3>&-; exit $?';

const INSIDE = ['--user', '--map-current-user', '--pid', '--fork', '--kill-child', '--'];

/** A program in a process namespace that ends with its first process, with the process group outside, and with the host. */
export function inNamespace([file, args]: readonly [string, readonly string[]]): [string, readonly string[]] {
  const entering = ['--pdeathsig', 'KILL', programAt('unshare'), ...INSIDE];
  return [programAt('setpriv'), [...entering, '/bin/sh', '-c', FIRST_PROCESS, 'sh', file, ...args]];
}

const found = new Map<string, string>();

/** Where the host's own PATH has a program: a command's variables do not choose what keeps it in. */
function programAt(name: string): string {
  const known = found.get(name);
  if (known !== undefined) return known;
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder.startsWith('/'));
  const path = folders.map((folder) => join(folder, name)).find(isExecutable) ?? join('/usr/bin', name);
  found.set(name, path);
  return path;
}
