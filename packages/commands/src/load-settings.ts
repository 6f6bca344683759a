import { resolve } from 'node:path';
import {
  checkOptionNames,
  DefinitionError,
  type Duration,
  describeWrongDuration,
  durationInMs,
  type OptionNames,
} from '@spec/hooks';
import { changingFiles, watchSource } from '@spec/hooks/node';
import type { Promisable } from 'type-fest';
import { hardeningNames } from './load/harden.ts';
import { createLoading, type LoadedSettings, type LoadingOptions } from './load/loading.ts';
import { resolveSources, type SettingsSource } from './load/sources.ts';
import { commandOptionNames } from './members/options.ts';
import { checkTrustOption } from './trust/trust.ts';

export type { LoadedSettings } from './load/loading.ts';
export type { SettingsSource } from './load/sources.ts';

export interface SettingsOptions extends LoadingOptions {
  readonly watch?: false;
}

export interface SettingsListeners {
  /**
   * Receives each newly loaded version, such as `({ hooks }) => runtime.swapPolicies(hooks)`. If it throws, the new version counts
   * as refused.
   */
  readonly onSwap: (next: LoadedSettings) => Promisable<void>;
  /** Called with the reason why a new version was refused; the old one stays. Must not throw. */
  readonly onRefused: (error: DefinitionError) => void;
}

/** Settings files that are being watched. */
export interface SettingsWatch {
  /** The version in force. */
  readonly current: LoadedSettings;
  /** Stops watching, which otherwise keeps the process alive, and ends what still runs. */
  close(): Promise<void>;
}

export interface WatchSettingsOptions extends LoadingOptions, SettingsListeners {
  readonly watch: true;
  /** How often the files are checked. Default 500 ms. */
  readonly interval?: Duration;
}

const optionNames: OptionNames<SettingsOptions | WatchSettingsOptions> = {
  ...commandOptionNames,
  ...hardeningNames,
  trust: true,
  onBadEntry: true,
  name: true,
  rules: true,
  claude: true,
  service: true,
  watch: true,
  interval: true,
  onSwap: true,
  onRefused: true,
};

/**
 * Loads the hooks of settings files in this order: the user's, the project's, local ones. A missing file has no
 * hooks. A wrong entry is left out and reported; the others still run. With `watch: true`, changed files are loaded again.
 *
 * @throws {DefinitionError} `bad_definition` if a file exists but cannot be read at all, because half of the guards would be worse than none;
 * `bad_option`
 */
export function loadSettings(
  files: readonly (string | URL | SettingsSource)[],
  options?: SettingsOptions,
): Promise<LoadedSettings>;
export function loadSettings(
  files: readonly (string | URL | SettingsSource)[],
  options: WatchSettingsOptions,
): Promise<SettingsWatch>;
export async function loadSettings(
  files: readonly (string | URL | SettingsSource)[],
  options: SettingsOptions | WatchSettingsOptions = {},
): Promise<LoadedSettings | SettingsWatch> {
  checkOptionNames('loadSettings', options, optionNames);
  checkTrustOption('loadSettings', options.trust);
  const projectDir = resolve(options.projectDir ?? '.');
  const loading = createLoading(resolveSources(files, projectDir), { ...options, projectDir });
  if (options.watch !== true) return loading.load();
  const intervalMs = durationInMs(options.interval ?? 500);
  if (intervalMs === undefined) {
    throw new DefinitionError(
      'bad_option',
      describeWrongDuration('loadSettings: interval', options.interval),
    );
  }
  const source = changingFiles({ files: () => loading.paths(), read: () => loading.load() });
  const watch = await watchSource(source, { ...options, intervalMs });
  return {
    get current() {
      return watch.current;
    },
    async close() {
      await watch.close();
      await watch.current.close();
    },
  };
}
