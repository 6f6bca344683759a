import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import {
  endLeftovers,
  installServers,
  keepPorts,
  type PostgresServer,
  type Service,
  startPostgres,
  startRestate,
} from '@spec/local-services';
import { registerWorkers, restateConfig } from '@spec/restate';
import type { Told } from './workers.ts';

/** Everything that runs, below one folder. Whatever is killed is started again. */
export interface Services {
  readonly postgres: PostgresServer;
  readonly ingress: string;
  /** The pids of the servers, by name, as they are now. */
  pids(): Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL, Restate and the workers, or goes on with what the folder holds. */
export async function startServices(folder: string, onTold: (told: Told) => void): Promise<Services> {
  installServers();
  await endLeftovers(folder);
  const ports = await keepPorts(folder, ['postgres', 'ingress', 'admin', 'node', 'workers']);
  const running = new Map<string, Service>();
  let isEnding = false;

  /** Starts something, and starts it again when it ends. */
  async function keep<T extends Service>(name: string, start: () => Promise<T>): Promise<T> {
    const service = await start();
    running.set(name, service);
    void service.ended.then(async () => {
      if (!isEnding) await keep(name, start);
    });
    return service;
  }

  const config = restateConfig({ folder: join(folder, 'restate/state'), ports });
  const [postgres, restate] = await Promise.all([
    keep('PostgreSQL', () => startPostgres({ folder: join(folder, 'postgres'), port: ports.postgres })),
    keep('Restate', () => startRestate({ folder: join(folder, 'restate'), config, ports })),
  ]);
  process.env.PGPASSWORD = postgres.password;
  await keep('workers', async () =>
    startWorkers([folder, `${ports.workers}`, postgres.address, restate.ingress], onTold),
  );
  await registerWorkers({ admin: restate.admin, address: `http://127.0.0.1:${ports.workers}/` });
  return {
    postgres,
    ingress: restate.ingress,
    pids: () => Object.fromEntries([...running].map(([name, { pid }]) => [name, pid])),
    async stop() {
      isEnding = true;
      for (const name of ['workers', 'Restate', 'PostgreSQL']) await running.get(name)?.stop();
    },
  };
}

/** In a process group of its own: a Ctrl-C in the terminal must not end the workers before their turns. */
function startWorkers(args: readonly string[], onTold: (told: Told) => void): Service {
  const program = join(import.meta.dirname, 'workers.ts');
  const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  createInterface({ input: child.stdout }).on('line', (line) => onTold(JSON.parse(line)));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    pid: child.pid ?? 0,
    ended,
    kill: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
