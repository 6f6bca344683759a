// Index: a store in PostgreSQL for a runtime, and a reader of it. The application passes the store to the runtime, which knows only its port.

import type { Store } from '@spec/runtime';
import { createStore } from '@spec/runtime/store-kit';
import { openSession } from './connection/session.ts';
import { postgresDriver } from './driver.ts';
import { checkSchema, openSchema } from './open-schema.ts';
import { checkStoreOptions, type PostgresOptions } from './options.ts';

export type { PostgresOptions, PostgresPool, PostgresSignalOptions } from './options.ts';
export { type PostgresRecordsOptions, postgresRecords } from './records.ts';
export { postgresSignals } from './signals/signals.ts';

/**
 * Opens a store in a PostgreSQL database. Makes its tables, or brings them to the newest schema.
 * @throws DefinitionError `bad_option`
 * @throws RunError `store_unreadable`, `store_older`, `store_newer` or `store_failed` if the database cannot be used.
 */
export async function postgresStore(options: PostgresOptions): Promise<Store> {
  const settings = checkStoreOptions(options);
  const session = openSession(settings, settings.readOnly ? 'read' : 'write');
  try {
    await (settings.readOnly ? checkSchema(session) : openSchema(session, settings.migrate));
  } catch (error) {
    await session.close();
    throw error;
  }
  return createStore(postgresDriver(session));
}
