import type { Promisable } from 'type-fest';
import type { AnyHook } from '../define/define.ts';
import { type Duration, describeWrongDuration, durationInMs } from '../duration.ts';
import { DefinitionError } from '../errors.ts';
import { checkOptionNames, type OptionNames } from '../option-names.ts';
import { changingFolder } from './changing-folder.ts';
import { type ReadRequest, readHooks, toFolderPath } from './read-hooks.ts';
import { watchSource } from './watch-source.ts';

export interface LoadOptions {
  /** How long one module may take to import. Default 30 s. */
  readonly timeout?: Duration;
  /** Modules that hook modules in TypeScript can import by these names wherever the folder stands; `@spec/hooks` always is one. */
  readonly modules?: Readonly<Record<string, unknown>>;
  /**
   * A folder of the user's own in which translated TypeScript is kept, so that unchanged modules need no translation the next time.
   * Default: nothing is written.
   */
  readonly cache?: string;
  readonly watch?: false;
}

export interface WatchListeners {
  /**
   * Takes the new set, such as `(hooks) => registry.swap({ policies: hooks })`. Where it throws, the new set counts as
   * refused.
   */
  readonly onSwap: (hooks: readonly AnyHook[]) => Promisable<void>;
  /** Hears why a new version was not taken; the old set stays. Must not throw. */
  readonly onRefused: (error: DefinitionError) => void;
}

/** A folder of hooks that is being watched. */
export interface HookWatch {
  /** The set that holds now. */
  readonly hooks: readonly AnyHook[];
  /** Ends the watching, which keeps the process alive; once it has resolved, no listener is called any more. */
  close(): Promise<void>;
}

export interface WatchOptions extends Omit<LoadOptions, 'watch'>, WatchListeners {
  readonly watch: true;
  /** How often the folder is looked at. Default 500 ms. */
  readonly interval?: Duration;
}

/**
 * Imports every module of a folder and the folders in it, in path order: the default export of each is one hook, or an
 * array of hooks. With `watch: true`, also whenever one of them changes.
 *
 * @param dir a path, relative to the working folder, or a file URL: `new URL('./hooks/', import.meta.url)`
 * @throws {DefinitionError} `bad_module`, one error that names every bad module with its reason; `bad_option` for a folder that
 * is missing or has no hook modules; `missing_dependency` where a module is TypeScript and jiti
 * is not installed.
 */
export function loadHooks(dir: string | URL, options?: LoadOptions): Promise<AnyHook[]>;
export function loadHooks(dir: string | URL, options: WatchOptions): Promise<HookWatch>;
export async function loadHooks(
  dir: string | URL,
  options: LoadOptions | WatchOptions = {},
): Promise<AnyHook[] | HookWatch> {
  checkOptionNames('loadHooks', options, optionNames);
  const request: ReadRequest = {
    folder: toFolderPath(dir),
    modules: options.modules ?? {},
    timeoutMs: milliseconds('timeout', options.timeout ?? '30s'),
    ...(options.cache === undefined ? {} : { cache: options.cache }),
  };
  if (options.watch !== true) return readHooks(request);
  const intervalMs = milliseconds('interval', options.interval ?? 500);
  const watch = await watchSource(changingFolder(request), { ...options, intervalMs });
  return {
    get hooks() {
      return watch.current;
    },
    close: () => watch.close(),
  };
}

const optionNames: OptionNames<LoadOptions | WatchOptions> = {
  timeout: true,
  modules: true,
  cache: true,
  watch: true,
  interval: true,
  onSwap: true,
  onRefused: true,
};

function milliseconds(option: string, duration: Duration): number {
  const ms = durationInMs(duration);
  if (ms !== undefined) return ms;
  throw new DefinitionError('bad_option', describeWrongDuration(`loadHooks: ${option}`, duration));
}
