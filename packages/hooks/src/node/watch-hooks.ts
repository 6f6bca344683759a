import type { Promisable } from 'type-fest';
import type { AnyHook } from '../define.ts';
import { DefinitionError } from '../errors.ts';
import { whereThrown } from '../thrown.ts';
import { changingFolder } from './changing-folder.ts';
import type { ReadRequest } from './read-hooks.ts';

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

/**
 * Reads a folder of hooks, and reads it again whenever it changed.
 *
 * W1 A set holds whole or not at all: a bad new version leaves the old one, and is told once.
 * W2 The folder is looked at, not listened to: every `intervalMs`, at the times, sizes and numbers of its files. So it makes no
 *    difference who writes them or how (in place, by rename, through a link, on a network drive, from outside a container).
 * W3 A change is taken when two looks in a row are the same: nothing is read half written.
 * W4 Watching keeps the process alive until it is closed, as a server does.
 */
export async function watchHooks(
  request: ReadRequest,
  { onSwap, onRefused, intervalMs }: WatchListeners & { readonly intervalMs: number },
): Promise<HookWatch> {
  const folder = changingFolder(request);
  let hooks: readonly AnyHook[] = await folder.read();
  let isClosed = false;

  async function look(): Promise<void> {
    if (!(await folder.hasChanged()) || isClosed) return;
    try {
      const next = await folder.read();
      if (isClosed) return;
      await onSwap(next);
      hooks = next;
    } catch (error) {
      if (!isClosed) onRefused(asRefusal(error));
    }
  }

  const stop = repeat(look, intervalMs);
  return {
    get hooks() {
      return hooks;
    },
    async close() {
      isClosed = true;
      await stop();
    },
  };
}

/** Runs a task again and again, each time `ms` after it ended. Returns what stops it, after the run that is under way. */
function repeat(task: () => Promise<void>, ms: number): () => Promise<void> {
  let isStopped = false;
  let running: Promise<void> | undefined;
  let timer: NodeJS.Timeout;

  async function run(): Promise<void> {
    await task();
    if (!isStopped) wait();
  }
  function wait(): void {
    timer = setTimeout(() => {
      running = run();
    }, ms);
  }

  wait();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    await running;
  };
}

function asRefusal(error: unknown): DefinitionError {
  if (error instanceof DefinitionError) return error;
  return new DefinitionError(
    'bad_definition',
    `onSwap did not take the new hooks: ${whereThrown(error) ?? 'something that is no Error'}.`,
  );
}
