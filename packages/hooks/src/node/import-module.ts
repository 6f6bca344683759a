import { basename, dirname, resolve } from 'node:path';
import pTimeout from 'p-timeout';
import { DefinitionError, withCause } from '../errors.ts';
import { defaultExport } from './exported-hooks.ts';
import { createImporter, type ImportedModule } from './import-modules.ts';
import { importProblem } from './module-problem.ts';

/** Milliseconds that a module may take to import. */
const TIMEOUT = 30_000;

/**
 * Imports one module, TypeScript or JavaScript, as it is on disk now.
 *
 * @param file a path, relative to the working folder
 * @param modules what it can import by these names wherever it stands; `@spec/hooks` always is one
 * @returns its default export
 * @throws {DefinitionError} `bad_module` with the reason; `missing_dependency` where it is TypeScript and jiti is not installed
 */
export async function importModule(
  file: string,
  modules: Readonly<Record<string, unknown>> = {},
): Promise<unknown> {
  const path = resolve(file);
  const importer = await createImporter({ folder: dirname(path), files: [path], modules });
  let imported: ImportedModule | undefined;
  try {
    imported = await pTimeout(importer.import(path), { milliseconds: TIMEOUT, fallback: () => undefined });
  } catch (error) {
    throw withCause(bad(file, importProblem(error, { path: basename(path), file: path }).reason), error);
  }
  if (imported === undefined)
    throw bad(file, `was not imported within ${TIMEOUT} ms: a top-level await that does not end?`);
  return defaultExport(imported.exports);
}

function bad(file: string, reason: string): DefinitionError {
  return new DefinitionError('bad_module', `The module ${file} ${reason}`);
}
