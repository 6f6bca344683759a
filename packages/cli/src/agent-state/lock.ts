import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmdirSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** Does work while nobody else holds the lock. @returns `false`, at once, where somebody does: the work is not done */
export function whileLocked(lock: string, work: () => void): boolean {
  if (!acquire(lock)) return false;
  try {
    work();
  } finally {
    unlinkSync(lock);
  }
  return true;
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
