import cluster from 'node:cluster';
import { appendFileSync } from 'node:fs';
import { postgresStore } from '@spec/postgres';
import { restateEngine, restateWorker } from '../src/index.ts';
import { startAgent } from './agent.ts';

// Three workers behind one address. Who dies is replaced; all end with their first process.

const {
  FAULTS_URL: url = '',
  FAULTS_SCHEMA: schema = '',
  FAULTS_INGRESS: ingress = '',
  FAULTS_LOG: log = '',
} = process.env;
const { FAULTS_PORT: port = '0', FAULTS_WORKERS: count = '3' } = process.env;

const note = (line: string): void => appendFileSync(log, `${line} ${process.pid}\n`);

if (cluster.isPrimary) {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  for (let n = 0; n < Number(count); n++) cluster.fork();
  let isEnding = false;
  cluster.on('exit', () => {
    if (!isEnding) cluster.fork();
  });
  process.on('SIGTERM', () => {
    isEnding = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  });
} else {
  process.on('disconnect', () => process.exit(1));
  const store = await postgresStore({ url, schema, patienceMs: 20_000 });
  const runtime = startAgent({ store, engine: restateEngine({ ingress }) });
  const worker = await restateWorker({
    runtime,
    port: Number(port),
    onAttempt: ({ state, threadId, turnId, code = '' }) => note(`${state} ${threadId} ${turnId} ${code}`),
  });
  note('worker');
  process.on('SIGTERM', async () => {
    await worker.close();
    await runtime.close().catch(() => {});
    process.exit(0);
  });
}
