// Installs the workspace with the pnpm that package.json pins, unless that is done for this lockfile and this Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

const installed = join(root, 'node_modules');
const stamp = join(installed, '.setup-stamp');

/**
 * Makes sure that everything is installed. Standard output stays free; on failure it prints what pnpm printed, says what to do
 * and ends the process with code 1.
 *
 * @param {{ force?: boolean }} [options] `force` removes what is installed first
 */
export function setUpOrExit({ force = false } = {}) {
  const wanted = fingerprint();
  if (!force && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  process.stderr.write(
    `Setting up the workspace with ${pinnedManager()} (a few minutes the first time) ...\n`,
  );
  if (force) removeInstalled();
  rmSync(stamp, { force: true });
  const failure = install() ?? repairAddon();
  if (failure === undefined) {
    linkCommand();
    writeFileSync(stamp, wanted);
    return;
  }
  process.stderr.write(`${failure}\nThe set-up failed; the reason stands above. It needs the package registry, about 1 GB of disk and,
where no prebuilt better-sqlite3 can be downloaded, Python 3, make, a C++ compiler (g++ 11 or newer) and Node's header files.
"node scripts/setup.mjs --force" starts over.\n`);
  process.exit(1);
}

/** The package manager that package.json pins, such as `pnpm@12.21.0`. */
function pinnedManager() {
  /** @type {{ packageManager: string }} */
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return packageManager;
}

function fingerprint() {
  const hash = createHash('sha256');
  hash.update([process.platform, process.arch, process.versions.modules, pinnedManager()].join(' '));
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, name)));
  return hash.digest('hex');
}

function removeInstalled() {
  rmSync(installed, { recursive: true, force: true });
}

/** @returns {string | undefined} what was printed, where it failed */
function install() {
  const { NODE_ENV, ...env } = process.env; // Of "production", pnpm would leave out what the tests need.
  const result = spawnSync(
    'npx',
    [
      '--yes',
      '--prefer-offline',
      '--fetch-retries=1',
      pinnedManager(),
      'install',
      '--frozen-lockfile',
      '--prefer-offline',
    ],
    {
      cwd: root,
      env: { ...headersFolder(), ...env, CI: 'true' },
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      maxBuffer: Number.POSITIVE_INFINITY,
      shell: process.platform === 'win32',
    },
  );
  return result.status === 0 ? undefined : `${result.stdout}${result.stderr}${result.error ?? ''}`;
}

/** Where the header files of this Node are, if they came with it: else compiling downloads them. */
function headersFolder() {
  const folder = join(process.execPath, '../..');
  return existsSync(join(folder, 'include/node/node.h')) ? { npm_config_nodedir: folder } : {};
}

/**
 * Starts over where better-sqlite3 was made for another Node: pnpm takes it for installed.
 *
 * @returns {string | undefined} what was printed, where that did not help
 */
function repairAddon() {
  if (loadFailure() === undefined) return undefined;
  removeInstalled();
  return install() ?? loadFailure();
}

function loadFailure() {
  const script = "new (require('better-sqlite3'))(':memory:')";
  const cwd = join(root, 'packages/runtime');
  const { status, stderr } = spawnSync(process.execPath, ['-e', script], { cwd, encoding: 'utf8' });
  return status === 0 ? undefined : stderr;
}

/** Makes `npx spec-hooks` run the command from source; the published package has a bin of its own. */
function linkCommand() {
  const command = join(installed, '.bin/spec-hooks');
  mkdirSync(join(installed, '.bin'), { recursive: true });
  writeFileSync(command, '#!/bin/sh\nexec node "$(dirname "$0")/../../scripts/spec-hooks.mjs" "$@"\n');
  chmodSync(command, 0o755);
  writeFileSync(`${command}.cmd`, '@node "%~dp0..\\..\\scripts\\spec-hooks.mjs" %*\r\n');
}
