import { type Assumptions, type Simulated, simulate } from './cluster.ts';
import { computeNeeds, type Needs, PEAK, type TurnCosts } from './costs.ts';

// `npx tsx packages/bench/src/simulate/main.ts`: the tables of docs/size.md. The figures are of the benches that TurnCosts names, 26 November 2026.

const measured: TurnCosts = { statements: 4.6, processorSeconds: 0.018, tableBytes: 3_950, logBytes: 7_750 };

/** 10,000,000 threads with five turns a day each, in the busiest hour. */
const large: Assumptions = {
  ...{ workers: 1_000, threads: 10_000_000, turnsPerSecond: (10_000_000 * 5 * PEAK) / 86_400, seconds: 600 },
  ...{ turnSeconds: 10, stepSeconds: 3, hotShare: 0.01, hotThreads: 1_000, deathsPerWorkerAndDay: 1 },
  ...{ takeoverSeconds: [0.1, 3], lostWorkers: 100, seed: 'a busy hour' },
};

const sizes: Readonly<Record<string, Assumptions>> = {
  '10 workers, 100,000 threads': { ...large, ...shrink(100) },
  '100 workers, 1,000,000 threads': { ...large, ...shrink(10) },
  '1,000 workers, 10,000,000 threads': large,
};

function shrink(times: number): Partial<Assumptions> {
  return {
    workers: large.workers / times,
    threads: large.threads / times,
    turnsPerSecond: large.turnsPerSecond / times,
    hotThreads: large.hotThreads / times,
    lostWorkers: large.lostWorkers / times,
  };
}

const needRows: Readonly<Record<string, (needs: Needs) => number>> = {
  'statements a second': (needs) => needs.statementsPerSecond,
  'processors, of all processes': (needs) => needs.processors,
  'turns at once': (needs) => needs.turnsAtOnce,
  'turns at once on a worker': (needs) => needs.turnsAtOncePerWorker,
  'connections to PostgreSQL': (needs) => needs.databaseConnections,
  'terabytes a year': (needs) => needs.terabytesPerYear,
  'megabytes of log a second': (needs) => needs.logMegabytesPerSecond,
};

const simulatedRows: Readonly<Record<string, (simulated: Simulated) => number>> = {
  'turns in ten minutes': ({ turns }) => turns,
  'attempts more than turns': ({ turns, attempts }) => attempts - turns,
  'turns that waited for another one of their thread, %': ({ turns, waited }) => (100 * waited) / turns,
  'wait of 99 of 100 turns, hot threads left out, s': ({ waitP99 }) => waitP99,
  'wait of 99 of 100 turns of hot threads, s': ({ hotWaitP99 }) => hotWaitP99,
  'the most turns at once on one worker': ({ mostOnOne }) => mostOnOne,
  'turns on the workers that were lost': ({ lostTurns }) => lostTurns,
  'seconds until the last of them went on': ({ lostSeconds }) => lostSeconds,
  'work that was done twice, in a thousand': ({ repeatedPerMille }) => repeatedPerMille,
};

console.log(
  renderTable(
    needRows,
    Object.values(sizes).map((size) => computeNeeds(measured, size)),
  ),
);
console.log(renderTable(simulatedRows, Object.values(sizes).map(simulate)));

function renderTable<T>(rows: Readonly<Record<string, (of: T) => number>>, columns: readonly T[]): string {
  const lines = [
    ['', ...Object.keys(sizes)],
    ['---', ...Object.keys(sizes).map(() => '---:')],
    ...Object.entries(rows).map(([name, read]) => [name, ...columns.map((column) => write(read(column)))]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function write(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 });
}
