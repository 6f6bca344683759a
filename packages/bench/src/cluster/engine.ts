import type { Bench } from '../bench.ts';
import type { Series } from '../measure.ts';
import { startRuntime } from '../turn/ours.ts';
import {
  openCounted,
  openThreads,
  readOwnTime,
  readProcessorTime,
  takeTurns,
  withCluster,
  withPostgres,
} from './servers.ts';

const THROUGH = 'a turn through Restate';
const WITHOUT = 'a turn without it';
const ADDED = 'what it adds, of all processes';
const SERVER = 'of which the Restate server';
const TARGET = '6 ms';

const TURNS = 20;

/** Sender, worker, Restate and PostgreSQL together: what moves from one to another is counted where it goes. */
export const clusterEngine: Bench = {
  name: 'cluster-engine',
  about: 'processor time of all processes for a turn of 8 threads at once, through Restate and without it',
  unit: 'ns',
  comparisons: [
    { of: ADDED, against: TARGET, atMost: 1 },
    { of: SERVER, against: TARGET },
    { of: THROUGH, against: WITHOUT },
  ],
  run: () =>
    withPostgres(async (server, folder): Promise<Series> => {
      const { store, close } = await openCounted(server, 'embedded');
      const runtime = startRuntime(store);
      const embedded = await openThreads(runtime, store, 8);
      const cluster = { folder, workers: 1, schema: 'engine' };
      const series = await withCluster(server, cluster, async ({ sender, restate }) => {
        const other = await openCounted(server, 'engine');
        const remote = await openThreads(sender, other.store, 8);
        const [through, without, ofServer]: [number[], number[], number[]] = [[], [], []];
        for (let round = 0; round < 5; round++) {
          const before = readProcessorTime(restate.pid);
          through.push(await measureTurns(remote, [server.pid, restate.pid]));
          ofServer.push((readProcessorTime(restate.pid) - before) / (TURNS * remote.length));
          without.push(await measureTurns(embedded, [server.pid]));
        }
        await other.close();
        const added = through.map((value, round) => value - (without[round] ?? 0));
        const target = added.map(() => 6e6);
        return {
          [THROUGH]: through,
          [WITHOUT]: without,
          [ADDED]: added,
          [SERVER]: ofServer,
          [TARGET]: target,
        };
      });
      await runtime.close();
      await close();
      return series;
    }),
};

async function measureTurns(
  threads: readonly (() => Promise<unknown>)[],
  pids: readonly number[],
): Promise<number> {
  const measure = (): number => readOwnTime() + readProcessorTime(...pids);
  const before = measure();
  await takeTurns(threads, TURNS);
  return (measure() - before) / (TURNS * threads.length);
}
