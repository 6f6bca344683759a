// Records: reads a database for people, in pages. Applications and the command call it; the server lets it write nothing.

import type { Records } from '@spec/hooks';
import { storeRecords } from '@spec/runtime';
import { createStore } from '@spec/runtime/store-kit';
import { openSession } from './connection/session.ts';
import { postgresDriver } from './driver.ts';
import { checkSchema } from './open-schema.ts';
import { checkStoreOptions, type PostgresOptions } from './options.ts';
import { recordReader } from './reader/reader.ts';

/** Where the records are. */
export type PostgresRecordsOptions = Pick<PostgresOptions, 'url' | 'pool' | 'schema' | 'onUnreadable'>;

/**
 * Reads a store in PostgreSQL for people, a replica too. With `url`, the server lets its connections write nothing.
 * @throws DefinitionError `bad_option`
 * @throws RunError `store_unreadable`, `store_older`, `store_newer` or `store_failed` if the database cannot be read.
 */
export async function postgresRecords(options: PostgresRecordsOptions): Promise<Records> {
  const session = openSession(checkStoreOptions({ ...options, migrate: false }), 'read');
  try {
    await checkSchema(session);
  } catch (error) {
    await session.close();
    throw error;
  }
  const store = createStore(postgresDriver(session));
  const records = storeRecords(store, recordReader(session));
  return {
    ...records,
    async close() {
      await records.close();
      await store.close();
    },
  };
}
