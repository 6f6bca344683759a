import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { type LoadedSettings, loadSettings, trustStore } from '@spec/commands';
import { type AnyHook, DefinitionError } from '@spec/hooks';
import { loadHooks } from '@spec/hooks/node';
import { loadRules, type Rules } from '@spec/rules';
import { type AnyTrigger, declaredTriggers, triggerHooks } from '@spec/triggers';
import { type FoundConfig, findConfig } from './config.ts';
import { type Parts, partsOf } from './parts.ts';

/** What the options of commands say beside, or instead of, the configuration. */
export interface ProjectFlags {
  /** Settings or rule files, in place of those of the configuration. */
  readonly config?: readonly string[];
  /** A folder of hook modules, in place of those of the configuration. */
  readonly hooks?: string;
  /** Runs settings files of the project without asking whether they are trusted. */
  readonly trust?: boolean;
}

/** Something that could not be loaded, for `check`; other commands end with the first. */
export interface LoadProblem {
  readonly file: string;
  readonly message: string;
}

/** All hooks that are known in a folder. */
export interface Project extends FoundConfig {
  /** Those that prompts and agents can name. */
  readonly hooks: readonly AnyHook[];
  /** Those that run everywhere, in order: modules, settings files, rules, triggers. */
  readonly policies: readonly AnyHook[];
  readonly settings: LoadedSettings | undefined;
  readonly rules: Rules | undefined;
  readonly triggers: readonly AnyTrigger[];
  readonly problems: readonly LoadProblem[];
  /** Ends what the hooks started. */
  close(): Promise<void>;
}

/**
 * Loads the hooks of a project: those of its configuration, else those in the usual places.
 *
 * @param onProblem `collect`: what cannot be loaded is told in `problems`; `throw` ends with the first
 * @throws {DefinitionError} naming the file, what is wrong with it and what to do
 */
export async function loadProject(
  flags: ProjectFlags = {},
  onProblem: 'throw' | 'collect' = 'throw',
): Promise<Project> {
  const found = await findConfig();
  const parts = partsOf(found, flags);
  const problems: LoadProblem[] = [];
  const attempt = async <T>(file: string, load: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await load();
    } catch (error) {
      if (onProblem === 'throw' || !(error instanceof DefinitionError)) throw error;
      problems.push({ file, message: error.message });
      return undefined;
    }
  };
  const hooks = await modules(parts.hooks, attempt);
  const policies = await modules(parts.policies, attempt);
  const settings = await settingsOf(parts.settings, { found, flags, attempt });
  const rules = await rulesOf(parts.rules, attempt);
  const triggers = await triggersOf(parts.triggers, attempt);
  return {
    ...found,
    hooks,
    policies: [...policies, ...(settings?.hooks ?? []), ...(rules?.hooks ?? []), ...triggerHooks(triggers)],
    settings,
    rules,
    triggers,
    problems,
    async close() {
      await Promise.all([settings?.close(), rules?.close()]);
    },
  };
}

/** Loads one thing, or notes why it cannot be loaded. */
export type Attempt = <T>(file: string, load: () => Promise<T>) => Promise<T | undefined>;

async function modules(sources: readonly (string | AnyHook)[], attempt: Attempt): Promise<AnyHook[]> {
  const hooks: AnyHook[] = [];
  for (const source of sources) {
    if (typeof source === 'string') hooks.push(...((await attempt(source, () => loadHooks(source))) ?? []));
    else hooks.push(source);
  }
  return hooks;
}

async function settingsOf(
  sources: Parts['settings'],
  { found, flags, attempt }: { found: FoundConfig; flags: ProjectFlags; attempt: Attempt },
): Promise<LoadedSettings | undefined> {
  if (sources.length === 0) return undefined;
  const name = sources.map((source) => String(typeof source === 'string' ? source : source.file)).join(', ');
  const trust = flags.trust === true ? 'all' : trustStore(trustFile(found));
  return attempt(name, () => loadSettings(sources, { projectDir: found.folder, trust }));
}

/** Where the fingerprints of trusted settings files are kept. */
export function trustFile({ config, folder }: FoundConfig): string {
  return config.trust === undefined
    ? join(homedir(), '.spec-hooks', 'trust.json')
    : resolve(folder, config.trust);
}

async function rulesOf(files: readonly string[], attempt: Attempt): Promise<Rules | undefined> {
  return files.length === 0 ? undefined : attempt(files.join(', '), () => loadRules(files));
}

async function triggersOf(files: readonly string[], attempt: Attempt): Promise<AnyTrigger[]> {
  const triggers: AnyTrigger[] = [];
  for (const file of files) {
    const read = async (): Promise<AnyTrigger[]> => declaredTriggers(await jsonOf(file));
    triggers.push(...((await attempt(file, read)) ?? []));
  }
  return triggers;
}

async function jsonOf(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new DefinitionError(
      'bad_definition',
      `${file} ${code === undefined ? 'is no JSON' : `cannot be read (${code})`}.`,
    );
  }
}
