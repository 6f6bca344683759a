import type { Promisable } from 'type-fest';
import type { AnyHook } from '../define/define.ts';
import type { DefinitionError } from '../errors.ts';
import { changingFolder } from './changing-folder.ts';
import type { ReadRequest } from './read-hooks.ts';
import { watchSource } from './watch-source.ts';

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

/** Reads a folder of hooks, and reads it again whenever it changed: see {@link watchSource}. */
export async function watchHooks(
  request: ReadRequest,
  listeners: WatchListeners & { readonly intervalMs: number },
): Promise<HookWatch> {
  const watch = await watchSource<readonly AnyHook[]>(changingFolder(request), listeners);
  return {
    get hooks() {
      return watch.current;
    },
    close: () => watch.close(),
  };
}
