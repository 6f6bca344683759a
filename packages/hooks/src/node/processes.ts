import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';

/** The ids of all processes; none where there is no /proc. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

const NOTHING = Buffer.alloc(0);
/** Larger than the variables of almost any process; used again for each. */
const room = Buffer.allocUnsafe(64 * 1024);

/**
 * The variables that a process started with, as `NAME=value` with a NUL behind each, until the next call. None where it ended meanwhile
 * or is another user's.
 */
export function startedWith(id: number): Buffer {
  const path = `/proc/${id}/environ`;
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const size = readSync(descriptor, room);
    return size === room.length ? readFileSync(path) : room.subarray(0, size);
  } catch {
    return NOTHING;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Kills a process. @returns `false` where it ended meanwhile, or is another user's */
export function endProcess(id: number): boolean {
  try {
    return process.kill(id, 'SIGKILL');
  } catch {
    return false;
  }
}
