import { postgresStore } from '@spec/postgres';
import pg from 'pg';
import type { Bench } from '../bench.ts';
import type { Series } from '../measure.ts';
import { startRuntime } from '../turn/ours.ts';
import { openThreads, takeTurns, withPostgres } from './servers.ts';

const FULL = 'among 10,000,000 messages';
const EMPTY = 'on empty tables';

const THREADS = 100_000;
/** A turn has four messages. */
const TURNS_OF_THREAD = 25;
/** Threads that are copied in one transaction. */
const PIECE = 5_000;
/** Threads that have turns at once, spread over all. */
const AT_ONCE = 32;

/** Takes a quarter of an hour and 12 GB of disk: it is run where it is named. */
export const clusterLarge: Bench = {
  name: 'cluster-large',
  about: `a turn of ${AT_ONCE} threads at once on PostgreSQL, with 100,000 threads of 100 messages, their calls and runs in the tables, against empty ones`,
  unit: 'ns',
  isNamedOnly: true,
  comparisons: [{ of: FULL, against: EMPTY, atMost: 1.3 }],
  run: () =>
    withPostgres(async (server): Promise<Series> => {
      const store = await postgresStore({ url: server.url, schema: 'large' });
      const empty = await postgresStore({ url: server.url, schema: 'small' });
      const [runtime, other] = [startRuntime(store), startRuntime(empty)];
      await copyThreads(server.url, await makeTemplate(runtime));
      const old = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, n) => {
          const thread = await runtime.openThread(`copy-${1 + Math.floor((n * THREADS) / AT_ONCE)}`);
          return () => thread.send('Where is my order?');
        }),
      );
      const fresh = await openThreads(other, empty, AT_ONCE);
      const [full, none]: [number[], number[]] = [[], []];
      for (let round = 0; round < 9; round++) {
        full.push(await timeTurns(old));
        none.push(await timeTurns(fresh));
      }
      await Promise.all([runtime.close(), other.close()]);
      return { [FULL]: full, [EMPTY]: none };
    }),
};

async function timeTurns(threads: readonly (() => Promise<unknown>)[]): Promise<number> {
  const startedAt = performance.now();
  await takeTurns(threads, 10);
  return ((performance.now() - startedAt) * 1e6) / (10 * threads.length);
}

/** A thread that had its turns. @returns its id */
async function makeTemplate(runtime: ReturnType<typeof startRuntime>): Promise<string> {
  const thread = await runtime.createThread({ agent: 'agent', id: 'template' });
  for (let turn = 0; turn < TURNS_OF_THREAD; turn++) await thread.send('Where is my order?');
  return thread.id;
}

/** The tables that hold what belongs to a thread, and the columns that are copied as they are. */
const copied = {
  leases: 'fence, owner, expires_at, ttl_ms, turn_id, version, last_seq, last_commit, last_posts',
  messages:
    'seq, id, role, flags, created_at, depth, parent_id, name, tool_call_id, content, tool_calls, metadata, extra',
  tool_calls: 'seq, position, id, name, status',
  kept_values: 'key, value',
  hook_runs: 'turn_id, step, oldest, youngest, runs',
} as const;

async function copyThreads(url: string, template: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set synchronous_commit = off; set search_path = 'large'");
  for (let from = 1; from <= THREADS; from += PIECE) {
    await client.query(`
      insert into threads (id, agent_id, depth, created_at, current_side, metadata)
      select 'copy-' || n, 'agent', 0, 0, 'a', '{}' from generate_series(${from}, ${from + PIECE - 1}) n`);
    for (const [table, columns] of Object.entries(copied))
      await client.query(`
        insert into ${table} (thread, ${columns}) select t.key, ${columns.replaceAll(/(\w+)/g, 'x.$1')}
        from threads t, ${table} x
        where x.thread = (select key from threads where id = '${template}')
          and t.id in (select 'copy-' || n from generate_series(${from}, ${from + PIECE - 1}) n)`);
  }
  await client.query('vacuum analyze');
  await client.end();
}
