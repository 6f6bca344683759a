import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Does work while nobody else holds the lock. @returns `false`, at once, where somebody does: the work is not done */
export function whileLocked(lock: string, work: () => void): boolean {
  if (!acquire(lock)) return false;
  workThenRelease(lock, work);
  return true;
}

function workThenRelease(lock: string, work: () => void): void {
  try {
    work();
  } finally {
    unlinkSync(lock);
  }
}

/** Milliseconds that work waits for a lock; who holds one is done in a few. */
const PATIENCE = 2_000;

/**
 * Does work while nobody else holds the lock, once that is so. Where no lock can be made, or somebody holds it for too long, the work is done all
 * the same: nobody must wait for ever. The folder of the lock is made where it is missing.
 */
export async function whileWaited(lock: string, work: () => void): Promise<void> {
  const until = performance.now() + PATIENCE;
  while (performance.now() < until) {
    try {
      mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
      if (!acquire(lock)) {
        breakDeadLock(lock);
        await sleep(1 + Math.random() * 10);
        continue;
      }
    } catch {
      break; // A full or read-only disk.
    }
    return workThenRelease(lock, work);
  }
  work();
}

function acquire(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid} ${hostname()} ${randomUUID()}`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Nobody holds a lock for so long, in milliseconds: hooks and their processes are ended long before. */
const OLDEST = 600_000;

/** Takes away a lock whose holder has ended. Only one process can take away one lock, and no other than the one that it looked at. */
export function breakDeadLock(lock: string): void {
  const held = readLock(lock);
  if (held === undefined || !isDead(lock, held)) return;
  const guard = `${lock}.${held.split(' ').at(-1)}`;
  try {
    mkdirSync(guard);
  } catch {
    return; // Somebody else is taking it away.
  }
  try {
    if (readLock(lock) === held) unlinkSync(lock);
  } finally {
    rmdirSync(guard);
  }
}

function readLock(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return undefined;
  }
}

function isDead(lock: string, held: string): boolean {
  const [pid = '', host] = held.split(' ');
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > OLDEST) return true;
  return host === hostname() && !isRunning(Number(pid));
}

/** Whether there is a process of this id on this machine. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
