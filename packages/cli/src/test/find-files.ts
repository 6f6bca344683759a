import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DefinitionError } from '@spec/hooks';

const skipped: readonly string[] = ['node_modules', '.git', 'dist'];

/**
 * The files with cases, sorted.
 *
 * @param paths YAML files, whatever else they are called, and folders to look in
 * @throws {DefinitionError} `bad_option` for a path that is not there, and for a file of another kind, such as a hook
 */
export async function findCaseFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => filesAt(path)));
  return [...new Set(found.flat())].sort();
}

async function filesAt(path: string): Promise<string[]> {
  const kind = await stat(path).catch(() => undefined);
  if (kind === undefined) throw new DefinitionError('bad_option', `There is no file or folder ${path}.`);
  if (kind.isDirectory()) return filesBelow(path);
  if (/\.(?:ya?ml|json)$/.test(path) || !kind.isFile()) return [path]; // JSON is YAML too; a pipe has no name of its own.
  throw new DefinitionError(
    'bad_option',
    `${path} is not a file with cases: they are kept in files called *.hooks.yaml. Give such a file, or a folder with them.`,
  );
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = entries.map(async (entry) => {
    const path = folder === '.' ? entry.name : join(folder, entry.name);
    if (entry.isDirectory()) return skipped.includes(entry.name) ? [] : filesBelow(path);
    return /\.hooks\.ya?ml$/.test(entry.name) ? [path] : [];
  });
  return (await Promise.all(found)).flat();
}
