import cluster from 'node:cluster';
import { postgresStore } from '@spec/postgres';
import { restateEngine, restateWorker, type TurnAttempt } from '@spec/restate';
import { startSupport } from './agent.ts';

// Three workers behind one address. A worker that dies is replaced.

/** What this program tells of a worker: one JSON line each. */
export interface Told extends TurnAttempt {
  readonly worker: number;
}

const [, , , port = '9080', url = '', ingress = ''] = process.argv;

if (cluster.isPrimary) startWorkers();
else await work();

function startWorkers(): void {
  cluster.schedulingPolicy = cluster.SCHED_NONE; // Each worker accepts for itself: one that hangs gets nothing.
  let isEnding = false;
  cluster.on('message', (_worker, told: Told) => process.stdout.write(`${JSON.stringify(told)}\n`));
  cluster.on('exit', () => {
    if (!isEnding) cluster.fork();
  });
  process.on('SIGTERM', () => {
    isEnding = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  });
  for (let n = 0; n < 3; n++) cluster.fork();
}

async function work(): Promise<void> {
  process.on('disconnect', () => process.exit(1)); // The first process is gone.
  const runtime = startSupport(await postgresStore({ url }), restateEngine({ ingress }));
  const worker = await restateWorker({
    runtime,
    port: Number(port),
    graceMs: 500, // A turn that takes longer goes on in another worker, or at the next start.
    onAttempt: (attempt) => process.send?.({ ...attempt, worker: process.pid } satisfies Told),
  });
  process.on('SIGTERM', () => void worker.close().then(() => process.exit(0)));
}
