// Reader: what people ask of the records, by statements that look at a bounded piece. `postgresRecords` calls it; it never writes.

import type { StoreRecordsOptions } from '@spec/runtime';
import type { Session } from '../connection/session.ts';
import { cursorAt, readNews } from './news.ts';
import { listRunsAt, pageRuns } from './run-pages.ts';
import { pageHits } from './search-pages.ts';
import { openSums } from './sums.ts';
import { pageThreads } from './thread-pages.ts';

/** What a database answers by itself. */
export function recordReader(session: Session): StoreRecordsOptions {
  // Grows with each transaction that writes; those that only read have no number.
  const ask = session.prepare('select pg_snapshot_xmax(pg_current_snapshot())::text::float8');
  const sums = openSums(session);
  return {
    version: async () => Number((await session.ask(ask, []))[0]?.[0]),
    own: {
      threads: (query) => pageThreads(session, query),
      search: (query) => pageHits(session, query),
      runs: (query) => pageRuns(session, query),
      runsAt: (at) => listRunsAt(session, at),
      stats: (filter = {}) => sums.stats(filter),
      series: sums.series,
      cursorAt: (time) => cursorAt(session, time),
      since: (cursor, filter = {}) => readNews(session, cursor, filter),
    },
  };
}
