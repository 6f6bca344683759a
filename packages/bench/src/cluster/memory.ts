import { setTimeout as wait } from 'node:timers/promises';
import { restateEngine } from '@spec/restate';
import type { Bench } from '../bench.ts';
import { fill } from '../fill.ts';
import type { Series } from '../measure.ts';
import { startRuntime } from '../turn/ours.ts';
import { openCounted, withPostgres } from './servers.ts';

const MANY = 'after 4,000 threads';
const FEW = 'after 1,000 threads';

const LEASE = 500;

/** A worker sees a thread, runs its turn, and has nothing more to do with it: what it keeps must not grow with what it has seen. */
export const clusterMemory: Bench = {
  name: 'cluster-memory',
  about: 'the heap of a worker that has had a turn of each of so many threads, once it is idle',
  unit: 'bytes',
  comparisons: [{ of: MANY, against: FEW, atMost: 1.1 }],
  run: () =>
    withPostgres(async (server): Promise<Series> => {
      const { store, close } = await openCounted(server, 'memory');
      // Nothing is sent: the turns are run as Restate has a worker run them.
      const runtime = startRuntime(store, {
        lease: LEASE,
        engine: restateEngine({ ingress: 'http://127.0.0.1:1' }),
      });
      let seen = 0;
      const see = async (until: number): Promise<number> => {
        while (seen < until) await Promise.all(Array.from({ length: 50 }, () => runOne(`thread-${seen++}`)));
        await wait(4 * LEASE);
        globalThis.gc?.();
        await wait(100);
        globalThis.gc?.();
        return process.memoryUsage().heapUsed;
      };
      const runOne = async (id: string): Promise<void> => {
        await fill(store, id, 20);
        const message = {
          id: `${id}.0.user`,
          role: 'user' as const,
          content: 'Where is my order?',
          created_at: 1,
        };
        const request = { id, messages: [message], isNamed: true as const };
        const step = <T>(_name: string, run: () => T | Promise<T>): T | Promise<T> => run();
        await runtime.runTurn(id, request, {
          attempt: 1,
          isExclusive: true,
          step,
          now: () => Date.now() * 1_000,
        });
      };
      await see(500); // What is loaded when it is first needed.
      const few = await see(1_000);
      const many = await see(4_000);
      await runtime.close();
      await close();
      return { [MANY]: [many], [FEW]: [few] };
    }),
};
