import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { readRegularFile } from './regular-file.ts';

/** The folders that `~` may stand for, or `~name`: what the variable HOME says first, then what the list of users says. */
export function listHomes(name?: string): string[] {
  const own = ownUser();
  if (name === undefined || name === own?.username)
    return [...new Set([homedir(), ...(own === undefined ? [] : [own.homedir])])];
  const listed = listedHome(name);
  // A user of a directory service is on no list here: their home lies beside the others.
  return [listed ?? join(dirname(homedir()), name)];
}

/** In a container the user may have no name. */
function ownUser(): { readonly username: string; readonly homedir: string } | undefined {
  try {
    return userInfo();
  } catch {
    return undefined;
  }
}

const USERS = '/etc/passwd';
const MAX_BYTES = 16_777_216;

function listedHome(name: string): string | undefined {
  try {
    const lines = readRegularFile(USERS, MAX_BYTES).toString('utf8').split('\n');
    return lines.find((line) => line.startsWith(`${name}:`))?.split(':')[5];
  } catch {
    return undefined;
  }
}
