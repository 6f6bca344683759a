// Connection: sends statements, again if the connection was lost, and closes. The methods of the store call it; it knows no table.

import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { isLost, isUndone, storeFailure, unreachable } from '../failures.ts';
import type { PostgresPool, PostgresSettings } from '../options.ts';
import { inSchema } from '../schema/migrations.ts';

/** A named statement, which the server keeps prepared. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** The rows of a statement: lists in the order of its columns. */
export type Rows = readonly (readonly unknown[])[];

/** A database in use. */
export interface Session {
  readonly settings: PostgresSettings;
  /** Makes a statement; `$schema` in it stands for the schema of the store. */
  prepare(text: string): Statement;
  /**
   * Sends a statement, and again if the connection was lost or the server undid it because of another one. So every statement here
   * may run twice.
   * @param tell called each time that nobody knows whether the statement arrived
   * @throws RunError `store_failed`, `store_unreadable`
   */
  ask(statement: Statement, values: unknown[], tell?: () => void): Promise<Rows>;
  close(): Promise<void>;
}

/** How often a statement that the server undid is tried again. */
const undoneAtMost = 5;

/** Prepares a session; opens no connection yet. */
export function openSession(settings: PostgresSettings, access: 'write' | 'read' = 'write'): Session {
  const { schema, patienceMs } = settings;
  const { pool, close } = settings.pool
    ? { pool: settings.pool, close: async () => {} }
    : openPool(settings, access);

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

/** The options of our own pool's connections. Behind a proxy that refuses options, set them on the user's role. */
const startupOptions = [
  'lock_timeout=5000',
  'statement_timeout=30000',
  'idle_in_transaction_session_timeout=10000',
  'jit=off',
  'client_min_messages=warning',
];

/** The statements of turns are the same each time. What people ask for is not: how much of a table it is decides how it is read. */
const optionsOf = {
  write: ['plan_cache_mode=force_generic_plan'],
  read: ['plan_cache_mode=force_custom_plan', 'default_transaction_read_only=on'],
} as const;

function openPool(
  { url, connections }: PostgresSettings,
  access: 'write' | 'read',
): {
  pool: PostgresPool;
  close: () => Promise<void>;
} {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'spec-hooks',
    max: connections,
    connectionTimeoutMillis: 2_000,
    keepAlive: true,
    options: [...startupOptions, ...optionsOf[access]].map((option) => `-c ${option}`).join(' '),
  });
  // An error of an idle connection would end the process; the next call opens a new one.
  pool.on('error', () => {});
  const inTurn = limitCalls(connections);
  return { pool: { query: (query) => inTurn(() => pool.query(query)) }, close: () => pool.end() };
}

/** Lets so many calls in at once. A pool counts the time in its own queue as time to connect, and ends calls that waited for others. */
function limitCalls(atOnce: number): <T>(call: () => Promise<T>) => Promise<T> {
  const waiting = new Set<() => void>();
  let free = atOnce;
  return async (call) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.add(resolve));
    try {
      return await call();
    } finally {
      const [next] = waiting;
      if (next === undefined) free += 1;
      else {
        waiting.delete(next);
        next();
      }
    }
  };
}
