import { desc, fillPlaceholders, sql } from 'drizzle-orm';
import type { RunForSums } from '../../rows/packed-runs.ts';
import type { Connection } from '../file/connection.ts';
import { type SumRow, selectRows, sumColumns } from '../tables/ledger-rows.ts';
import { forSums } from './run-counter.ts';

/** Rows that are read at once: most have some runs, and a list of threads asks for each thread. */
const rowsAtOnce = 25;

/** Gives the runs of the thread with a key one by one, the newest first, as far as sums need them. */
export type ReadRecent = (thread: number) => Iterable<Pick<RunForSums, 'outcome'>>;

/** Prepares the reading of the newest runs: it is asked for by many threads at once. */
export function recentRuns(connection: Connection): ReadRecent {
  const readRows = rowReader(connection);
  const readRuns = forSums(connection);
  return function* (thread) {
    for (let below = Number.MAX_SAFE_INTEGER; ; ) {
      const rows = readRows({ thread, from: 0, below, limit: rowsAtOnce });
      for (const row of rows) yield* readRuns(row).toReversed();
      if (rows.length < rowsAtOnce) return;
      below = rows.at(-1)?.[0] ?? 0;
    }
  };
}

type Bound = Readonly<Record<'thread' | 'from' | 'below' | 'limit', number>>;

function rowReader({ client, orm }: Connection): (bound: Bound) => SumRow[] {
  const slot = sql.placeholder;
  const keys = { thread: slot('thread'), from: slot('from'), below: slot('below'), columns: sumColumns };
  const query = selectRows(orm, keys, desc).limit(slot('limit')).toSQL();
  const statement = client.prepare<unknown[], SumRow>(query.sql).raw();
  return (bound) => statement.all(...fillPlaceholders(query.params, bound));
}
