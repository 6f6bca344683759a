// What is in the checkout, and whether what is installed belongs to it.
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

const stamp = join(root, 'node_modules/.setup-stamp');
const addon = join(root, 'packages/runtime/node_modules/better-sqlite3/build/Release/better_sqlite3.node');
const commandLink = join(root, 'node_modules/.bin/spec-hooks');

/** The package manager that package.json pins, such as `pnpm@12.21.0`. */
export function pinnedManager() {
  /** @type {{ packageManager: string }} */
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return /** @type {string} */ (manifest.packageManager.split('+')[0]);
}

/** The folders of all workspace packages, the root among them. */
function packageFolders() {
  const below = ['packages', 'examples'].flatMap((parent) =>
    existsSync(join(root, parent))
      ? readdirSync(join(root, parent)).map((name) => join(root, parent, name))
      : [],
  );
  return [root, ...below].filter((folder) => existsSync(join(folder, 'package.json')));
}

/** True when a finished set-up of exactly this checkout, for this Node, is in place and nothing of it is missing. */
export function isSetUp() {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprint() && missingPart() === undefined;
}

/** Says that everything is installed. */
export function markSetUp() {
  linkCommand();
  writeFileSync(stamp, fingerprint());
}

/** Takes the mark away, so that a set-up which is cut off half-way is never taken for a finished one. */
export function unmarkSetUp() {
  rmSync(stamp, { force: true });
}

/** Removes everything that is installed. */
export function removeInstalled() {
  for (const folder of packageFolders())
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
}

/** True when something was installed before, whole or not. */
export function hasInstalled() {
  return existsSync(join(root, 'node_modules'));
}

/** True when another package manager (npm) filled node_modules: pnpm cannot build on that. */
export function isForeign() {
  return hasInstalled() && !existsSync(join(root, 'node_modules/.modules.yaml'));
}

/** The first thing that should be installed and is not, as a path relative to the checkout; else undefined. */
export function missingPart() {
  const links = packageFolders().flatMap((folder) =>
    dependencyNames(folder).map((name) => join(folder, 'node_modules', name, 'package.json')),
  );
  const wanted = [...links, ...(existsSync(join(root, 'packages/runtime')) ? [addon] : [])];
  return wanted.find((path) => !existsSync(path))?.slice(root.length);
}

/** @param {string} folder */
function dependencyNames(folder) {
  /** @type {{ dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
}

function fingerprint() {
  const hash = createHash('sha256');
  hash.update([process.platform, process.arch, process.versions.modules, pinnedManager()].join(' '));
  for (const name of ['pnpm-lock.yaml', 'pnpm-workspace.yaml']) hash.update(readFileSync(join(root, name)));
  const store = join(root, 'node_modules/.pnpm');
  hash.update(existsSync(store) ? readdirSync(store).sort().join('\n') : '');
  return hash.digest('hex');
}

/** Makes `npx spec-hooks` run the command from source; the published package has a bin of its own. */
function linkCommand() {
  mkdirSync(join(root, 'node_modules/.bin'), { recursive: true });
  writeFileSync(commandLink, '#!/bin/sh\nexec node "$(dirname "$0")/../../scripts/spec-hooks.mjs" "$@"\n');
  chmodSync(commandLink, 0o755);
  writeFileSync(`${commandLink}.cmd`, '@node "%~dp0..\\..\\scripts\\spec-hooks.mjs" %*\r\n');
}
