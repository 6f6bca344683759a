import type { Promisable } from 'type-fest';
import { DefinitionError } from '../errors.ts';
import { whereThrown } from '../thrown.ts';
import { type Fingerprint, isSameFingerprint, lookAtFiles } from './fingerprint.ts';

/** Something in files that is read more than once. */
export interface ChangingSource<T> {
  /** Looks at the files: whether they are others than at the last reading, and were the same at the last look. */
  hasChanged(): Promise<boolean>;
  /** @throws {DefinitionError} where it cannot be read now */
  read(): Promise<T>;
}

export interface SourceListeners<T> {
  /** Takes what was read anew. Where it throws, that counts as refused. */
  readonly onSwap: (next: T) => Promisable<void>;
  /** Hears why a new version was not taken; the old one stays. Must not throw. */
  readonly onRefused: (error: DefinitionError) => void;
  /** Milliseconds between two looks. */
  readonly intervalMs: number;
}

/** A source that is being watched. */
export interface SourceWatch<T> {
  /** What holds now. */
  readonly current: T;
  /** Ends the watching, which keeps the process alive; once it has resolved, no listener is called any more. */
  close(): Promise<void>;
}

/**
 * Reads a source, and reads it again whenever it changed.
 *
 * W1 A version holds whole or not at all: a bad new one leaves the old, and is told once.
 * W2 The files are looked at, not listened to: every `intervalMs`, at their times, sizes and numbers. So it makes no
 *    difference who writes them or how (in place, by rename, through a link, on a network drive, from outside a container).
 * W3 A change is taken when two looks in a row are the same: nothing is read half written.
 * W4 Watching keeps the process alive until it is closed, as a server does.
 */
export async function watchSource<T>(
  source: ChangingSource<T>,
  { onSwap, onRefused, intervalMs }: SourceListeners<T>,
): Promise<SourceWatch<T>> {
  let current = await source.read();
  let isClosed = false;

  async function look(): Promise<void> {
    if (!(await source.hasChanged()) || isClosed) return;
    try {
      const next = await source.read();
      if (isClosed) return;
      await onSwap(next);
      current = next;
    } catch (error) {
      if (!isClosed) onRefused(asRefusal(error));
    }
  }

  const stop = repeat(look, intervalMs);
  return {
    get current() {
      return current;
    },
    async close() {
      isClosed = true;
      await stop();
    },
  };
}

/** A source that is read from files, which the reading itself may name. */
export function changingFiles<T>({
  files,
  read,
}: {
  /** Absolute paths. Asked before and after each reading. */
  readonly files: () => Iterable<string>;
  readonly read: () => Promise<T>;
}): ChangingSource<T> {
  let atReading: Fingerprint = new Map();
  let atLastLook: Fingerprint = atReading;
  return {
    async hasChanged() {
      const look = await lookAtFiles(files());
      const isQuiet = isSameFingerprint(look, atLastLook);
      atLastLook = look;
      return isQuiet && !isSameFingerprint(look, atReading);
    },
    async read() {
      const before = await lookAtFiles(files());
      try {
        return await read();
      } finally {
        atReading = new Map([...(await lookAtFiles(files())), ...before]);
        atLastLook = atReading;
      }
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
