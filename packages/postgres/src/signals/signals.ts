// Signals: carries events between processes by LISTEN and NOTIFY. The runtime calls it; it stores nothing.

import type { Signal, Signals } from '@spec/runtime';
import pg from 'pg';
import { checkSignalOptions, type PostgresSignalOptions } from '../options.ts';
import { Ear } from './ear.ts';
import { nameChannel, packPayloads, readPayload } from './payloads.ts';

// S1 Signals are hints: nothing waits for them, and a lost one loses no message. A server that is away loses those of that time.
// S2 Those of some milliseconds go together: each NOTIFY takes a lock of the whole database for a moment.

/** How long signals wait for others, in milliseconds. */
const flushMs = 20;

type Sent = Signal & { readonly from: string };

/**
 * Carries events to listeners in other processes over the database of a `postgresStore`, on two connections of its own. It opens them when they are
 * first needed.
 * @throws DefinitionError `bad_option`
 */
export function postgresSignals(options: PostgresSignalOptions): Signals {
  const { url, schema } = checkSignalOptions(options);
  const ear = new Ear(url);
  const pool = new pg.Pool({
    connectionString: url,
    application_name: 'spec-hooks',
    max: 1,
    connectionTimeoutMillis: 2_000,
  });
  pool.on('error', () => {});
  const waiting = new Map<string, Sent[]>();
  let timer: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    timer = undefined;
    const batches = [...waiting];
    waiting.clear();
    for (const [threadId, signals] of batches)
      for (const payload of packPayloads(signals))
        await pool
          .query({
            name: 'sh_notify',
            text: 'select pg_notify($1, $2)',
            values: [nameChannel(schema, threadId), payload],
          })
          .catch(() => {});
  }

  return {
    publish(threadId, signal) {
      const others = waiting.get(threadId);
      if (others === undefined) waiting.set(threadId, [signal]);
      else others.push(signal);
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    subscribe: (threadId, hear, onGap) =>
      ear.listen(nameChannel(schema, threadId), {
        hear: (payload) => {
          for (const signal of readPayload(payload)) hear(signal);
        },
        onGap,
      }),
    async close() {
      clearTimeout(timer);
      await flush();
      await Promise.all([pool.end(), ear.close()]);
    },
  };
}
