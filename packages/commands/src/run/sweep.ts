import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { endProcess, processIds, startedWith } from '@spec/hooks/node';
import { hostMark, isLive, RUN_VARIABLE } from './live-runs.ts';

/** The share of the time that sweeping may take: one sweep serves all runs that ended since the last. */
const SHARE = 1 / 50;
/** Milliseconds between the end of a run and the sweep, within which the share is kept. */
const SOONEST = 100;
const LATEST = 600;
/** Processes looked at before other work has its turn. */
const AT_ONCE = 100;
/** So often a sweep looks again, where it found processes that fork. */
const ROUNDS = 20;

let planned: NodeJS.Timeout | undefined;
let delay = SOONEST;

/** Plans a sweep for what a run that is over left behind. Finds nothing where there is no /proc. */
export function sweepSoon(): void {
  if (planned !== undefined) return;
  planned = setTimeout(() => {
    planned = undefined;
    void sweep();
  }, delay).unref();
}

/** Kills all processes that carry the mark of a run which is over, until there are none. */
export async function sweep(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    let found = 0;
    let took = 0;
    const ids = processIds();
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const startedAt = performance.now();
      found += killMarked(ids.slice(at, at + AT_ONCE));
      took += performance.now() - startedAt;
      await setImmediate();
    }
    delay = Math.min(Math.max(SOONEST, took / SHARE), LATEST);
    if (found === 0) return;
    await sleep(5);
  }
}

/** The same at once, for the end of the host. */
export function sweepNow(): void {
  for (let round = 0; round < ROUNDS; round++) if (killMarked(processIds()) === 0) return;
}

function killMarked(ids: readonly number[]): number {
  let killed = 0;
  for (const id of ids) {
    const mark = readMark(id);
    if (mark === undefined || isLive(mark)) continue;
    if (endProcess(id)) killed++;
  }
  return killed;
}

const OURS = Buffer.from(`${RUN_VARIABLE}=${hostMark}.`);

/** The mark of a process that belongs to a run of this host. */
function readMark(id: number): string | undefined {
  const environment = startedWith(id);
  const at = environment.indexOf(OURS);
  if (at < 0) return undefined;
  return environment.subarray(at + RUN_VARIABLE.length + 1, environment.indexOf(0, at)).toString();
}
