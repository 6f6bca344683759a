import { createHash } from 'node:crypto';
import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegularFile } from '@spec/hooks/node';
import { findMain, findMapped } from './package-maps.ts';
import { type ReadImports, readImports } from './read-imports.ts';

/** Code of a project, as far as it can be seen without running it. */
export interface SeenCode {
  /** All files that are reached, absolute, in path order. */
  readonly files: readonly string[];
  /** Another text whenever one of them changes, goes, or a file takes the place of one. */
  readonly fingerprint: string;
  /** What reaches further than this look does, as sentences. */
  readonly unseen: readonly string[];
}

/** What was seen of each file, by its path. */
export type CodeMemory = Map<string, SeenFile>;

interface SeenFile {
  /** Another text whenever the file may have changed. */
  readonly stamp: string;
  readonly hash: string;
  readonly imports: ReadImports;
}

const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'] as const;
/** More than the modules that are imported: of what is larger, every touch counts as a change. */
const MAX_BYTES = 33_554_432;

/**
 * Looks at files and folders, and at all modules that they import from the project, and hashes them. Of packages it takes the
 * `package.json`: what is inside of them comes with an installation.
 *
 * @param starts absolute
 * @param memory what was seen of files that are as they were; whoever looks often keeps it
 */
export function lookAtCode(starts: readonly string[], memory: CodeMemory = new Map()): SeenCode {
  const hashes = new Map<string, string>();
  const unseen = new Set<string>();
  const listed = new Set<string>();
  const waiting = starts.flatMap((start) => listFiles(start, listed));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (hashes.has(file)) continue;
    const seen = lookAtFile(file, memory);
    hashes.set(file, seen.hash);
    if (seen.imports.isUnclear) unseen.add(`${file} imports a module by a name that is made at run time.`);
    for (const folder of listFolders(file))
      for (const name of seen.imports.names) waiting.push(...resolveImport(name, folder));
  }
  const files = [...hashes.keys()].sort();
  const lines = files.map((file) => `${file}\0${hashes.get(file)}`);
  return { files, fingerprint: hash([...starts, '', ...lines].join('\n')), unseen: [...unseen].sort() };
}

function lookAtFile(file: string, memory: CodeMemory): SeenFile {
  const stamp = stampFile(file);
  const known = memory.get(file);
  if (known?.stamp === stamp) return known;
  const content = readContent(file);
  const seen: SeenFile = {
    stamp,
    hash: content === undefined ? `unreadable ${stamp}` : hash(content),
    imports: content !== undefined && CODE.test(file) ? readImports(content.toString('utf8')) : NO_IMPORTS,
  };
  if (isSettled(file)) memory.set(file, seen);
  return seen;
}

const NO_IMPORTS: ReadImports = { names: [], isUnclear: false };

/** The folders from which a module imports: the one in which it was found, and the one to which a link leads. */
function listFolders(file: string): readonly string[] {
  const real = findReal(file);
  return [...new Set([dirname(file), dirname(real ?? file)])];
}

function findReal(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** Says of a file what changes with its text, without reading it; nobody but the system can set the time of its last change. */
export function stampFile(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join();
}

/** A file that changes twice in one tick of the system's clock has one stamp. The tick of some systems is two seconds. */
function isSettled(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat !== undefined && Date.now() - stat.ctimeMs > 2_500;
}

/**
 * A folder stands for what is in it, but for hidden files and what is installed there.
 *
 * @param listed the folders that were listed before, links followed: each is listed once, wherever links lead
 */
function listFiles(path: string, listed: Set<string>): string[] {
  const real = findReal(path);
  if (real === undefined || !statSync(real).isDirectory()) return [path];
  if (listed.has(real)) return [];
  listed.add(real);
  const names = readdirSync(real).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  return names.sort().flatMap((name) => listFiles(join(path, name), listed));
}

/** Every file that the import can mean: one that appears before another takes its place. */
function resolveImport(specifier: string, folder: string): string[] {
  const [name = ''] = specifier.split(/[?#](?=.)/);
  if (name.startsWith('node:')) return [];
  if (name.startsWith('file:')) return resolvePath(toPath(name));
  if (/^\.{0,2}\/|^\.{1,2}$/.test(name))
    return [...new Set([name, decode(name)])].flatMap((path) => resolvePath(resolve(folder, path)));
  const asked = specifier.startsWith('#') ? specifier : name;
  const [manifest] = findManifest(folder);
  const mapped = manifest === undefined ? undefined : findMapped(asked, manifest);
  if (manifest === undefined || mapped === undefined) return findPackage(name, folder);
  const targets = mapped.targets.flatMap((target) => resolveTarget(target, mapped.folder));
  return [manifest, ...targets, ...findPackage(name, folder)];
}

/** A map may name a package; that it names another name of a map is not allowed. */
function resolveTarget(target: string, folder: string): string[] {
  return target.startsWith('.') ? resolvePath(resolve(folder, target)) : findPackage(target, folder);
}

/** What a relative import of an ES module names is read as a URL. */
function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

function toPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

/** The files that a path may mean, also by what the `package.json` of a folder says. */
function resolvePath(path: string): string[] {
  const main = findMain(join(path, 'package.json'));
  return [...listCandidates(path), ...(main === undefined ? [] : listCandidates(resolve(path, main)))];
}

function listCandidates(path: string): string[] {
  const typed = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
  const candidates = [
    path,
    typed,
    ...EXTENSIONS.map((extension) => `${path}${extension}`),
    join(path, 'package.json'),
    ...EXTENSIONS.map((extension) => join(path, `index${extension}`)),
  ];
  return [...new Set(candidates)].filter(isFile);
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A folder without a `package.json` is a package, too, as is a file: both hide one that stands further out. */
function findPackage(name: string, folder: string): string[] {
  const [scope = '', own = ''] = name.split('/');
  const called = scope.startsWith('@') ? `${scope}/${own}` : scope;
  const installed = join(folder, 'node_modules');
  const manifest = join(installed, called, 'package.json');
  if (existsSync(manifest)) return [manifest];
  const bare = existsSync(installed) ? resolvePath(join(installed, name)) : [];
  return dirname(folder) === folder ? bare : [...bare, ...findPackage(name, dirname(folder))];
}

function findManifest(folder: string): string[] {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) return [manifest];
  return dirname(folder) === folder ? [] : findManifest(dirname(folder));
}

function readContent(file: string): Buffer | undefined {
  try {
    return readRegularFile(file, MAX_BYTES);
  } catch {
    return undefined;
  }
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
