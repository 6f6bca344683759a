// Connection: asks the server, again where it was lost, and closes. The methods of the store call it; it knows no table.

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { isLost, isUndone, storeFailure, unreachable } from '../failures.ts';
import type { PostgresPool, PostgresSettings } from '../options.ts';
import { inSchema } from '../schema/migrations.ts';

/** A statement with a name of its own, under which the server keeps it prepared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** What a statement gives: lists, in the order of its columns. */
export type Rows = readonly (readonly unknown[])[];

/** A database in use. */
export interface Session {
  readonly settings: PostgresSettings;
  /** Makes a statement; `$schema` in it stands for the schema of the store. */
  prepare(text: string): Statement;
  /**
   * Asks, and asks again where the connection was lost or the server undid the statement because of another one: every statement here may be
   * sent twice.
   * @param tell told each time when nobody knows whether the statement arrived
   * @throws RunError `store_failed`, `store_unreadable`
   */
  ask(statement: Statement, values: unknown[], tell?: () => void): Promise<Rows>;
  close(): Promise<void>;
}

/** Tries so often where the server undid a statement. */
const undoneAtMost = 5;

/** Opens no connection yet. */
export function openSession(settings: PostgresSettings): Session {
  const { schema, patienceMs } = settings;
  const { pool, close } = settings.pool ? { pool: settings.pool, close: async () => {} } : openPool(settings);

  async function askPatiently({ name, text }: Statement, values: unknown[], tell: () => void): Promise<Rows> {
    const deadline = performance.now() + patienceMs;
    let undone = 0;
    for (let pause = 10; ; pause = Math.min(2 * pause, 500)) {
      try {
        return (await pool.query({ name, text, values, rowMode: 'array' })).rows;
      } catch (error) {
        if (isUndone(error) && ++undone < undoneAtMost) continue;
        if (!isLost(error)) throw storeFailure(error, schema);
        tell();
        if (performance.now() + pause > deadline) throw unreachable(schema, error);
        await wait(pause);
      }
    }
  }

  return {
    settings,
    prepare(text) {
      const whole = inSchema(text, schema);
      return { name: `sh_${createHash('sha1').update(whole).digest('base64url')}`, text: whole };
    },
    ask: (statement, values, tell = () => {}) => askPatiently(statement, values, tell),
    close,
  };
}

/** For the connections of a pool of our own. A server in between that refuses options gets them from the user's role. */
const startupOptions = [
  'lock_timeout=5000',
  'statement_timeout=30000',
  'idle_in_transaction_session_timeout=10000',
  'jit=off',
  'plan_cache_mode=force_generic_plan',
  'client_min_messages=warning',
];

function openPool({ url, connections }: PostgresSettings): {
  pool: PostgresPool;
  close: () => Promise<void>;
} {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'spec-hooks',
    max: connections,
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    options: startupOptions.map((option) => `-c ${option}`).join(' '),
  });
  // An idle connection that breaks would end the process; the next call opens another one.
  pool.on('error', () => {});
  return { pool, close: () => pool.end() };
}
