// What compiling better-sqlite3 needs, where no prebuilt binary of it can be downloaded.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root } from './checkout.mjs';

/**
 * The folder whose `include/node` holds the header files of exactly this Node, so that nothing has to be downloaded
 * for compiling: what npm is configured to use, if it fits, else the folder this Node was installed to.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined}
 */
export function headersFolder(env) {
  const candidates = [env.npm_config_nodedir, join(process.execPath, '../..')];
  return candidates.find((folder) => folder !== undefined && hasHeaders(folder));
}

/** @param {string} folder */
function hasHeaders(folder) {
  const file = join(folder, 'include/node/node_version.h');
  if (!existsSync(file)) return false;
  return new RegExp(`#define NODE_MODULE_VERSION ${process.versions.modules}\\b`).test(
    readFileSync(file, 'utf8'),
  );
}

/** Opens a database in memory with the installed better-sqlite3; gives the error's text, or undefined when it works. */
export function loadFailure() {
  const script = "new (require('better-sqlite3'))(':memory:').prepare('select 1').get()";
  const result = spawnSync(process.execPath, ['-e', script], {
    cwd: join(root, 'packages/runtime'),
    encoding: 'utf8',
  });
  return result.status === 0 ? undefined : result.stderr;
}

/** True when make would find no C++ compiler: it looks for one only after a minute of compiling C. */
export function compilerIsMissing() {
  return process.platform === 'linux' && !process.env.CXX && !isOnPath('g++');
}

/** The command that installs a C++ compiler, make and Python on this machine. */
export function toolsCommand() {
  if (process.platform === 'darwin') return 'xcode-select --install';
  if (process.platform === 'win32')
    return 'winget install Microsoft.VisualStudio.2022.BuildTools Python.Python.3.12';
  const managers = {
    'apt-get': 'apt-get install -y g++ make python3',
    dnf: 'dnf install -y gcc-c++ make python3',
    apk: 'apk add g++ make python3',
    pacman: 'pacman -S --needed gcc make python',
    zypper: 'zypper install -y gcc-c++ make python3',
  };
  const found = Object.entries(managers).find(([name]) => isOnPath(name));
  return found?.[1] ?? 'install g++, make and python3';
}

/** @param {string} name */
function isOnPath(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}
