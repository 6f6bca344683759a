import { createRequire } from 'node:module';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Jiti } from 'jiti';
import pTimeout from 'p-timeout';
import { DefinitionError, withCause } from '../errors.ts';
import * as core from '../index.ts';
import { defaultExport } from './exported-hooks.ts';
import { isJavaScript } from './hook-files.ts';
import { importProblem } from './module-problem.ts';
import { readRegularFile } from './regular-file.ts';

/** A module that was imported. */
export interface ImportedModule {
  readonly exports: unknown;
  readonly text: string;
}

/**
 * Imports modules, TypeScript and JavaScript, as they are on disk now.
 *
 * M1 One importer evaluates every file once, also one that several modules import.
 * M2 Another importer evaluates TypeScript and reads JSON anew. JavaScript modules and packages come from Node itself, which keeps them.
 * M3 `@spec/hooks` can be imported wherever the modules stand; in TypeScript it is the copy that runs the hooks.
 * M4 Nothing is written to disk, other than translations to a cache that the caller names. They are found by the text that they are of.
 */
export interface ModuleImporter {
  /** Rejects with what the module threw, or with what kept it from being evaluated. */
  import(file: string): Promise<ImportedModule>;
  /** The files that were evaluated or read anew so far, absolute. */
  files(): string[];
}

/** What modules are imported with. */
interface ImportRequest {
  readonly folder: string;
  /** The modules that will be imported, absolute. */
  readonly files: readonly string[];
  readonly modules: Readonly<Record<string, unknown>>;
  /** Where translations are kept. */
  readonly cache?: string | undefined;
}

/** @throws {DefinitionError} `missing_dependency` where one of the files is TypeScript, and jiti is not installed. */
export async function createImporter({
  folder,
  files,
  modules,
  cache,
}: ImportRequest): Promise<ModuleImporter> {
  const jitiPackage = requireJiti();
  if (jitiPackage === undefined) return nodeImporter(files);
  const jiti = jitiPackage.createJiti(join(folder, '_'), {
    fsCache: cache ?? false,
    moduleCache: false,
    interopDefault: false,
    tryNative: false,
    virtualModules: { '@spec/hooks': core, ...modules },
  });
  const evaluated: Evaluated = {};
  const json = new Set<string>();
  return {
    async import(file) {
      const text = readModuleText(file);
      const exports = evaluated[file]?.exports ?? (await evaluate(jiti, { file, text, evaluated, json }));
      return { exports, text };
    },
    files: () => [...Object.keys(evaluated), ...json].filter((file) => !isOfPackage(file)),
  };
}

/** More than any module that a person writes, and than most that are bundled. */
const MAX_BYTES = 16_777_216;

/** Reads a module. @throws {DefinitionError} `bad_module` where it is a pipe, a device or too large; what the system throws */
export function readModuleText(file: string): string {
  try {
    return readRegularFile(file, MAX_BYTES).toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    throw new DefinitionError('bad_module', `cannot be read: ${(error as Error).message}.`);
  }
}

type Evaluated = Record<string, NodeJS.Module>;

interface Evaluation {
  readonly file: string;
  readonly text: string;
  readonly evaluated: Evaluated;
  readonly json: Set<string>;
}

async function evaluate(jiti: Jiti, { file, text, evaluated, json }: Evaluation): Promise<unknown> {
  const options = { id: file, filename: file, ext: extname(file), cache: evaluated, async: true };
  const keptBefore = new Set(Object.keys(kept));
  try {
    return await jiti.evalModule(text, options as Parameters<Jiti['evalModule']>[1]);
  } finally {
    forgetUnfinished(evaluated);
    forgetJson(keptBefore, json);
  }
}

/** A module that failed must fail again where it is imported again, instead of being found half done. */
function forgetUnfinished(evaluated: Evaluated): void {
  for (const file in evaluated) if (evaluated[file]?.loaded !== true) delete evaluated[file];
}

const { cache: kept } = createRequire(import.meta.url);

/** JSON files are read by `require`, which would keep them as they were. */
function forgetJson(keptBefore: ReadonlySet<string>, json: Set<string>): void {
  for (const file of Object.keys(kept)) {
    if (!file.endsWith('.json') || keptBefore.has(file)) continue;
    json.add(file);
    delete kept[file];
  }
}

function isOfPackage(file: string): boolean {
  return /[/\\]node_modules[/\\]/.test(file);
}

/** By `require`: its CommonJS build is read in less than half the time of its ES module. */
function requireJiti(): typeof import('jiti') | undefined {
  try {
    return createRequire(import.meta.url)('jiti');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    return undefined;
  }
}

/** JavaScript is what Node reads by itself. */
function nodeImporter(files: readonly string[]): ModuleImporter {
  const typeScript = files.find((file) => !isJavaScript(file));
  if (typeScript !== undefined) {
    const message = `${typeScript} is TypeScript, which the package jiti reads on every Node. Install it: npm install jiti`;
    throw new DefinitionError('missing_dependency', message);
  }
  return {
    async import(file) {
      const text = readModuleText(file);
      return { exports: await import(pathToFileURL(file).href), text };
    },
    files: () => [],
  };
}

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
