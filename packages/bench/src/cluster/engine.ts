import { findFreePorts, type RestateServer } from '@spec/local-services';
import { registerWorkers, restateEngine, restateWorker } from '@spec/restate';
import { memoryStore, type Runtime, type TurnResult } from '@spec/runtime';
import type { Bench } from '../bench.ts';
import type { Series } from '../measure.ts';
import { startRuntime } from '../turn/ours.ts';
import {
  openCounted,
  openThreads,
  readOwnTime,
  readProcessorTime,
  takeTurns,
  warmThreads,
  withCluster,
  withPostgres,
} from './servers.ts';

const THROUGH = 'a turn through Restate';
const WITHOUT = 'a turn without it';
const ADDED = 'what it adds, of all processes';
const SERVER = 'of which the Restate server';
const NOTHING = 'a turn through Restate that does nothing';
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
    { of: NOTHING, against: TARGET },
    { of: ADDED, against: NOTHING },
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
        for (const threads of [remote, embedded]) await warmThreads(threads);
        for (let round = 0; round < 5; round++) {
          const before = readProcessorTime(restate.pid);
          through.push(await measureTurns(remote, [server.pid, restate.pid]));
          ofServer.push((readProcessorTime(restate.pid) - before) / (TURNS * remote.length));
          without.push(await measureTurns(embedded, [server.pid]));
        }
        await other.close();
        const nothing = await measureNothing(restate);
        const added = through.map((value, round) => value - (without[round] ?? 0));
        const target = added.map(() => 6e6);
        return {
          [THROUGH]: through,
          [WITHOUT]: without,
          [ADDED]: added,
          [SERVER]: ofServer,
          [NOTHING]: nothing,
          [TARGET]: target,
        };
      });
      await runtime.close();
      await close();
      return series;
    }),
};

/** What Restate, its client and its SDK take for themselves: turns without a store, of a worker that ends them at once. */
async function measureNothing(restate: RestateServer): Promise<number[]> {
  const [port = 0] = await findFreePorts(1);
  const runTurn: Runtime['runTurn'] = async (_threadId, { id }) => ({ ...DONE, turnId: id });
  const worker = await restateWorker({ runtime: { runTurn }, port });
  await registerWorkers({ admin: restate.admin, address: `http://127.0.0.1:${port}/` });
  const store = { ...memoryStore(), readHead: async () => null };
  const engine = restateEngine({ ingress: restate.ingress })({ store, run: async () => DONE });
  const turns = Array.from({ length: 8 }, (_, n) => () => {
    const id = crypto.randomUUID();
    const message = { id, role: 'user', content: 'Where is my order?', created_at: 0 } as const;
    return engine.submit(`nothing-${n}`, { id, messages: [message], isNamed: true });
  });
  const measured: number[] = [];
  await warmThreads(turns);
  for (let round = 0; round < 5; round++) measured.push(await measureTurns(turns, [restate.pid]));
  await worker.close();
  return measured;
}

const usage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };
const DONE: TurnResult = { turnId: '', status: 'completed', text: null, steps: 1, usage };

async function measureTurns(
  threads: readonly (() => Promise<unknown>)[],
  pids: readonly number[],
): Promise<number> {
  const measure = (): number => readOwnTime() + readProcessorTime(...pids);
  const before = measure();
  await takeTurns(threads, TURNS);
  return (measure() - before) / (TURNS * threads.length);
}
