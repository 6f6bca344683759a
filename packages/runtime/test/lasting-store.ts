import { existsSync, readFileSync } from 'node:fs';
import { memoryStore, type Store } from '../src/index.ts';
import { sqliteStore } from '../src/stores/sqlite/index.ts';

// The store of tests that only need one that outlives its process. A package with another store runs the same tests over it: a file of
// its own stands in the place of this one then.

/** What the stores are called in the names of tests. */
export const kindOfStore: string = 'sqlite';

/** Opens, or makes, the store in a file. */
export function openLasting(path: string, synchronous: 'FULL' | 'NORMAL' = 'NORMAL'): Store {
  return sqliteStore({ path, synchronous });
}

/** A new store for a test that needs many, one after another. */
export function openQuick(): Store {
  return memoryStore();
}

/** Of the points of a turn at which its process dies, one of so many is tried. */
export const deathShares: number = 1;

/** All that a store has on the disk, as text. */
export async function readAtRest(path: string): Promise<string> {
  const files = ['', '-wal', '-shm'].map((end) => `${path}${end}`).filter((file) => existsSync(file));
  return files.map((file) => readFileSync(file, 'latin1')).join('');
}
