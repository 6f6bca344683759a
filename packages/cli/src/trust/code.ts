import { createHash } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRegularFile } from '@spec/hooks/node';

/** Code of a project, as far as it can be seen without running it. */
export interface SeenCode {
  /** All files that are reached, absolute, in path order. */
  readonly files: readonly string[];
  /** Another text whenever one of them changes, goes, or a file takes the place of one. */
  readonly fingerprint: string;
  /** What reaches further than this look does, as sentences. */
  readonly unseen: readonly string[];
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
 */
export function lookAtCode(starts: readonly string[]): SeenCode {
  const hashes = new Map<string, string>();
  const unseen = new Set<string>();
  const waiting = starts.flatMap(listFiles);
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (hashes.has(file)) continue;
    const text = readText(file);
    hashes.set(file, text === undefined ? 'unreadable' : hash(text));
    if (text === undefined || !CODE.test(file)) continue;
    if (COMPUTED.test(text)) unseen.add(`${file} imports a module by a name that is made at run time.`);
    for (const specifier of listImports(text)) waiting.push(...resolveImport(specifier, dirname(file)));
  }
  const files = [...hashes.keys()].sort();
  const lines = files.map((file) => `${file}\0${hashes.get(file)}`);
  return { files, fingerprint: hash([...starts, '', ...lines].join('\n')), unseen: [...unseen].sort() };
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
  /\b(?:from|import|require(?:\.resolve)?|import\.meta\.resolve)\s*(?:\(\s*)?(?:'([^'\n]+)'|"([^"\n]+)"|`([^`$\n]+)`)/g;
const COMPUTED =
  /(?<![.\w])(?:import|require)\s*\(\s*(?!\s*['"`)]|\/)|(?<![.\w])(?:import|require)\s*\(\s*`[^`]*\$\{/;

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
  if (specifier.startsWith('#')) return findManifest(folder);
  return findPackage(name, folder);
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
