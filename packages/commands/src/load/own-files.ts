import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';

/** Files in the home folder that agents read as the user's own. */
const AT_HOME = ['.claude/settings.json', '.clawdcode/settings.json'];

/**
 * Whether a file is the user's own: by its name, never by what lies below a folder or what it links to. What lies in the project is the
 * project's, also where the project is the home folder: whoever works on a project can write it.
 *
 * @param path absolute
 * @param projectDir absolute
 */
export function isUsersOwn(path: string, projectDir: string): boolean {
  if (!ownFiles().includes(path)) return false;
  return !isWithin(path, projectDir) && !isWithin(realPath(path), realPath(projectDir));
}

function ownFiles(): string[] {
  const home = absolute(homedir());
  const claude = absolute(process.env.CLAUDE_CONFIG_DIR ?? '').map((folder) => join(folder, 'settings.json'));
  return [...home.flatMap((folder) => AT_HOME.map((name) => join(folder, name))), ...claude];
}

/** A folder as it is named and as it is; nothing for a name that means another folder wherever a program is started. */
function absolute(folder: string): string[] {
  return isAbsolute(folder) ? [folder, realPath(folder)] : [];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function isWithin(path: string, folder: string): boolean {
  const below = relative(folder, path);
  return !isAbsolute(below) && below.split(/[/\\]/)[0] !== '..';
}
