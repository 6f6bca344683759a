import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { DefinitionError, withCause } from '@spec/hooks';
import { importProblem, readModuleText } from '@spec/hooks/node';

/** How a module is imported. */
export interface ImportOptions {
  /** As a person calls it. */
  readonly file: string;
  /** What it can import by these names wherever it stands. */
  readonly modules?: Readonly<Record<string, unknown>>;
  /** A folder in which the translated module is kept; `false`: nothing is written. */
  readonly cache: string | false;
}

/**
 * Imports the default export of a module, TypeScript or JavaScript, that a person wrote.
 *
 * @param path absolute
 * @throws {DefinitionError} `bad_module`: one sentence with the line or the package that is at fault; what was thrown is told on `--debug`
 */
export async function importDefault(
  path: string,
  { file, modules = {}, cache }: ImportOptions,
): Promise<unknown> {
  // By `require`: its CommonJS build is read in less than half the time of its ES module.
  const { createJiti } = createRequire(import.meta.url)('jiti') as typeof import('jiti');
  const jiti = createJiti(import.meta.url, {
    fsCache: cache,
    interopDefault: false,
    virtualModules: { ...modules },
  });
  try {
    readModuleText(path);
    return ((await jiti.import(path)) as { readonly default?: unknown }).default;
  } catch (error) {
    const { reason } = importProblem(error, { path: basename(path), file: path });
    throw withCause(new DefinitionError('bad_module', `${file} ${reason}`.replace(/\.?$/, '.')), error);
  }
}
