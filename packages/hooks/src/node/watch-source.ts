import { setTimeout as delay } from 'node:timers/promises';
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
 *    A library that listens (chokidar, also where it polls) hears nothing of a folder or single file that is removed and made
 *    again, of a file in a folder that is not there yet, and of a link that is led elsewhere: guards would go stale in silence.
 * W3 A change is taken when two looks in a row are the same: nothing is read half written.
 * W4 Watching keeps the process alive until it is closed, as a server does.
 */
export async function watchSource<T>(
  source: ChangingSource<T>,
  { onSwap, onRefused, intervalMs }: SourceListeners<T>,
): Promise<SourceWatch<T>> {
  let current = await source.read();
  const closing = new AbortController();
  const { signal } = closing;

  async function look(): Promise<void> {
    if (!(await source.hasChanged()) || signal.aborted) return;
    try {
      const next = await source.read();
      if (signal.aborted) return;
      await onSwap(next);
      current = next;
    } catch (error) {
      if (!signal.aborted) onRefused(asRefusal(error));
    }
  }
  async function lookAgainAndAgain(): Promise<void> {
    while (await delay(intervalMs, true, { signal }).catch(() => false)) await look();
  }

  const watching = lookAgainAndAgain();
  return {
    get current() {
      return current;
    },
    async close() {
      closing.abort();
      await watching;
    },
  };
}

/** What is read from files: those that are known by name, which the reading itself may add to, and those that are found. */
export interface FileReading<T> {
  /** Absolute paths. Asked before and after each reading. */
  readonly files: () => Iterable<string>;
  /** Looks for files; what comes while they are read counts as a change. Default: none are found. */
  readonly find?: () => Promise<Fingerprint>;
  /** @param found what was found right before */
  readonly read: (found: Fingerprint) => Promise<T>;
}

/** A source that is read from files. */
export function changingFiles<T>({
  files,
  find = async () => new Map(),
  read,
}: FileReading<T>): ChangingSource<T> {
  let atReading: Fingerprint = new Map();
  let atLastLook: Fingerprint = atReading;
  return {
    async hasChanged() {
      const look = new Map([...(await lookAtFiles(files())), ...(await find())]);
      const isQuiet = isSameFingerprint(look, atLastLook);
      atLastLook = look;
      return isQuiet && !isSameFingerprint(look, atReading);
    },
    async read() {
      const found = await find();
      const before = new Map([...(await lookAtFiles(files())), ...found]);
      try {
        return await read(found);
      } finally {
        atReading = new Map([...(await lookAtFiles(files())), ...before]);
        atLastLook = atReading;
      }
    },
  };
}

function asRefusal(error: unknown): DefinitionError {
  if (error instanceof DefinitionError) return error;
  return new DefinitionError(
    'bad_definition',
    `onSwap did not take the new hooks: ${whereThrown(error) ?? 'a value that is not an Error'}.`,
  );
}
