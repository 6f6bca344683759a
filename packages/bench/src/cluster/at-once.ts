import { postgresStore } from '@spec/postgres';
import type { Bench } from '../bench.ts';
import type { Series } from '../measure.ts';
import { startRuntime } from '../turn/ours.ts';
import { openThreads, takeTurns, warmThreads, withPostgres } from './servers.ts';

const TOGETHER = '32 threads at once';
const ONE_BY_ONE = 'one after another';

export const clusterAtOnce: Bench = {
  name: 'cluster-at-once',
  about:
    'turns of 32 threads at once on PostgreSQL, synchronous=FULL, against the same turns one after another',
  unit: 'turns/s',
  comparisons: [{ of: TOGETHER, against: ONE_BY_ONE, atLeast: 3 }],
  run: () =>
    withPostgres(async (server): Promise<Series> => {
      const store = await postgresStore({ url: server.url });
      const runtime = startRuntime(store);
      const threads = await openThreads(runtime, store, 32);
      const measureRate = async (turns: number, take: () => Promise<void>): Promise<number> => {
        const start = performance.now();
        await take();
        return (turns * 1_000) / (performance.now() - start);
      };
      await warmThreads(threads);
      const [together, oneByOne]: [number[], number[]] = [[], []];
      for (let round = 0; round < 5; round++) {
        together.push(await measureRate(640, () => takeTurns(threads, 20)));
        oneByOne.push(
          await measureRate(160, async () => {
            for (const take of threads) await takeTurns([take], 5);
          }),
        );
      }
      await runtime.close();
      return { [TOGETHER]: together, [ONE_BY_ONE]: oneByOne };
    }),
};
