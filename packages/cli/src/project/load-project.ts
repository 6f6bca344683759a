// Project: loads the hooks of a project from all its parts. The commands call it; it never runs a hook.

import { resolve } from 'node:path';
import type { LoadedSettings, SettingsSource, WrittenRule } from '@spec/commands';
import { type AnyHook, type DefinitionCode, DefinitionError } from '@spec/hooks';
import { loadHooks } from '@spec/hooks/node';
import type { RuleSource, Rules } from '@spec/rules';
import type { AnyTrigger } from '@spec/triggers';
import { keepStdout } from '../hooks-apart.ts';
import { readFileText } from '../read-text.ts';
import { cacheFolder } from './cache-folder.ts';
import { type FoundConfig, findConfig } from './config.ts';
import { type Attempt, loadParts, type Parts, type ProjectFlags } from './parts.ts';
import { findUnreadSettings, type UnreadSettings } from './unread-settings.ts';

/** Something that could not be loaded, for `check`; other commands end with the first. */
export interface LoadProblem {
  readonly part: keyof Parts;
  readonly file: string;
  readonly code: DefinitionCode;
  readonly message: string;
}

/** All hooks that are known in a folder. */
export interface Project extends FoundConfig {
  /** Those that prompts and agents can name. */
  readonly hooks: readonly AnyHook[];
  /** Those that run everywhere, in order: modules, settings files, rules, triggers. */
  readonly policies: readonly AnyHook[];
  /** Those of the policies that are hook modules: the others carry the entries, rules and triggers below. */
  readonly modulePolicies: readonly AnyHook[];
  readonly settings: LoadedSettings | undefined;
  readonly rules: Rules | undefined;
  readonly triggers: readonly AnyTrigger[];
  /** The files that the triggers are from. */
  readonly triggerFiles: ReadonlyMap<AnyTrigger, string>;
  readonly problems: readonly LoadProblem[];
  /** Settings files that are there, and that the configuration does not name. */
  readonly notRead: readonly UnreadSettings[];
  /** Ends what the hooks started. */
  close(): Promise<void>;
}

/**
 * Loads the hooks of a project: those of its configuration, else those in the usual places. What its modules print goes to standard
 * error.
 *
 * @param onProblem `collect`: what cannot be loaded is told in `problems`; `throw` ends with the first
 * @throws {DefinitionError} naming the file, what is wrong with it and what to do
 */
export async function loadProject(
  flags: ProjectFlags = {},
  onProblem: OnProblem = 'throw',
): Promise<Project> {
  const giveBack = keepStdout();
  try {
    return await load(flags, onProblem);
  } finally {
    giveBack();
  }
}

type OnProblem = 'throw' | 'collect';

async function load(flags: ProjectFlags, onProblem: OnProblem): Promise<Project> {
  const found = await findConfig();
  const problems: LoadProblem[] = [];
  const makeAttempt = attemptMaker(onProblem, problems);
  const parts = await loadParts(found, flags, makeAttempt('settings'));
  return loadAll(parts, { found, flags, onProblem, problems });
}

/** Where the parts of a project are from, and what becomes of what is wrong in them. */
export interface ProjectLoading {
  readonly found: FoundConfig;
  readonly flags: ProjectFlags;
  readonly onProblem: OnProblem;
  readonly problems: LoadProblem[];
}

function attemptMaker(onProblem: OnProblem, problems: LoadProblem[]): (part: keyof Parts) => Attempt {
  return (part) => (onProblem === 'throw' ? (_, load) => load() : attemptAt(part, problems));
}

/** Loads the parts of a project that are named. */
export async function loadAll(
  parts: Parts,
  { found, flags, onProblem, problems }: ProjectLoading,
): Promise<Project> {
  const makeAttempt = attemptMaker(onProblem, problems);
  const hooks = await modules(parts.hooks, makeAttempt('hooks'));
  const modulePolicies = await modules(parts.policies, makeAttempt('policies'));
  const settings = await loadSettingsPart(parts.settings, {
    found,
    flags,
    attempt: makeAttempt('settings'),
    isWhole: onProblem === 'throw',
  });
  const rules = await loadRulesPart(ruleFiles(parts.rules, settings?.rules ?? []), {
    attempt: makeAttempt('rules'),
    isWhole: onProblem === 'throw',
  });
  const triggerFiles = await loadTriggersPart(parts.triggers, makeAttempt('triggers'));
  const isChosen = flags.config !== undefined || flags.hooks !== undefined;
  const notRead = isChosen ? [] : await findUnreadSettings(found, parts);
  const triggers = [...triggerFiles.keys()];
  const triggered = await makeHooksOfTriggers(triggers, makeAttempt('triggers'));
  return {
    ...found,
    hooks,
    policies: [...modulePolicies, ...(settings?.hooks ?? []), ...(rules?.hooks ?? []), ...triggered],
    modulePolicies,
    settings,
    rules,
    triggers,
    triggerFiles,
    problems,
    notRead,
    async close() {
      await Promise.all([settings?.close(), rules?.close()]);
    },
  };
}

function attemptAt(part: keyof Parts, problems: LoadProblem[]): Attempt {
  return async (file, load) => {
    try {
      return await load();
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      problems.push({ part, file, code: error.code, message: error.message });
      return undefined;
    }
  };
}

async function modules(sources: readonly (string | AnyHook)[], attempt: Attempt): Promise<AnyHook[]> {
  const hooks: AnyHook[] = [];
  const cache = cacheFolder();
  for (const source of sources) {
    if (typeof source === 'string')
      hooks.push(...((await attempt(source, () => loadHooks(source, { cache }))) ?? []));
    else hooks.push(source);
  }
  return hooks;
}

interface SettingsLoading extends PartLoading {
  readonly found: FoundConfig;
  readonly flags: ProjectFlags;
}

interface PartLoading {
  readonly attempt: Attempt;
  /** One broken file ends it; otherwise the others are loaded. */
  readonly isWhole: boolean;
}

async function loadSettingsPart(
  sources: Parts['settings'],
  { found, flags, attempt, isWhole }: SettingsLoading,
): Promise<LoadedSettings | undefined> {
  if (sources.length === 0) return undefined;
  // Each package is loaded where there is something for it: that is most of the time that a command takes to start.
  const { loadSettings, trustStore } = await import('@spec/commands');
  const trust = flags.trust === true ? 'all' : trustStore(trustFile(found));
  const { harden, pass = [], allowedHosts = [] } = found.config;
  const options = {
    ...harden,
    pass,
    allowedHosts,
    projectDir: found.folder,
    trust,
    rules: 'hand-over',
  } as const;
  const load = (some: Parts['settings']): Promise<LoadedSettings> => loadSettings(some, options);
  const readable: (string | SettingsSource)[] = [];
  for (const source of isWhole ? [] : sources) {
    const alone = await attempt(nameSource(source), () => load([source]));
    await alone?.close();
    if (alone !== undefined) readable.push(source);
  }
  const all = isWhole ? sources : readable;
  return all.length === 0 ? undefined : attempt(all.map(nameSource).join(', '), () => load(all));
}

function nameSource(source: string | SettingsSource): string {
  return String(typeof source === 'string' ? source : source.file);
}

/** Where the fingerprints of trusted settings files are kept, if the project says so; else in the person's own store. */
export function trustFile({ config, folder }: FoundConfig): string | undefined {
  return config.trust === undefined ? undefined : resolve(folder, config.trust);
}

/** The rules of one file: of a rule file by its path, of a hub file as they stand in it. */
interface RulesOfFile {
  readonly file: string;
  readonly sources: readonly RuleSource[];
}

function ruleFiles(paths: readonly string[], handedOver: readonly WrittenRule[]): readonly RulesOfFile[] {
  const hubs = [...new Set(handedOver.map(({ position }) => position.file))];
  return [
    ...paths.map((file) => ({ file, sources: [file] })),
    ...hubs.map((file) => ({ file, sources: handedOver.filter(({ position }) => position.file === file) })),
  ];
}

async function loadRulesPart(
  files: readonly RulesOfFile[],
  { attempt, isWhole }: PartLoading,
): Promise<Rules | undefined> {
  if (files.length === 0) return undefined;
  const { loadRules } = await import('@spec/rules');
  const readable: RulesOfFile[] = [];
  for (const one of isWhole ? [] : files) {
    const alone = await attempt(one.file, () => loadRules(one.sources));
    await alone?.close();
    if (alone !== undefined) readable.push(one);
  }
  const all = isWhole ? files : readable;
  const names = all.map(({ file }) => file).join(', ');
  return all.length === 0
    ? undefined
    : attempt(names, () => loadRules(all.flatMap(({ sources }) => sources)));
}

async function loadTriggersPart(
  files: readonly string[],
  attempt: Attempt,
): Promise<Map<AnyTrigger, string>> {
  const triggers = new Map<AnyTrigger, string>();
  if (files.length === 0) return triggers;
  const { declaredTriggers } = await import('@spec/triggers');
  for (const file of files) {
    const read = async (): Promise<AnyTrigger[]> => {
      const content = await readJson(file);
      return naming(file, () => declaredTriggers(content));
    };
    for (const trigger of (await attempt(file, read)) ?? []) triggers.set(trigger, file);
  }
  return triggers;
}

/** What is wrong with the content of a file, with the file's name before it. */
function naming<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    throw new DefinitionError(error.code, `${file}: ${error.message}`);
  }
}

async function makeHooksOfTriggers(triggers: readonly AnyTrigger[], attempt: Attempt): Promise<AnyHook[]> {
  if (triggers.length === 0) return [];
  const { triggerHooks } = await import('@spec/triggers');
  const hooks = await attempt('triggers', async () => triggerHooks(triggers));
  return hooks ?? [];
}

async function readJson(file: string): Promise<unknown> {
  const json = readFileText(file, 'mend its name, or take it out of the configuration');
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    throw new DefinitionError('bad_definition', `${file} is not JSON.`);
  }
}
