import { storeSuite } from '@spec/runtime/testing';

import { serverTest as test, testDatabase } from '../test/database.ts';

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
