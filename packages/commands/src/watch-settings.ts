import type { DefinitionError } from '@spec/hooks';
import { changingFiles, watchSource } from '@spec/hooks/node';
import type { Promisable } from 'type-fest';
import type { LoadedSettings, Loading } from './load/loading.ts';

export interface SettingsListeners {
  /**
   * Takes what was loaded anew, such as `({ hooks }) => runtime.swapPolicies(hooks)`. Where it throws, the new version counts
   * as refused.
   */
  readonly onSwap: (next: LoadedSettings) => Promisable<void>;
  /** Hears why a new version was not taken; the old one stays. Must not throw. */
  readonly onRefused: (error: DefinitionError) => void;
}

/** Settings files that are being watched. */
export interface SettingsWatch {
  /** What holds now. */
  readonly current: LoadedSettings;
  /** Ends the watching, which keeps the process alive, and what still runs. */
  close(): Promise<void>;
}

/** Loads settings files, and loads them again whenever one of them changed, or a script that they name: see `watchSource`. */
export async function watchSettings(
  loading: Loading,
  listeners: SettingsListeners & { readonly intervalMs: number },
): Promise<SettingsWatch> {
  const source = changingFiles({ files: () => loading.paths(), read: () => loading.load() });
  const watch = await watchSource(source, listeners);
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
