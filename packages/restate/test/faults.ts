import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Cluster } from './cluster.ts';

/** Something that happens to a cluster while turns run. It gives how many processes or connections were killed. */
export type Fault = (cluster: Cluster) => Promise<number>;

function pick<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}

/** A worker that has a turn now, else any. */
function pickWorker(cluster: Cluster): number | undefined {
  const alive = new Set(cluster.workers());
  const busy = cluster
    .attempts()
    .filter(({ state, pid }) => state === 'begun' && alive.has(pid))
    .slice(-4);
  return pick(busy)?.pid ?? pick([...alive]);
}

function signal(pid: number | undefined, name: NodeJS.Signals): number {
  if (pid === undefined) return 0;
  try {
    process.kill(pid, name);
    return 1;
  } catch {
    return 0; // It ended by itself meanwhile.
  }
}

/** Cuts all connections three times, and lets none through after the last. */
async function cutNetwork({ wires, ends }: Cluster, which: 'database' | 'workers'): Promise<number> {
  const wire = wires[which];
  let cuts = 0;
  for (let times = 0; times < 3; times++) {
    if (wire.cut() > 0) cuts++;
    await wait(20 + Math.random() * 60);
  }
  wire.block();
  await wait(300 + Math.random() * 700);
  wire.turnTo(ends[which]);
  return cuts;
}

/** The faults, by name. */
export const faults: Readonly<Record<string, Fault>> = {
  'a worker is killed': async (cluster) => signal(pickWorker(cluster), 'SIGKILL'),

  'all workers are killed': async (cluster) =>
    cluster.workers().reduce((killed, pid) => killed + signal(pid, 'SIGKILL'), 0),

  'a worker is stopped, and goes on when others have its turns': async (cluster) => {
    const pid = pickWorker(cluster);
    signal(pid, 'SIGSTOP');
    await wait(3_500);
    signal(pid, 'SIGCONT');
    return pid === undefined ? 0 : 1;
  },

  'the workers end and others come': async (cluster) => {
    const pid = pickWorker(cluster);
    return signal(pid, 'SIGTERM');
  },

  'Restate is killed': async (cluster) => {
    cluster.restate.kill('SIGKILL');
    await cluster.restate.ended;
    await cluster.startRestate();
    return 1;
  },

  'PostgreSQL is killed': async (cluster) => {
    cluster.postgres.kill('SIGQUIT'); // As pg_ctl -m immediate: nothing is written any more.
    await cluster.postgres.ended;
    await cluster.startPostgres();
    return 1;
  },

  'all connections to the database are cut': async (cluster) => {
    const client = new pg.Client({ connectionString: cluster.postgres.url });
    client.on('error', () => {});
    await client.connect();
    const cut = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'spec-hooks'`;
    let count = 0;
    for (let times = 0; times < 5; times++) {
      count += (await client.query(cut)).rowCount ?? 0;
      await wait(15);
    }
    await client.end();
    return count > 0 ? 5 : 0;
  },

  'the network to the database is cut, and is away for a while': async (cluster) =>
    cutNetwork(cluster, 'database'),

  'the network from Restate to the workers is cut, and is away for a while': async (cluster) =>
    cutNetwork(cluster, 'workers'),

  'everything is killed at once': async (cluster) => {
    const killed = signal(cluster.primary().pid, 'SIGKILL');
    const workers = cluster.workers().reduce((count, pid) => count + signal(pid, 'SIGKILL'), 0);
    cluster.restate.kill('SIGKILL');
    cluster.postgres.kill('SIGKILL');
    await Promise.all([cluster.restate.ended, cluster.postgres.ended]);
    await Promise.all([cluster.startPostgres(), cluster.startRestate()]);
    await cluster.startWorkers();
    return killed + workers + 2;
  },
};
