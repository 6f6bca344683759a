import { setTimeout as sleep } from 'node:timers/promises';
import { redact } from '@spec/builtins';
import { type AnyHook, createExecutor, type Executor, type Scope, scopeOf } from '@spec/hooks';
import { fakeState, toolCall } from '@spec/hooks/testing';
import type { Bench } from './bench.ts';
import type { Series } from './measure.ts';

/** Texts of one sort, as a tool may answer them; the last ones are what each detector takes longest for. */
const SORTS = {
  prose: 'The quick brown fox jumps over the lazy dog, then calls it a day. ',
  'records in JSON': '{"id":1042,"name":"Ada","mail":"ada@example.com","note":"left at the door"}\n',
  'addresses in prose': 'Write to anna.b@example.com or bob@example.org by Friday. ',
  'a table of numbers': '4155550132,20240105,12.50\n',
  'telephone numbers': '555-1234 x',
  escapes: 'anna\\u0040example.com\\n',
} as const;
type Sort = keyof typeof SORTS;

const TEXT_SIZE = 100_000;
const ROUNDS = 5;
const ALLOWED = '500 ms';
const LAG_ALLOWED = '50 ms';

const makeText = (sort: Sort): string =>
  SORTS[sort].repeat(Math.ceil(TEXT_SIZE / SORTS[sort].length)).slice(0, TEXT_SIZE);

const sorts = Object.keys(SORTS) as Sort[];

export const redactTime: Bench = {
  name: 'redact-time',
  about: 'a tool result of 100,000 characters through redact, by what is in it',
  unit: 'ns',
  comparisons: sorts.map((of) => ({ of, against: ALLOWED, atMost: 1 })),
  run: async () => (await measured()).times,
  notes: ['Time of the processor: what else runs on the machine does not count.'],
};

export const redactLag: Bench = {
  name: 'redact-lag',
  about: 'the longest time without a turn of the event loop while such a result is redacted',
  unit: 'ns',
  comparisons: sorts.map((of) => ({ of, against: LAG_ALLOWED, atMost: 1 })),
  run: async () => (await measured()).lags,
};

interface Measured {
  readonly times: Series;
  readonly lags: Series;
}

/** Both benches read the same rounds. */
let rounds: Promise<Measured> | undefined;
function measured(): Promise<Measured> {
  rounds ??= measureAll();
  return rounds;
}

async function measureAll(): Promise<Measured> {
  const allowed = Array.from({ length: ROUNDS });
  const times: Record<string, number[]> = { [ALLOWED]: allowed.map(() => 500e6) };
  const lags: Record<string, number[]> = { [LAG_ALLOWED]: allowed.map(() => 50e6) };
  for (const sort of sorts) {
    const measures = [];
    for (let round = 0; round < ROUNDS; round++) measures.push(await redactOnce(makeText(sort)));
    times[sort] = measures.map(({ time }) => time);
    lags[sort] = measures.map(({ lag }) => lag);
  }
  return { times, lags };
}

/** Nanoseconds of the processor: for all of it, and the most between two turns of the loop. */
async function redactOnce(text: string): Promise<{ time: number; lag: number }> {
  const { executor, scope } = redacting();
  const result = { status: 'success', result: text };
  let lag = 0;
  let last = processorTime();
  let isOn = true;
  const watching = (async () => {
    while (isOn) {
      await sleep(0);
      const now = processorTime();
      lag = Math.max(lag, now - last);
      last = now;
    }
  })();
  const start = processorTime();
  await executor.run('before_store_tool_result', scope, fakeState(), { ...toolCall('find') }, result);
  const time = processorTime() - start;
  isOn = false;
  await watching;
  return { time, lag };
}

function redacting(): { executor: Executor; scope: Scope } {
  const members = redact().map((hook) => ({ hook: hook as AnyHook, source: 'bench' }));
  return { executor: createExecutor({ timeout: '10m' }), scope: scopeOf(members) };
}

function processorTime(): number {
  return process.cpuUsage().user * 1000;
}
