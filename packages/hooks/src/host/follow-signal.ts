import { onAbort } from '../on-abort.ts';

/**
 * Stops a turn by any of the signals that its loop has: some give each part of a run a signal of its own, which tells of nothing any more
 * when that part has ended.
 */
export function followSignal(aborts: AbortController, signal: AbortSignal | undefined): void {
  const known = followed.get(aborts) ?? new WeakSet();
  followed.set(aborts, known);
  if (signal === undefined || known.has(signal)) return;
  known.add(signal);
  onAbort(signal, () => aborts.abort(signal.reason));
}

const followed = new WeakMap<AbortController, WeakSet<AbortSignal>>();
