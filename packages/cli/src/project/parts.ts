import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { SettingsSource } from '@spec/commands';
import { type AnyHook, DefinitionError } from '@spec/hooks';
import { holdsOwnEntriesAlone } from './agent-entries.ts';
import type { FoundConfig } from './config.ts';
import { type ConfigFileSort, findSortOfConfigFile } from './config-file.ts';

/** What the options of commands say beside, or instead of, the configuration. */
export interface ProjectFlags {
  /** Settings or rule files, in place of those of the configuration. */
  readonly config?: readonly string[];
  /** A folder of hook modules, in place of those of the configuration. */
  readonly hooks?: string;
  /** Runs settings files of the project without asking whether they are trusted. */
  readonly trust?: boolean;
}

/** Loads one thing, or notes why it cannot be loaded. */
export type Attempt = <T>(file: string, load: () => Promise<T>) => Promise<T | undefined>;

/** What a project's hooks are loaded from; paths are relative to the working folder. */
export interface Parts {
  readonly hooks: readonly string[];
  readonly policies: readonly (string | AnyHook)[];
  readonly settings: readonly (string | SettingsSource)[];
  readonly rules: readonly string[];
  readonly triggers: readonly string[];
}

/** Where projects without a configuration have their hooks. */
const usualHooks = ['hooks'];
/** Settings files that projects without a configuration have. */
export const usualSettings: readonly string[] = [
  '.claude/settings.json',
  '.claude/settings.local.json',
  'hub.json',
];

/**
 * The parts that options name, else those of the configuration, else what is in the usual places.
 *
 * @param attempt looks at one file of `--config`; one that is neither settings nor rules may be left out by it
 * @throws {DefinitionError} `bad_option` for a file that is named by an option and is not there; what `attempt` throws
 */
export async function loadParts(found: FoundConfig, flags: ProjectFlags, attempt: Attempt): Promise<Parts> {
  if (flags.config === undefined && flags.hooks === undefined) return configuredParts(found);
  const given = flags.config ?? [];
  const missing = given.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new DefinitionError(
      'bad_option',
      `There is no file ${missing}: --config takes settings and rule files.`,
    );
  const sorted = new Map<string, ConfigFileSort | undefined>();
  for (const path of given) sorted.set(path, await attempt(path, () => findSortOfConfigFile(path)));
  const those = (sort: ConfigFileSort): string[] => given.filter((path) => sorted.get(path) === sort);
  return {
    hooks: flags.hooks === undefined ? [] : [flags.hooks],
    policies: [],
    settings: those('settings'),
    rules: those('rules'),
    triggers: [],
  };
}

/** The parts of the configuration, else what is in the usual places. */
export function configuredParts({ config, folder, file }: FoundConfig): Parts {
  const at = (path: string): string => relative(process.cwd(), resolve(folder, path)) || '.';
  const keepExisting = (paths: readonly string[]): string[] =>
    file === undefined ? paths.map(at).filter((path) => existsSync(path)) : [];
  return {
    hooks: config.hooks === undefined ? keepExisting(usualHooks) : makeList(config.hooks).map(at),
    policies: makeList(config.policies).map((one) => (typeof one === 'string' ? at(one) : one)),
    settings:
      config.settings === undefined
        ? keepExisting(usualSettings).filter((path) => !holdsOwnEntriesAlone(path))
        : config.settings.map((one) => placed(one, at)),
    rules: makeList(config.rules).map(at),
    triggers: makeList(config.triggers).map(at),
  };
}

/** The folders and files of these parts, as a person calls them. */
export function nameParts({ hooks, settings }: Pick<Parts, 'hooks' | 'settings'>): string[] {
  return [...hooks, ...settings].map((one) => String(typeof one === 'string' ? one : one.file));
}

function makeList<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}

function placed(source: string | SettingsSource, at: (path: string) => string): string | SettingsSource {
  if (typeof source === 'string') return at(source);
  return typeof source.file === 'string' ? { ...source, file: at(source.file) } : source;
}
