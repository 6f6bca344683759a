import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { inWarmProject } from './agent-project.ts';

const QUIET = 'a quiet daemon';
const MEMORY = '100 MB';
const CPU = '0.1 % of a processor';

/** Seconds. */
const WATCHED = 5;
const ROUNDS = 3;

export const agentDaemonMemory: Bench = {
  name: 'agent-daemon-memory',
  about: 'the memory of a daemon that has answered twenty events and waits for the next',
  unit: 'bytes',
  comparisons: [{ of: QUIET, against: MEMORY, atMost: 1 }],
  notes: ['Its resident set as the system counts it, shared pages of Node included. On Linux.'],
  async run() {
    const { bytes } = await watchDaemon();
    return { [QUIET]: bytes, [MEMORY]: bytes.map(() => 100e6) };
  },
};

export const agentDaemonIdle: Bench = {
  name: 'agent-daemon-idle',
  about: `the processor time of a daemon that nobody asks, over ${WATCHED} seconds`,
  unit: '%',
  comparisons: [{ of: QUIET, against: CPU, atMost: 1 }],
  notes: ['The system counts in steps of 10 ms: one step is 0.2 %.'],
  async run() {
    const { percent } = await watchDaemon();
    return { [QUIET]: percent, [CPU]: percent.map(() => 0.1) };
  },
};

interface Watched {
  readonly bytes: readonly number[];
  readonly percent: readonly number[];
}

/** Both benches read the same daemon. */
let watched: Promise<Watched> | undefined;
function watchDaemon(): Promise<Watched> {
  watched ??= inWarmProject(({ daemon }) => watchProcess(daemon));
  return watched;
}

async function watchProcess(pid: number): Promise<Watched> {
  const [bytes, percent]: [number[], number[]] = [[], []];
  await wait(40_000); // V8 tidies up for half a minute after the last event.
  for (let round = 0; round < ROUNDS; round++) {
    const before = readTicks(pid);
    await wait(WATCHED * 1_000);
    percent.push((readTicks(pid) - before) / WATCHED); // 100 ticks are a second.
    bytes.push(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024);
  }
  return { bytes, percent };
}

function readTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
