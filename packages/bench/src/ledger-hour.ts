import { join } from 'node:path';
import type { Records } from '@spec/hooks';
import { sqliteReader, sqliteStore } from '@spec/runtime/sqlite';
import Database from 'better-sqlite3';
import type { Bench } from './bench.ts';
import { fill } from './fill.ts';
import { measure } from './measure.ts';
import { inFolder } from './scratch.ts';

const LONG = 'of 1,000,000 runs';
const SHORT = 'of 10,000 runs';
const lengths = { [LONG]: 1_000_000, [SHORT]: 10_000 } as const;

const RUNS_IN_ROW = 4;
const MICROS_BETWEEN_ROWS = 10_000_000;
const HOUR = 3_600_000_000;
const START = 1_760_000_000_000_000;

/** What it takes to find the newest hour in a ledger, 360 commits of four runs, must not grow with the ledger. */
export const ledgerNewestHour: Bench = {
  name: 'ledger-newest-hour',
  about: 'the sums of the newest hour, 1,440 runs, read from a file',
  unit: 'ns',
  comparisons: [{ of: LONG, against: SHORT, atMost: 2 }],
  run: () =>
    inFolder(async (folder) => {
      const [long, short] = await Promise.all([open(folder, LONG), open(folder, SHORT)]);
      const series = await measure(
        { [LONG]: () => sumHour(long, LONG), [SHORT]: () => sumHour(short, SHORT) },
        { batch: 1, rounds: 7 },
      );
      await Promise.all([long.close(), short.close()]);
      return series;
    }),
};

async function open(folder: string, name: keyof typeof lengths): Promise<Records> {
  const path = join(folder, `${lengths[name]}.db`);
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await fill(store, 'thread', 0);
  insertRuns(path, lengths[name] / RUNS_IN_ROW);
  await store.close();
  return sqliteReader({ path });
}

/** Rows as the store writes them: a million runs would take minutes through it. */
function insertRuns(path: string, rows: number): void {
  const client = new Database(path);
  const insert =
    client.prepare(`with recursive n(i) as (select 1 union all select i + 1 from n where i < :rows)
    insert into hook_runs (key, thread, stored_at, longest, turn_id, step, alone, runs)
    select i, 1, :start + i * :between, 1000, 'turn-' || i, 1, 1,
      '[3,["bcm","stamp","policy",0,"c",1,0.25,20,18,' || (:start + i * :between) || ']'
        || ',["acm","log","policy",0,"ok",0,0.1,20,20,1],["btc","guard","policy",0,"ok",0,0.1,9,9,2],["atb","tell","policy",0,"ok",0,0.1,9,9,3]]'
    from n`);
  insert.run({ rows, start: START, between: MICROS_BETWEEN_ROWS });
  client.close();
}

async function sumHour(records: Records, name: keyof typeof lengths): Promise<void> {
  const end = START + (lengths[name] / RUNS_IN_ROW) * MICROS_BETWEEN_ROWS;
  const sums = await records.stats({ since: end - HOUR });
  if (sums.length !== RUNS_IN_ROW)
    throw new Error(`there are sums of ${sums.length} hooks, not ${RUNS_IN_ROW}`);
}
