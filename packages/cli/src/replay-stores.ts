import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore, type Store } from '@spec/runtime';

/** Where replayed conversations are stored. */
export interface ReplayStores {
  /** The SQLite file; `null`: each conversation is forgotten once it is replayed. */
  readonly db: string | null;
  /** The store for one conversation. */
  open(): Store;
  close(): Promise<void>;
}

/**
 * Opens a SQLite file where one is named or to be kept. Otherwise nothing is written, and no native module is loaded.
 *
 * @param name what a new file is called
 */
export async function openReplayStores(
  { db, keep }: { readonly db: string | undefined; readonly keep: boolean },
  name: string,
): Promise<ReplayStores> {
  if (db === undefined && !keep) return { db: null, open: memoryStore, close: async () => {} };
  const path = db ?? join(await mkdtemp(join(tmpdir(), 'spec-hooks-')), name);
  // Loaded here: it is not installed everywhere.
  const { sqliteStore } = await import('@spec/runtime/sqlite');
  const store = sqliteStore({ path });
  return { db: path, open: () => store, close: () => store.close() };
}
