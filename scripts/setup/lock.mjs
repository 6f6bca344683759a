// L1: at most one set-up works on a checkout. L2: the lock of a killed set-up is taken over, but only once the
// installer it had started is gone too. L3: a lock that names no living process of this machine ends after 30 minutes.
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const longestSetUpMs = 30 * 60_000;
const stillWritingMs = 5_000;

/**
 * @typedef {object} Lock
 * @property {(pid: number) => void} addProcess names a further process that has to be gone before anybody takes over
 * @property {() => void} release
 */

/**
 * Waits for the lock file and takes it.
 *
 * @param {string} path the lock file
 * @param {(holder: string) => void} onWait called once when somebody else holds it
 * @returns {Promise<Lock>}
 */
export async function takeLock(path, onWait) {
  for (let waits = 0; !create(path, [process.pid]); waits++) {
    const found = read(path);
    if (found === undefined) continue;
    if (isAbandoned(found)) {
      removeAbandoned(path, found.text);
      continue;
    }
    if (waits === 0) onWait(`process ${found.pids.join(', ')}`);
    await sleep(200);
  }
  const pids = [process.pid];
  return {
    addProcess: (pid) => writeFileSync(path, content([...pids, pid])),
    release: () => rmSync(path, { force: true }),
  };
}

/** @param {number[]} pids */
const content = (pids) => JSON.stringify({ host: hostname(), pids });

/**
 * @param {string} path
 * @param {number[]} pids
 */
function create(path, pids) {
  try {
    writeFileSync(path, content(pids), { flag: 'wx' });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * @param {string} path
 * @returns {{ text: string, host: string, pids: number[], ageMs: number } | undefined} undefined when it has gone
 */
function read(path) {
  try {
    const text = readFileSync(path, 'utf8');
    const ageMs = Date.now() - statSync(path).mtimeMs;
    try {
      return { text, ageMs, .../** @type {{ host: string, pids: number[] }} */ (JSON.parse(text)) };
    } catch {
      return { text, ageMs, host: hostname(), pids: ageMs < stillWritingMs ? [process.pid] : [] };
    }
  } catch {
    return undefined;
  }
}

/** @param {{ host: string, pids: number[], ageMs: number }} lock */
function isAbandoned(lock) {
  if (lock.ageMs > longestSetUpMs) return true;
  return lock.host === hostname() && !lock.pids.some(isAlive);
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * In a container whose first process does not wait for orphans, ended processes keep their id.
 *
 * @param {number} pid
 */
function isZombie(pid) {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && /\) Z /.test(readFileSync(stat, 'utf8'));
}

/**
 * Only the process whose rename succeeds goes on, and only when it moved the lock it had judged.
 *
 * @param {string} path
 * @param {string} text what the abandoned lock holds
 */
function removeAbandoned(path, text) {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') === text) rmSync(aside);
    else renameSync(aside, path);
  } catch {
    // Another process was faster.
  }
}
