import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import { sqliteStore } from '../src/stores/sqlite/index.ts';
import { newFile } from './kit.ts';
import { OLDER_TURN, olderTurn } from './older-turn.ts';
import { startRuntime } from './start-runtime.ts';
import { type StoredThread, storedThread } from './stored-thread.ts';

/**
 * Dumps of the files of processes that ran {@link olderTurn} in the release before ids were made of places, each killed with SIGKILL
 * right after a write to the store; `whole.sql` is that of one that lived. `OLDER_TURNS` names another folder of them.
 */
const folder = process.env.OLDER_TURNS ?? fileURLToPath(new URL('./older-turns', import.meta.url));

const names = readdirSync(folder)
  .filter((name) => name.endsWith('.sql') && name !== 'schema.sql')
  .toSorted();

/** Makes a file of a dump. */
function restored(name: string): string {
  const path = newFile();
  const database = new Database(path);
  database.pragma('foreign_keys = OFF');
  for (const part of ['schema.sql', name]) database.exec(readFileSync(`${folder}/${part}`, 'utf8'));
  database.close();
  return path;
}

/** What is in a file once its turn is over; injected messages of calls that ran side by side may be in any order. */
async function finished(name: string): Promise<StoredThread> {
  const store = sqliteStore({ path: restored(name), synchronous: 'NORMAL' });
  const { runtime } = startRuntime(store, olderTurn());
  const thread = await runtime.openThread('t');
  await thread.resume();
  await thread.send('Go', { id: OLDER_TURN });
  const stored = await storedThread(store, 't');
  expect(await store.listThreads({ interrupted: true })).toEqual([]);
  await runtime.close();
  return inOrderOfIds(stored);
}

function inOrderOfIds(thread: StoredThread): StoredThread {
  const messages = thread.messages.toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1));
  return { ...thread, messages, children: (thread.children as StoredThread[]).map(listContents) };
}

/** A child's turn that the older release had not begun has ids of this one. */
function listContents({ record, messages, queue }: StoredThread): unknown {
  const contents = messages.map(({ role, content }) => `${role}: ${content}`);
  return { id: (record as { id: string }).id, contents: contents.toSorted(), queue };
}

describe('a turn that an older release left behind is finished under its own ids: nothing twice, nothing lost', () => {
  test('there are files of all kinds of places', () => {
    expect(names.length).toBeGreaterThan(8);
  });

  let whole: StoredThread;
  beforeAll(async () => {
    whole = await finished('whole.sql');
  });

  test.each(names)('%s', async (name) => {
    const stored = await finished(name);
    expect(stored).toEqual(whole);
    expect(stored.messages.map(({ id }) => id)).toContain(`${OLDER_TURN}.1.result.2.i3`);
  });
});
