import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  findFreePorts,
  installServers,
  openWire,
  type PostgresServer,
  type RestateServer,
  startPostgres,
  startRestate,
  type Wire,
} from '@spec/local-services';
import { bundleProgram } from '@spec/test-helpers/bundle-program';
import { registerWorkers, restateConfig } from '../src/index.ts';

export const SCHEMA = 'faults';

/** PostgreSQL, Restate and workers, of which any may be killed. */
export interface Cluster {
  readonly folder: string;
  readonly ingress: string;
  /** The networks, which may be cut: from the workers to the database, and from Restate to the workers. */
  readonly wires: { readonly database: Wire; readonly workers: Wire };
  /** Where each of them leads. */
  readonly ends: { readonly database: number; readonly workers: number };
  postgres: PostgresServer;
  restate: RestateServer;
  /** Starts one again in its folder, at its ports. */
  startPostgres(): Promise<void>;
  startRestate(): Promise<void>;
  startWorkers(): Promise<void>;
  /** The process that starts workers. */
  primary(): ChildProcess;
  /** The attempts so far: state, thread, turn, code, pid of the worker. */
  attempts(): readonly Attempt[];
  /** The pids of workers that serve. */
  workers(): readonly number[];
  stop(): Promise<void>;
}

export interface Attempt {
  readonly state: string;
  readonly threadId: string;
  readonly turnId: string;
  readonly code: string;
  readonly pid: number;
}

/** Starts everything in a new folder. */
export async function startCluster(workers = 3): Promise<Cluster> {
  installServers();
  const folder = mkdtempSync(join(tmpdir(), 'restate-cluster-'));
  chmodSync(folder, 0o755); // PostgreSQL may run as another user.
  const program = await bundleProgram(new URL('worker-process.ts', import.meta.url), {
    external: ['pg', '@restatedev/*'],
  });
  const [database = 0, ingress = 0, admin = 0, node = 0, port = 0] = await findFreePorts(5);
  const log = join(folder, 'attempts.log');
  const config = restateConfig({ folder: join(folder, 'restate/state'), ports: { ingress, admin, node } });
  const runPostgres = () =>
    startPostgres({ folder: join(folder, 'postgres'), port: database, isDurable: false });
  const runRestate = () =>
    startRestate({ folder: join(folder, 'restate'), config, ports: { ingress, admin } });
  const [postgres, restate] = await Promise.all([runPostgres(), runRestate()]);
  const wires = { database: await openWire(database), workers: await openWire(port) };
  const readLines = () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []);
  let primary: ChildProcess | undefined;

  const cluster: Cluster = {
    folder,
    ingress: restate.ingress,
    wires,
    ends: { database, workers: port },
    postgres,
    restate,
    async startPostgres() {
      cluster.postgres = await runPostgres();
    },
    async startRestate() {
      cluster.restate = await runRestate();
    },
    async startWorkers() {
      const before = readLines().length;
      const output = openSync(join(folder, 'workers.log'), 'a');
      primary = spawn(process.execPath, [program], {
        detached: true,
        stdio: ['ignore', output, output],
        env: {
          ...process.env,
          FAULTS_URL: postgres.url.replace(`:${database}/`, `:${wires.database.port}/`),
          FAULTS_SCHEMA: SCHEMA,
          FAULTS_INGRESS: restate.ingress,
          FAULTS_LOG: log,
          FAULTS_PORT: `${port}`,
          FAULTS_WORKERS: `${workers}`,
        },
      });
      while (
        !readLines()
          .slice(before)
          .some((line) => line.startsWith('worker '))
      )
        await wait(50);
      await registerWorkers({ admin: restate.admin, address: `http://127.0.0.1:${wires.workers.port}/` });
    },
    primary: () => primary as ChildProcess,
    attempts: () =>
      readLines().flatMap((line) => {
        const [state = '', threadId = '', turnId = '', code = '', pid = ''] = line.split(' ');
        return state === 'worker' ? [] : [{ state, threadId, turnId, code, pid: Number(pid) }];
      }),
    workers: () => [
      ...new Set(
        readLines().flatMap((line) => {
          const pid = line.startsWith('worker ') ? Number(line.split(' ').at(-1)) : 0;
          return pid > 0 && isAlive(pid) ? [pid] : [];
        }),
      ),
    ],
    async stop() {
      const ended = new Promise((resolve) => primary?.once('exit', resolve) ?? resolve(undefined));
      if (primary?.exitCode === null && primary.signalCode === null) {
        primary.kill('SIGTERM');
        await Promise.race([ended, wait(15_000)]);
        primary.kill('SIGKILL');
      }
      await cluster.restate.stop();
      await cluster.postgres.stop();
      for (const wire of Object.values(wires)) wire.close();
    },
  };
  await cluster.startWorkers();
  return cluster;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
