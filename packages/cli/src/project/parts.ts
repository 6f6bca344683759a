import { existsSync, readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { SettingsSource } from '@spec/commands';
import { type AnyHook, DefinitionError } from '@spec/hooks';
import type { FoundConfig } from './config.ts';
import type { ProjectFlags } from './load-project.ts';

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
 * @throws {DefinitionError} `bad_option` for a file that is named by an option and is not there
 */
export function partsOf(found: FoundConfig, flags: ProjectFlags): Parts {
  if (flags.config === undefined && flags.hooks === undefined) return configuredParts(found);
  const given = flags.config ?? [];
  const missing = given.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new DefinitionError(
      'bad_option',
      `There is no file ${missing}: --config takes settings and rule files.`,
    );
  const rules = given.filter(isRuleFile);
  return {
    hooks: flags.hooks === undefined ? [] : [flags.hooks],
    policies: [],
    settings: given.filter((path) => !rules.includes(path)),
    rules,
    triggers: [],
  };
}

function configuredParts({ config, folder, file }: FoundConfig): Parts {
  const at = (path: string): string => relative(process.cwd(), resolve(folder, path)) || '.';
  const there = (paths: readonly string[]): string[] =>
    file === undefined ? paths.map(at).filter((path) => existsSync(path)) : [];
  return {
    hooks: config.hooks === undefined ? there(usualHooks) : listOf(config.hooks).map(at),
    policies: listOf(config.policies).map((one) => (typeof one === 'string' ? at(one) : one)),
    settings:
      config.settings === undefined ? there(usualSettings) : config.settings.map((one) => placed(one, at)),
    rules: listOf(config.rules).map(at),
    triggers: listOf(config.triggers).map(at),
  };
}

function listOf<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}

function placed(source: string | SettingsSource, at: (path: string) => string): string | SettingsSource {
  if (typeof source === 'string') return at(source);
  return typeof source.file === 'string' ? { ...source, file: at(source.file) } : source;
}

/** Rules are written as YAML, in modules, or as JSON with `rules`; anything else is a settings file, and judged as one. */
function isRuleFile(path: string): boolean {
  if (/\.(?:ya?ml|[cm]?[jt]s)$/.test(path)) return true;
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return Array.isArray(content) || Object.hasOwn(Object(content), 'rules');
  } catch {
    return false;
  }
}
