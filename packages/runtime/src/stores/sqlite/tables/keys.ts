import { type SQL, sql } from 'drizzle-orm';
import { hookRuns, messages } from '../schema/schema.ts';

/** The key of the next message or row of runs, which share one counter (schema.ts, S3). */
export const nextKey: SQL = sql`(select max(coalesce((select max(key) from ${messages}), 0), coalesce((select max(key) from ${hookRuns}), 0)) + 1)`;
