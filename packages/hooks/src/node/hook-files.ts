import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DefinitionError } from '../errors.ts';

/** A file below the folder of hooks. */
export interface FoundFile {
  /** Relative to the folder, with `/` between its parts. */
  readonly path: string;
  /** Absolute, links followed. */
  readonly file: string;
}

/** What a folder of hooks holds, each list in path order. */
export interface HookFolder {
  /** The hook modules. */
  readonly modules: readonly FoundFile[];
  /** What they may import: modules whose name begins with `_`, and JSON. */
  readonly helpers: readonly FoundFile[];
  /** Paths of links with the name of a hook module that lead nowhere. */
  readonly broken: readonly string[];
}

/**
 * Looks for hook modules in a folder and all folders in it, through links. What begins with `_` or `.`, `node_modules`,
 * declarations (`.d.ts`) and tests (`.test.ts`, `.spec.ts`) are none.
 *
 * @throws {DefinitionError} `bad_option` where the folder is missing, none, or cannot be read.
 */
export async function findHookFiles(folder: string): Promise<HookFolder> {
  const found: Findings = { modules: [], helpers: [], broken: [] };
  try {
    await search(found, { folder, path: '', above: [] });
  } catch (error) {
    throw new DefinitionError('bad_option', `The folder of hooks ${folder} ${whyUnreadable(error)}.`);
  }
  return {
    modules: inPathOrder(found.modules),
    helpers: inPathOrder(found.helpers),
    broken: found.broken.sort(),
  };
}

const MODULE = /\.[cm]?[jt]s$/;
const NO_HOOK_MODULE = /^[._]|\.d\.[cm]?ts$|\.(?:test|spec|test-d|bench)\.[cm]?[jt]s$/;
const HELPER = /^_.*\.[cm]?[jt]s$|^[^.].*\.json$/;

/** Whether a file of this name can be read by Node itself. */
export function isJavaScript(name: string): boolean {
  return /\.[cm]?js$/.test(name);
}

interface Findings {
  readonly modules: FoundFile[];
  readonly helpers: FoundFile[];
  readonly broken: string[];
}

interface SearchedFolder {
  readonly folder: string;
  /** Relative to the folder of hooks: empty, or with a `/` at its end. */
  readonly path: string;
  /** The real paths of this folder's parents: a link back to one of them is not followed. */
  readonly above: readonly string[];
}

async function search(found: Findings, { folder, path, above }: SearchedFolder): Promise<void> {
  const real = await realpath(folder);
  if (above.includes(real)) return;
  for (const entry of await readdir(real, { withFileTypes: true })) {
    const { name } = entry;
    if (name.startsWith('.') || name === 'node_modules') continue;
    const target = entry.isSymbolicLink()
      ? await resolveTarget(join(real, name))
      : { file: join(real, name), sort: entry };
    if (target === undefined) {
      if (isHookModule(name)) found.broken.push(`${path}${name}`);
    } else if (target.sort.isFile()) {
      listFor(name, found)?.push({ path: `${path}${name}`, file: target.file });
    } else if (target.sort.isDirectory() && !name.startsWith('_')) {
      await search(found, { folder: target.file, path: `${path}${name}/`, above: [...above, real] });
    }
  }
}

interface Target {
  readonly file: string;
  readonly sort: Pick<Dirent, 'isFile' | 'isDirectory'>;
}

/** What a link leads to; `undefined` for one that leads nowhere. */
async function resolveTarget(link: string): Promise<Target | undefined> {
  try {
    return { file: await realpath(link), sort: await stat(link) };
  } catch {
    return undefined;
  }
}

function listFor(name: string, { modules, helpers }: Findings): FoundFile[] | undefined {
  if (isHookModule(name)) return modules;
  return HELPER.test(name) ? helpers : undefined;
}

function isHookModule(name: string): boolean {
  return MODULE.test(name) && !NO_HOOK_MODULE.test(name);
}

/** By code units, so that it is the same everywhere. */
function inPathOrder(files: readonly FoundFile[]): FoundFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'does not exist';
  if (code === 'ENOTDIR') return 'is not a folder';
  return `cannot be read (${String(code)})`;
}
