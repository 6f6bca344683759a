import { dirname } from 'node:path';
import { configFileAbove, type FoundConfig } from './config.ts';
import { loadAll, type Project } from './load-project.ts';
import { loadParts, type ProjectFlags } from './parts.ts';

/** The hooks of a folder that are data: settings files and rules. Nothing of it was imported. */
export interface ProjectData {
  readonly project: Project;
  /** Files and folders of code that were left out, as a person calls them. */
  readonly notImported: readonly string[];
}

/**
 * Loads the settings files and rules of a project, and imports nothing: neither its configuration nor hook modules.
 *
 * @throws {DefinitionError} naming the file, what is wrong with it and what to do
 */
export async function loadProjectData(flags: ProjectFlags): Promise<ProjectData> {
  const config = flags.config === undefined ? configFileAbove(process.cwd()) : undefined;
  const found: FoundConfig = {
    config: {},
    folder: config === undefined ? process.cwd() : dirname(config),
  };
  const parts = await loadParts(found, flags, (_, load) => load());
  const isCode = (path: string): boolean => /\.[cm]?[jt]s$/.test(path);
  const rules = parts.rules.filter((path) => !isCode(path));
  const project = await loadAll(
    { ...parts, hooks: [], policies: [], rules },
    { found, flags, onProblem: 'throw', problems: [] },
  );
  const code = [config, ...parts.hooks, ...parts.rules.filter(isCode)];
  return { project, notImported: code.filter((path) => path !== undefined) };
}
