import type { Bench } from '../bench.ts';
import type { Series } from '../measure.ts';
import { startRuntime } from '../turn/ours.ts';
import {
  openCounted,
  openThreads,
  readProcessorTime,
  takeTurns,
  withCluster,
  withPostgres,
} from './servers.ts';

const THROUGH = 'a turn through Restate';
const WITHOUT = 'a turn without it';
const ADDED = 'what it adds';
const TARGET = '6 ms';

const TURNS = 20;

/** Sender, worker, Restate and PostgreSQL together: what moves from one to another is counted where it goes. */
export const clusterEngine: Bench = {
  name: 'cluster-engine',
  about: 'processor time of all processes for a turn of 8 threads at once, through Restate and without it',
  unit: 'ns',
  comparisons: [
    { of: ADDED, against: TARGET, atMost: 1 },
    { of: THROUGH, against: WITHOUT },
  ],
  run: () =>
    withPostgres(async (server, folder): Promise<Series> => {
      const { store, close } = await openCounted(server, 'embedded');
      const runtime = startRuntime(store);
      const embedded = await openThreads(runtime, store, 8);
      const series = await withCluster(
        server,
        { folder, workers: 1, schema: 'engine' },
        async ({ sender, restate }) => {
          const other = await openCounted(server, 'engine');
          const remote = await openThreads(sender, other.store, 8);
          const measureTurns = async (threads: readonly (() => Promise<unknown>)[]): Promise<number> => {
            const before = readProcessorTime([server.pid, restate.pid]);
            await takeTurns(threads, TURNS);
            return (readProcessorTime([server.pid, restate.pid]) - before) / (TURNS * threads.length);
          };
          const [through, without]: [number[], number[]] = [[], []];
          for (let round = 0; round < 5; round++) {
            through.push(await measureTurns(remote));
            without.push(await measureTurns(embedded));
          }
          await other.close();
          const added = through.map((value, round) => value - (without[round] ?? 0));
          return { [THROUGH]: through, [WITHOUT]: without, [ADDED]: added, [TARGET]: added.map(() => 6e6) };
        },
      );
      await runtime.close();
      await close();
      return series;
    }),
};
