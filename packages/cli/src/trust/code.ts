import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegularFile } from '@spec/hooks/node';
import { findMapped } from './package-maps.ts';

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
  readonly imports: readonly string[];
  readonly isComputed: boolean;
}

const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const EXTENSIONS = ['.ts', '.mts', '.cts', '.tsx', '.js', '.mjs', '.cjs', '.jsx', '.json'] as const;
/** A module is a text that a person can look at. */
const MAX_BYTES = 4_194_304;

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
  const waiting = starts.flatMap(listFiles);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (hashes.has(file)) continue;
    const seen = lookAtFile(file, memory);
    hashes.set(file, seen.hash);
    if (seen.isComputed) unseen.add(`${file} imports a module by a name that is made at run time.`);
    for (const specifier of seen.imports) waiting.push(...resolveImport(specifier, dirname(file)));
  }
  const files = [...hashes.keys()].sort();
  const lines = files.map((file) => `${file}\0${hashes.get(file)}`);
  return { files, fingerprint: hash([...starts, '', ...lines].join('\n')), unseen: [...unseen].sort() };
}

function lookAtFile(file: string, memory: CodeMemory): SeenFile {
  const stamp = stampFile(file);
  const known = memory.get(file);
  if (known?.stamp === stamp) return known;
  const text = readText(file);
  const isCode = text !== undefined && CODE.test(file);
  const seen: SeenFile = {
    stamp,
    hash: text === undefined ? 'unreadable' : hash(text),
    imports: isCode ? listImports(text) : [],
    isComputed: isCode && COMPUTED.test(text),
  };
  if (isSettled(file)) memory.set(file, seen);
  return seen;
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

/** A folder stands for what is in it, but for hidden files and what is installed there. */
function listFiles(path: string): string[] {
  try {
    if (!statSync(path).isDirectory()) return [path];
  } catch {
    return [path];
  }
  const names = readdirSync(path).filter((name) => !name.startsWith('.') && name !== 'node_modules');
  return names.flatMap((name) => listFiles(join(path, name)));
}

const IMPORTED =
  /\b(?:from|import|require(?:\.resolve)?|import\.meta\.resolve|createRequire\s*\((?:[^()]|\([^()]*\)){0,200}\))\s*(?:\(\s*)?(?:'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`)/g;
const COMPUTED =
  /(?<![.\w])(?:import|require)\s*\(\s*(?!\s*['"`)]|\/)|\bcreateRequire\s*\((?:[^()]|\([^()]*\)){0,200}\)\s*\(\s*(?!\s*['"`])|(?<![.\w])(?:import|require)\s*\(\s*`[^`]*\$\{/;

function listImports(text: string): string[] {
  return Array.from(
    text.matchAll(IMPORTED),
    ([, single, double, quoted]) => single ?? double ?? quoted ?? '',
  );
}

/** Every file that the import can mean: one that appears before another takes its place. */
function resolveImport(specifier: string, folder: string): string[] {
  const [name = ''] = specifier.split(/[?#](?=.)/);
  if (name.startsWith('node:')) return [];
  if (name.startsWith('file:')) return resolvePath(toPath(name));
  if (/^\.{0,2}\/|^\.{1,2}$/.test(name)) return resolvePath(resolve(folder, name));
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

function toPath(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return url;
  }
}

function resolvePath(path: string): string[] {
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

function findPackage(name: string, folder: string): string[] {
  const [scope = '', own = ''] = name.split('/');
  const called = scope.startsWith('@') ? `${scope}/${own}` : scope;
  const manifest = join(folder, 'node_modules', called, 'package.json');
  if (existsSync(manifest)) return [manifest];
  return dirname(folder) === folder ? [] : findPackage(name, dirname(folder));
}

function findManifest(folder: string): string[] {
  const manifest = join(folder, 'package.json');
  if (existsSync(manifest)) return [manifest];
  return dirname(folder) === folder ? [] : findManifest(dirname(folder));
}

function readText(file: string): string | undefined {
  try {
    return readRegularFile(file, MAX_BYTES).toString('utf8');
  } catch {
    return undefined;
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
