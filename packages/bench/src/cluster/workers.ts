import type { Bench } from '../bench.ts';
import type { Series } from '../measure.ts';
import { openCounted, openThreads, takeTurns, withCluster, withPostgres } from './servers.ts';

const THREE = 'on three workers';
const ALONE = 'on one worker';
const ONE = 'one transaction';

const TURNS = 10;

/** With a processor of its own, each worker adds what it can do; what it asks of the database is what they share. */
export const clusterWorkers: Bench = {
  name: 'cluster-workers',
  about: 'transactions that a turn through Restate makes of PostgreSQL, of all processes, 16 threads at once',
  unit: 'figure',
  comparisons: [
    { of: THREE, against: ONE, atMost: 5.5 },
    { of: THREE, against: ALONE },
  ],
  run: () =>
    withPostgres(async (server, folder): Promise<Series> => {
      const countTurns = (workers: number): Promise<number[]> => {
        const schema = `workers_${workers}`;
        return withCluster(server, { folder, workers, schema }, async ({ sender, count }) => {
          const other = await openCounted(server, schema);
          const threads = await openThreads(sender, other.store, 16);
          const counts: number[] = [];
          for (let round = 0; round < 4; round++) {
            const before = count();
            await takeTurns(threads, TURNS);
            counts.push((count() - before) / (TURNS * threads.length));
          }
          await other.close();
          return counts;
        });
      };
      const alone = await countTurns(1);
      return { [THREE]: await countTurns(3), [ALONE]: alone, [ONE]: alone.map(() => 1) };
    }),
};
