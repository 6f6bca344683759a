import { test } from 'vitest';
import { memoryStore } from '../../index.ts';
import { readerSuite } from '../../testing/index.ts';
import { storeRecords } from './store-records.ts';

readerSuite({
  test,
  name: 'records of any store',
  open() {
    const store = memoryStore();
    return { store, records: storeRecords(store) };
  },
});
