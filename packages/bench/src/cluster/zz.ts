import { openCounted, openThreads, readOwnTime, readProcessorTime, takeTurns, warmThreads, withCluster, withPostgres } from './servers.ts';
import { startRuntime } from '../turn/ours.ts';
import inspector from 'node:inspector';
import { writeFileSync } from 'node:fs';
const N = 40;
const session = new inspector.Session(); session.connect();
const post = (m: string) => new Promise<any>((res, rej) => session.post(m as any, (e: any, r: any) => e ? rej(e) : res(r)));
import pg from 'pg';
const seen = new Map<string, number>();
const q = pg.Pool.prototype.query;
(pg.Pool.prototype as any).query = function (this: unknown, one: any, ...rest: any[]) { const k = String(one?.text ?? one).replace(/\s+/g, ' ').slice(0, 90); seen.set(k, (seen.get(k) ?? 0) + 1); return (q as any).call(this, one, ...rest); };
await withPostgres(async (server, folder) => {
  const { store, count, close } = await openCounted(server, 'embedded');
  const runtime = startRuntime(store);
  const embedded = await openThreads(runtime, store, 8);
  await withCluster(server, { folder, workers: 1, schema: 'engine' }, async ({ sender, restate, count: c2 }) => {
    const other = await openCounted(server, 'engine');
    const remote = await openThreads(sender, other.store, 8);
    await warmThreads(remote); await warmThreads(embedded);
    await post('Profiler.enable');
    for (let r = 0; r < 3; r++) for (const [name, threads, cnt] of [['remote', remote, c2], ['embedded', embedded, count]] as const) {
      const a = [readOwnTime(), readProcessorTime(server.pid), readProcessorTime(restate.pid), cnt()];
      seen.clear();

      await takeTurns(threads, N);
      const b = [readOwnTime(), readProcessorTime(server.pid), readProcessorTime(restate.pid), cnt()];
      const d = b.map((x, i) => (x - a[i]!) / (N * 8));
      console.log(name, 'own', (d[0]!/1e6).toFixed(2), 'pg', (d[1]!/1e6).toFixed(2), 'restate', (d[2]!/1e6).toFixed(2), 'statements', d[3]!.toFixed(2));
      if (r === 2) for (const [k, v] of seen) console.log('   ', (v / (N * 8)).toFixed(2), k);
    }
    await other.close();
  });
  await runtime.close(); await close();
});
