import { readerSuite, storeSuite } from '@spec/runtime/testing';

import { serverTest as test, testDatabase } from '../test/database.ts';
import { serverUrl } from '../test/server.ts';
import { postgresRecords } from './index.ts';

const { open, schemaOf } = testDatabase();

const ways = [
  ['PostgreSQL', {}],
  ['PostgreSQL, one by one', { batching: false }],
  ['PostgreSQL, NORMAL', { synchronous: 'NORMAL' }],
] as const;

for (const [name, options] of ways)
  storeSuite({
    name,
    test,
    patience: 10,
    open: () => open(options),
    reopen: (closed) => open({ ...options, schema: schemaOf(closed) }),
  });

readerSuite({
  name: 'PostgreSQL, records',
  test,
  async open() {
    const store = await open();
    return { store, records: await postgresRecords({ url: serverUrl(), schema: schemaOf(store) }) };
  },
});
