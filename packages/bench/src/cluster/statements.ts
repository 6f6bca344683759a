import type { Bench } from '../bench.ts';
import type { Series } from '../measure.ts';
import { startRuntime } from '../turn/ours.ts';
import { openCounted, openThreads, takeTurns, withPostgres } from './servers.ts';

const ONE = 'one statement';
const ALONE = 'a turn alone';
const TOGETHER = 'a turn of 32 threads at once';

/** Round trips decide how long a turn takes over a network; shared ones decide what a server can do. */
export const clusterStatements: Bench = {
  name: 'cluster-statements',
  about: 'statements that a turn with a tool call and four hooks makes of PostgreSQL',
  unit: 'figure',
  comparisons: [
    { of: ALONE, against: ONE, atMost: 4.5 },
    { of: TOGETHER, against: ONE, atMost: 1 },
  ],
  run: () =>
    withPostgres(async (server): Promise<Series> => {
      const { store, count, close } = await openCounted(server, 'statements');
      const runtime = startRuntime(store);
      const threads = await openThreads(runtime, store, 32);
      const countTurns = async (some: readonly (() => Promise<unknown>)[], each: number): Promise<number> => {
        const before = count();
        await takeTurns(some, each);
        return (count() - before) / (some.length * each);
      };
      const [alone, together]: [number[], number[]] = [[], []];
      for (let round = 0; round < 5; round++) {
        alone.push(await countTurns(threads.slice(0, 1), 40));
        together.push(await countTurns(threads, 10));
      }
      await runtime.close();
      await close();
      return { [ALONE]: alone, [TOGETHER]: together, [ONE]: alone.map(() => 1) };
    }),
};
