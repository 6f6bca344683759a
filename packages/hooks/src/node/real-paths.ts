import { readlinkSync, realpathSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import type { MatchEnvironment } from '../match/matcher.ts';
import { readRegularFile } from './regular-file.ts';

/** As many links as the kernel follows before it gives up. */
const MAX_LINKS = 40;

/**
 * How matchers see paths on this machine: relative ones start from `cwd`, links are followed, also of files that do
 * not exist yet; `~` and variables are those of this process. `resolvePath` throws where a path cannot be followed: a loop of links, a folder that may not be read.
 *
 * @param cwd default: the working folder
 */
export function realPaths(cwd: string = process.cwd()): MatchEnvironment {
  const folder = resolve(cwd);
  return {
    cwd: folder,
    homes: listHomes,
    variables: process.env,
    resolvePath: (path) => asOnDisk(followLinks(isAbsolute(path) ? path : `${folder}${sep}${path}`, folder)),
  };
}

/**
 * R1 A link is followed before the `..` behind it: `link/../x` is next to what `link` leads to, as for the kernel.
 * R2 A link that leads to nothing yet is followed too: who writes to it writes there.
 * R3 What leads to the working folder of this process leads a tool to its own, which is the folder of the matcher: where they differ, nobody can tell.
 */
function followLinks(path: string, folder: string): string {
  // No file has such a name, and what Node says of it quotes the path.
  if (path.includes('\0')) throw Object.assign(new Error('a path with a NUL character'), { code: 'EINVAL' });
  const names = namesIn(path);
  let real = parse(path).root;
  let links = 0;
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = name === '..' ? dirname(real) : join(real, name);
    const target = name === '..' ? undefined : linkTarget(next);
    if (target === undefined) {
      real = next;
      continue;
    }
    if (isOwnFolder(next) && target !== asOnDisk(folder))
      throw Object.assign(new Error('a path that depends on the process'), { code: 'ENOTSUP' });
    if (++links > MAX_LINKS) throw Object.assign(new Error('too many links'), { code: 'ELOOP' });
    if (isAbsolute(target)) real = parse(target).root;
    names.unshift(...namesIn(target));
  }
  return real;
}

function isOwnFolder(path: string): boolean {
  return path.startsWith(`/proc/${process.pid}/`) && /^\/proc\/\d+\/(?:task\/\d+\/)?cwd$/.test(path);
}

function namesIn(path: string): string[] {
  const below = path.slice(parse(path).root.length);
  return below.split(sep === '\\' ? /[/\\]/ : '/').filter((name) => name !== '' && name !== '.');
}

const MISSING: readonly unknown[] = ['ENOENT', 'ENOTDIR'];
const NO_LINK: readonly unknown[] = [...MISSING, 'EINVAL', 'UNKNOWN'];

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (NO_LINK.includes((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}

/** What exists of the path, in the spelling that the disk has: where upper and lower case are one, so must be the names. */
function asOnDisk(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const above = dirname(path);
    if (!MISSING.includes((error as NodeJS.ErrnoException).code) || above === path) throw error;
    return join(asOnDisk(above), basename(path));
  }
}

/** The folders that `~` may stand for, or `~name`: what the variable HOME says first, then what the list of users says. */
function listHomes(name?: string): string[] {
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
