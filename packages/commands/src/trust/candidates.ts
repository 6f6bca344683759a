import { readlinkSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readRegularFile } from '@spec/hooks/node';
import { GLOB, HERE } from './expand.ts';
import type { Language } from './languages.ts';
import { namesIn } from './python-modules.ts';

const ENDINGS = ['.js', '.cjs', '.mjs', '.json', '.node', '.ts', '.cts', '.mts', '.tsx', '.jsx'];
const INDEXES = ['package.json', ...ENDINGS.map((ending) => `index${ending}`)];

/** The files that a language may load for a path, existing or not. @param path absolute */
export function candidatesFor(path: string, language: Language): string[] {
  if (language === 'python') return [path, join(path, '__main__.py')];
  if (language !== 'javascript') return [path];
  const inside = INDEXES.map((name) => join(path, name));
  const main = readMain(join(path, 'package.json'));
  const named = main === undefined ? [] : candidatesFor(resolve(path, main), language);
  // An import may name a TypeScript file by its compiled JavaScript name.
  const typed = /\.[cm]?js$/.test(path) ? [path.replace(/js$/, 'ts')] : [];
  return [path, ...typed, ...ENDINGS.map((ending) => `${path}${ending}`), ...inside, ...named];
}

const MAX_MANIFEST_BYTES = 1_048_576;

function readMain(manifest: string): string | undefined {
  try {
    const { main } = JSON.parse(readRegularFile(manifest, MAX_MANIFEST_BYTES).toString('utf8'));
    return typeof main === 'string' && main !== '' && main !== '.' && main !== './' ? main : undefined;
  } catch {
    return undefined;
  }
}

/** The paths of a word from each of the folders. A pattern also gives its folder, because new files may match it later. */
export function resolveWord(word: string, folders: readonly string[]): string[] {
  const relative = word.startsWith(HERE) ? `.${word.slice(1)}` : word;
  return [
    ...new Set(folders.flatMap((folder) => [resolve(folder, relative), followLinks(folder, relative)])),
  ].flatMap(expandGlob);
}

/** Resolves a path as the system does: `..` leaves the folder that a link leads to. */
function followLinks(folder: string, word: string): string {
  if (!/(?:^|\/)\.\.(?:\/|$)/.test(word)) return resolve(folder, word);
  return word
    .split('/')
    .reduce(
      (at, part) => (part === '..' ? dirname(findRealPath(at)) : join(at, part)),
      word.startsWith('/') ? '/' : folder,
    );
}

/** Follows links; a path that leads nowhere stays as it is. */
export function findRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

const STANDS_FOR_ANOTHER = /^\/(?:proc|dev)\/(?!null$)/;

/** Whether a path, or the link that it is, means another file in each process: `/dev/stdin`, `/proc/self/cwd/x`. */
export function standsForAnother(path: string): boolean {
  return STANDS_FOR_ANOTHER.test(path) || STANDS_FOR_ANOTHER.test(findTarget(path));
}

function findTarget(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

function expandGlob(path: string): string[] {
  if (!GLOB.test(path)) return [path];
  const folder = dirname(path);
  if (GLOB.test(folder)) return [];
  const source = path
    .slice(folder.length + 1)
    .replace(/[.+^${}()|\\[\]*?]|[\uE001-\uE003]/g, (one) => sources[one] ?? `\\${one}`);
  const fits = new RegExp(`^${source}$`, 'su');
  return [
    folder,
    ...namesIn(folder)
      .filter((name) => fits.test(name))
      .map((name) => join(folder, name)),
  ];
}

/** The content of brackets is ignored: any character fits. */
const sources: Readonly<Record<string, string>> = {
  '\uE001': '.*',
  '\uE002': '.',
  '\uE003': '.*',
  ']': '.*',
};

export function findStats(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
