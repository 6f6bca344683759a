import { join } from 'node:path';
import { sqliteStore } from '@spec/runtime/sqlite';
import type { Bench } from './bench.ts';
import { fill } from './fill.ts';
import { inFreshProcess } from './fresh-process.ts';
import type { StepFigures } from './long-thread-steps.ts';
import type { Series } from './measure.ts';
import { inFolder } from './scratch.ts';

const LONG = 'on 100,000 messages';
const SHORT = 'on 100 messages';
const lengths = { [LONG]: 100_000, [SHORT]: 100 } as const;
type Figure = keyof typeof lengths;

const ROUNDS = 7;

const comparisons = [{ of: LONG, against: SHORT, atMost: 1.3 }];

export const longThread: Bench = {
  name: 'long-thread',
  about: 'a turn of one step with limitMessages(20), from the user message to the stored answer',
  unit: 'ns',
  comparisons,
  run: async () => figure(await steps(), 'nanoseconds'),
};

export const longThreadMemory: Bench = {
  name: 'long-thread-memory',
  about: 'the most memory that a process took which opened the thread and ran 200 such turns',
  unit: 'bytes',
  comparisons,
  run: async () => figure(await steps(), 'peakBytes'),
};

type Measured = Readonly<Record<Figure, readonly StepFigures[]>>;

/** Both benches read the same processes. */
let measured: Promise<Measured> | undefined;
function steps(): Promise<Measured> {
  measured ??= inFolder(measureIn);
  return measured;
}

function figure(all: Measured, name: keyof StepFigures): Series {
  const values = Object.entries(all).map(([length, rounds]) => [length, rounds.map((round) => round[name])]);
  return Object.fromEntries(values) as Series;
}

async function measureIn(folder: string): Promise<Measured> {
  const all: Record<Figure, StepFigures[]> = { [LONG]: [], [SHORT]: [] };
  const figures = Object.keys(lengths) as Figure[];
  const paths = figures.map((name) => join(folder, `${lengths[name]}.db`));
  for (const [at, name] of figures.entries()) await fillFile(paths[at] as string, lengths[name]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, name] of figures.entries()) all[name].push(await measureSteps(paths[at] as string));
  }
  return all;
}

async function measureSteps(path: string): Promise<StepFigures> {
  const module = new URL('./long-thread-steps.ts', import.meta.url);
  return (await inFreshProcess(module, [path])) as StepFigures;
}

/** A file with one thread of so many messages. */
async function fillFile(path: string, length: number): Promise<void> {
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await fill(store, 'thread', length);
  await store.close();
}
