import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { Hardening, SettingsSource } from '@spec/commands';
import type { AnyHook, ScopeOwner } from '@spec/hooks';
import { keepStdout } from '../hooks-apart.ts';
import { cacheFolder } from './cache-folder.ts';
import { importDefault } from './import-default.ts';

/** What `hooks.config.ts` says of a project: which hooks it has, and where they come from. Paths are relative to the file. */
export interface HooksConfig {
  /** Folders of hook modules, which prompts and agents name. */
  readonly hooks?: string | readonly string[];
  /** Folders of hook modules that run everywhere, or hooks themselves. */
  readonly policies?: string | readonly (string | AnyHook)[];
  /** Settings files with command hooks, of any dialect. */
  readonly settings?: readonly (string | SettingsSource)[];
  /** Rule files. */
  readonly rules?: string | readonly string[];
  /** JSON files of triggers. */
  readonly triggers?: string | readonly string[];
  /** The SQLite file with the threads and their ledger. */
  readonly store?: string;
  /** The names of the tools that agents have; `check` reports matchers that match none of them. */
  readonly tools?: readonly string[];
  /** Agents and prompts, as far as their hooks go; `check` reports ids that nobody registered. */
  readonly agents?: readonly ScopeOwner[];
  /** What failures of settings files' guards do at the least. What is decided here, `check` does not report. */
  readonly harden?: Hardening;
  /** Names of variables of the environment that commands of settings files may see, besides PATH, HOME and a few more. */
  readonly pass?: readonly string[];
  /** Hosts that `http` entries of settings files may ask, besides this machine. */
  readonly allowedHosts?: readonly string[];
  /** The file that keeps which settings files are trusted. Default: `.spec-hooks/trust.json` in the home folder. */
  readonly trust?: string;
}

/** Gives a configuration its type. */
export function defineConfig(config: HooksConfig): HooksConfig {
  return config;
}

/** A configuration where it was found. */
export interface FoundConfig {
  readonly config: HooksConfig;
  /** Absolute. */
  readonly folder: string;
  /** As a person calls it; absent: there is none. */
  readonly file?: string;
}

const names = ['hooks.config.ts', 'hooks.config.mts', 'hooks.config.js', 'hooks.config.mjs'] as const;

/**
 * Finds the configuration upwards from a folder.
 *
 * @throws {DefinitionError} `bad_module` where it cannot be imported; `bad_definition` for what it must not hold
 */
export async function findConfig(from: string = process.cwd()): Promise<FoundConfig> {
  const path = configFileAbove(resolve(from));
  if (path === undefined) return { config: {}, folder: resolve(from) };
  const file = relative(process.cwd(), path) || path;
  const exported = await imported(path, file);
  const { checkedConfig } = await import('./check-config.ts');
  return { config: checkedConfig(exported, file), folder: dirname(path), file };
}

/** The nearest configuration upwards from a folder, which is not run. */
export function configFileAbove(folder: string): string | undefined {
  const here = names.map((name) => join(folder, name)).find((path) => existsSync(path));
  const above = dirname(folder);
  return here ?? (above === folder ? undefined : configFileAbove(above));
}

async function imported(path: string, file: string): Promise<unknown> {
  const giveBack = keepStdout();
  try {
    return await importDefault(path, {
      file,
      modules: { '@spec/cli': { defineConfig } },
      cache: cacheFolder(),
    });
  } finally {
    giveBack();
  }
}
