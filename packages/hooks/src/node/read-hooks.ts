import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import pTimeout from 'p-timeout';
import type { AnyHook } from '../define/define.ts';
import { DefinitionError } from '../errors.ts';
import { exportedHooks } from './exported-hooks.ts';
import { type FoundFile, findHookFiles } from './hook-files.ts';
import { createImporter, type ImportedModule, type ModuleImporter } from './import-modules.ts';
import { badModules, importProblem, type ModuleProblem } from './module-problem.ts';
import { noteSource } from './source-of.ts';

/** What is read, with all defaults decided. */
export interface ReadRequest {
  /** Absolute. */
  readonly folder: string;
  readonly modules: Readonly<Record<string, unknown>>;
  readonly timeoutMs: number;
  /** Where translated TypeScript is kept. */
  readonly cache?: string;
  /** Is added to, also where reading fails. */
  readonly notes?: ReadNotes;
}

/** Which files a reading came upon, absolute. */
export interface ReadNotes {
  /** Evaluated anew, wherever they stand. */
  readonly evaluated: Set<string>;
  /** Hook modules that came from Node itself, which keeps them. */
  readonly kept: Set<string>;
}

/** The folder that a caller named, absolute. @throws {DefinitionError} `bad_option` for anything but a path or a file URL */
export function toFolderPath(dir: string | URL): string {
  if (typeof dir === 'string' && dir !== '') return resolve(dir);
  if (dir instanceof URL && dir.protocol === 'file:') return fileURLToPath(dir);
  throw new DefinitionError(
    'bad_option',
    "loadHooks needs the folder of the hook modules: a path, such as loadHooks('hooks'), or a file URL.",
  );
}

/** Imports all hook modules of a folder, in path order. @throws {DefinitionError} `bad_option`, `bad_module`, `missing_dependency` */
export async function readHooks(request: ReadRequest): Promise<AnyHook[]> {
  const { folder, modules, timeoutMs, notes, cache } = request;
  const found = await findHookFiles(folder);
  const problems: ModuleProblem[] = found.broken.map((path) => ({
    path,
    reason: 'is a link that leads nowhere',
  }));
  if (found.modules.length + problems.length === 0) throw noModules(folder);
  const files = found.modules.map(({ file }) => file);
  const importer = await createImporter({ folder, files, modules, cache });
  const loaded: LoadedModule[] = [];
  for (const file of found.modules) {
    const module = await load(file, importer, timeoutMs);
    if ('reason' in module) problems.push(module);
    else loaded.push(module);
  }
  if (notes !== undefined) note(notes, loaded, importer.files());
  const hooks = distinctHooks(loaded, problems);
  if (problems.length > 0) throw badModules(folder, problems);
  for (const { file, text, hooks } of loaded) for (const hook of hooks) noteSource(hook, file, text);
  return hooks;
}

function note(
  { evaluated, kept }: ReadNotes,
  loaded: readonly LoadedModule[],
  files: readonly string[],
): void {
  for (const file of files) evaluated.add(file);
  for (const { file } of loaded) if (!evaluated.has(file)) kept.add(file);
}

interface LoadedModule extends FoundFile {
  readonly text: string;
  readonly hooks: readonly AnyHook[];
}

async function load(
  found: FoundFile,
  importer: ModuleImporter,
  timeoutMs: number,
): Promise<LoadedModule | ModuleProblem> {
  const { path, file } = found;
  let imported: ImportedModule | undefined;
  try {
    imported = await pTimeout(importer.import(file), { milliseconds: timeoutMs, fallback: () => undefined });
  } catch (error) {
    return importProblem(error, found);
  }
  if (imported === undefined)
    return { path, reason: `was not imported within ${timeoutMs} ms: a top-level await that does not end?` };
  const exported = exportedHooks(imported.exports);
  if ('reason' in exported) return { path, reason: exported.reason };
  return { path, file, text: imported.text, hooks: exported.hooks };
}

/** Every hook once, however many modules export it; two hooks with one id are a problem. */
function distinctHooks(loaded: readonly LoadedModule[], problems: ModuleProblem[]): AnyHook[] {
  const byId = new Map<string, { readonly hook: AnyHook; readonly path: string }>();
  for (const { path, hooks } of loaded) {
    for (const hook of hooks) {
      const twin = byId.get(hook.id);
      if (twin === undefined) byId.set(hook.id, { hook, path });
      else if (twin.hook !== hook) {
        const where = twin.path === path ? 'of the same module' : `in ${twin.path}`;
        problems.push({
          path,
          reason: `has a hook with the id "${hook.id}", as has another ${where}. Ids are unique: rename one.`,
        });
      }
    }
  }
  return [...byId.values()].map(({ hook }) => hook);
}

function noModules(folder: string): DefinitionError {
  const what = 'files that end in .ts, .mts, .cts, .js, .mjs or .cjs and do not begin with "_"';
  return new DefinitionError(
    'bad_option',
    `The folder of hooks ${folder} has no hook modules: ${what}. Is it the right folder?`,
  );
}
