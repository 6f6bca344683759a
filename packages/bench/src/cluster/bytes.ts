import pg from 'pg';
import type { Bench } from '../bench.ts';
import type { Series } from '../measure.ts';
import { startRuntime } from '../turn/ours.ts';
import { openCounted, openThreads, takeTurns, withPostgres } from './servers.ts';

const TABLES = 'in tables and indexes';
const LOG = 'in the write-ahead log';

/** What a disk must hold, and what a replica must be sent. */
export const clusterBytes: Bench = {
  name: 'cluster-bytes',
  about: 'bytes that a turn leaves in PostgreSQL, of 32 threads at once, after a vacuum',
  unit: 'bytes',
  comparisons: [{ of: LOG, against: TABLES }],
  notes: ['The processor time of PostgreSQL alone is part of "cluster-engine".'],
  run: () =>
    withPostgres(async (server): Promise<Series> => {
      const { store, close } = await openCounted(server, 'bytes');
      const runtime = startRuntime(store);
      const threads = await openThreads(runtime, store, 32);
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      const look = async (): Promise<{ tables: number; log: number }> => {
        await client.query('vacuum');
        const { rows } = await client.query(`select pg_current_wal_lsn() - '0/0' as log,
          (select sum(pg_total_relation_size(c.oid)) from pg_class c where c.relkind = 'r' and c.relnamespace = 'bytes'::regnamespace) as tables`);
        return { tables: Number(rows[0].tables), log: Number(rows[0].log) };
      };
      const before = await look();
      await takeTurns(threads, 60);
      const after = await look();
      await client.end();
      await runtime.close();
      await close();
      const turns = 60 * threads.length;
      return {
        [TABLES]: [(after.tables - before.tables) / turns],
        [LOG]: [(after.log - before.log) / turns],
      };
    }),
};
