import type { Bench } from '../bench.ts';
import { inFreshProcess } from '../fresh-process.ts';
import { inFolder } from '../scratch.ts';

const LATE = 'late by more than 5 ms';
const ALLOWED = 'one tick in a hundred';
const MILLISECONDS = 5;
const ROUNDS = 3;

/** Whether the event loop is free for others: what a checkpoint or a long chain of commits would hold up. */
export const turnTimer: Bench = {
  name: 'turn-timer',
  about:
    'a timer of 10 ms beside 32 threads that are busy with turns, synchronous=NORMAL: the share of its ticks that come late',
  unit: '%',
  comparisons: [{ of: LATE, against: ALLOWED, atMost: 1 }],
  async run() {
    const shares: number[] = [];
    for (let round = 0; round < ROUNDS; round++) shares.push(await inFolder(measureShare));
    return { [LATE]: shares, [ALLOWED]: shares.map(() => 1) };
  },
};

async function measureShare(folder: string): Promise<number> {
  const module = new URL('./timer-process.ts', import.meta.url);
  const delays = (await inFreshProcess(module, [folder])) as number[];
  return (100 * delays.filter((delay) => delay > MILLISECONDS).length) / delays.length;
}
