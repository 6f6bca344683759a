import { test } from 'vitest';
import { tempFiles } from '../../../test/sqlite/temp-files.ts';
import { storeSuite } from '../../testing/store-suite.ts';
import type { Store } from '../store.ts';
import { sqliteStore } from './index.ts';

const newFile = tempFiles();
const paths = new WeakMap<Store, string>();

function openAt(path: string): Store {
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  paths.set(store, path);
  return store;
}

storeSuite({
  name: 'sqlite',
  test,
  open: () => openAt(newFile()),
  reopen: (old) => openAt(paths.get(old) ?? ''),
});
storeSuite({ name: 'sqlite in memory', test, open: () => sqliteStore({ path: ':memory:' }) });
