import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  findFreePorts,
  installServers,
  openWire,
  type PostgresServer,
  type RestateServer,
  startPostgres,
  startRestate,
} from '@spec/local-services';
import { type PostgresPool, postgresStore } from '@spec/postgres';
import { registerWorkers, restateConfig, restateEngine, restateWorker } from '@spec/restate';
import type { Runtime, Store } from '@spec/runtime';
import pg from 'pg';
import { fill } from '../fill.ts';
import { warmTurns } from '../measure.ts';
import { inFolder } from '../scratch.ts';
import { startRuntime } from '../turn/ours.ts';

/** How many messages a thread has before its first turn. */
const LENGTH = 100;

/** A PostgreSQL that waits for its disk. */
export function withPostgres<T>(run: (server: PostgresServer, folder: string) => Promise<T>): Promise<T> {
  installServers();
  return inFolder(async (folder) => {
    chmodSync(folder, 0o755); // PostgreSQL may run as another user.
    const [port = 0] = await findFreePorts(1);
    const server = await startPostgres({ folder: join(folder, 'postgres'), port });
    try {
      return await run(server, folder);
    } finally {
      await server.stop();
    }
  });
}

/** A store that counts its statements. Each is a transaction. */
export interface CountedStore {
  readonly store: Store;
  /** How many there were so far. */
  count(): number;
  close(): Promise<void>;
}

export async function openCounted({ url }: PostgresServer, schema: string): Promise<CountedStore> {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  pool.on('error', () => {});
  let count = 0;
  const counted: PostgresPool = {
    query(query) {
      count++;
      return pool.query(query);
    },
  };
  const store = await postgresStore({ pool: counted, schema });
  return { store, count: () => count, close: () => pool.end() };
}

/** Turns through Restate: one runtime that sends, and workers, all in this process but each with a store of its own. */
export interface RunningCluster {
  readonly restate: RestateServer;
  readonly sender: Runtime;
  /** Of all stores. */
  count(): number;
}

export async function withCluster<T>(
  server: PostgresServer,
  { folder, workers, schema }: { readonly folder: string; readonly workers: number; readonly schema: string },
  run: (cluster: RunningCluster) => Promise<T>,
): Promise<T> {
  const [ingress = 0, admin = 0, node = 0, ...ports] = await findFreePorts(3 + workers);
  const home = join(folder, schema);
  const config = restateConfig({ folder: join(home, 'state'), ports: { ingress, admin, node } });
  const restate = await startRestate({ folder: home, config, ports: { ingress, admin } });
  // What stands before several workers costs time of its own.
  const wire = workers > 1 ? await openWire(...ports) : undefined;
  const stores = await Promise.all([0, ...ports].map(() => openCounted(server, schema)));
  const engine = restateEngine({ ingress: restate.ingress });
  const [sender, ...runtimes] = stores.map(({ store }) => startRuntime(store, { engine })) as [
    Runtime,
    ...Runtime[],
  ];
  const serving = await Promise.all(
    runtimes.map((runtime, at) => restateWorker({ runtime, port: ports[at] ?? 0 })),
  );
  try {
    await registerWorkers({ admin: restate.admin, address: `http://127.0.0.1:${wire?.port ?? ports[0]}/` });
    const count = () => stores.reduce((sum, one) => sum + one.count(), 0);
    return await run({ restate, sender, count });
  } finally {
    await Promise.all(serving.map((worker) => worker.close()));
    await Promise.all([sender, ...runtimes].map((runtime) => runtime.close()));
    await Promise.all(stores.map((one) => one.close()));
    await restate.stop();
    wire?.close();
  }
}

/** Fills threads, and gives a function for each that takes one turn. The first turn is taken already. */
export async function openThreads(
  runtime: Runtime,
  store: Store,
  count: number,
): Promise<(() => Promise<unknown>)[]> {
  const turns: (() => Promise<unknown>)[] = [];
  for (let n = 0; n < count; n++) {
    const id = `thread-${crypto.randomUUID()}`;
    await fill(store, id, LENGTH);
    const thread = await runtime.openThread(id);
    await thread.send('Where is my order?');
    turns.push(() => thread.send('Where is my order?'));
  }
  return turns;
}

/** Takes so many turns of each thread, the threads at once. */
export async function takeTurns(threads: readonly (() => Promise<unknown>)[], each: number): Promise<void> {
  await Promise.all(
    threads.map(async (take) => {
      for (let n = 0; n < each; n++) await take();
    }),
  );
}

/** Takes turns of all threads at once for as long as the other benches of turns do: what is measured next is compiled. */
export async function warmThreads(threads: readonly (() => Promise<unknown>)[]): Promise<void> {
  const { calls, ms } = warmTurns;
  const end = performance.now() + ms;
  for (let taken = 0; taken < calls && performance.now() < end; taken += threads.length)
    await takeTurns(threads, 1);
}

/** The processor time of this process, in nanoseconds. */
export function readOwnTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1_000;
}

/** The processor time of other processes and of their children, in nanoseconds. */
export function readProcessorTime(...pids: readonly number[]): number {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const ticks = all.reduce((sum, pid) => sum + readTicks(pid, pids), 0);
  return ticks * 10_000_000; // 100 ticks are a second.
}

function readTicks(pid: string, owners: readonly number[]): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    const isMeant = owners.includes(Number(pid)) || owners.includes(Number(fields[1]));
    return isMeant ? Number(fields[11]) + Number(fields[12]) : 0;
  } catch {
    return 0; // It ended meanwhile.
  }
}
