import { existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { tempFiles } from '../../../../test/sqlite/temp-files.ts';
import { type CheckpointSettings, type Checkpoints, checkpointsOutside } from './checkpoints.ts';

const newFile = tempFiles();

const LOG_BYTES = 256 * 1024;
const PAGE = 4_096;

function opened({ byLink = false, ...more }: Partial<CheckpointSettings> & { byLink?: boolean } = {}) {
  const path = newFile();
  const link = `${path}-link`;
  symlinkSync(path, link);
  const client = new Database(path);
  client.pragma('journal_mode = WAL');
  client.pragma('synchronous = NORMAL');
  client.exec('create table t (key integer primary key, text text)');
  const checkpoints = checkpointsOutside(client, {
    path: byLink ? link : path,
    synchronous: 'NORMAL',
    logBytes: LOG_BYTES,
    ...more,
  });
  const insert = client.prepare('insert into t (text) values (?)');
  return { path, client, checkpoints, write: (text: string) => insertPatiently(insert, text) };
}

/** While the thread does the last part, the file is locked as by another process. */
function insertPatiently(insert: Database.Statement, text: string): void {
  for (;;) {
    try {
      insert.run(text);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error;
    }
  }
}

async function writeMany(
  { write, checkpoints }: { write: (text: string) => void; checkpoints: Checkpoints },
  count: number,
): Promise<void> {
  for (let n = 0; n < count; n++) {
    write('x'.repeat(PAGE));
    checkpoints.committed();
    if (n % 50 === 0) await new Promise(setImmediate);
  }
}

const measureFile = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

describe('the log', () => {
  test.each([
    ['its path', false],
    ['a link', true],
  ])('of a file opened by %s goes into the file in the thread, and stays short', async (_, byLink) => {
    const { path, client, checkpoints, write } = opened({ byLink });
    client.pragma('wal_autocheckpoint = 0'); // nobody else does it
    const looks = [];
    for (let round = 0; round < 30; round++) {
      await writeMany({ write, checkpoints }, 100);
      checkpoints.settle();
      looks.push(measureFile(`${path}-wal`));
    }
    expect(measureFile(path)).toBeGreaterThan(20 * LOG_BYTES);
    expect(Math.max(...looks)).toBeLessThan(8 * LOG_BYTES);
    checkpoints.end();
    client.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
  });

  test('goes into the file by SQLite itself where the thread cannot start', async () => {
    const { path, client, checkpoints, write } = opened({ driver: '/nowhere/better-sqlite3' });
    await writeMany({ write, checkpoints }, 200);
    while (client.pragma('wal_autocheckpoint', { simple: true }) !== LOG_BYTES / PAGE)
      await new Promise((resolve) => setTimeout(resolve, 5)); // until it is known
    await writeMany({ write, checkpoints }, 2_000);
    expect(measureFile(`${path}-wal`)).toBeLessThan(2 * LOG_BYTES + 4 * LOG_BYTES);
    client.close();
  });

  test('goes into the file by SQLite itself where the thread is far behind', async () => {
    const { path, client, write } = opened(); // nobody tells the thread of commits
    for (let n = 0; n < 2_000; n++) write('x'.repeat(PAGE));
    expect(measureFile(`${path}-wal`)).toBeLessThan(6 * LOG_BYTES);
    client.close();
  });
});

test('while somebody reads an old state, the thread locks no writer out; after that the log begins again', async () => {
  const { path, client, checkpoints, write } = opened();
  client.pragma('busy_timeout = 0');
  const other = new Database(path, { timeout: 0 });
  other.pragma('wal_autocheckpoint = 0');
  const insert = other.prepare('insert into t (text) values (?)');
  const reader = new Database(path, { readonly: true });
  write('before');
  reader.exec('begin');
  reader.prepare('select count(*) from t').get();
  for (let n = 0; n < 2_000; n++) {
    insert.run('x'.repeat(PAGE)); // throws where the file is locked
    checkpoints.committed();
    if (n % 50 === 0) await new Promise(setImmediate);
  }
  expect(measureFile(`${path}-wal`)).toBeGreaterThan(20 * LOG_BYTES);
  reader.close();
  checkpoints.settle();
  for (let round = 0; measureFile(`${path}-wal`) > LOG_BYTES && round < 100; round++) {
    await writeMany({ write, checkpoints }, 100);
    checkpoints.settle();
  }
  expect(measureFile(`${path}-wal`)).toBeLessThanOrEqual(LOG_BYTES);
  other.close();
  checkpoints.end();
  client.close();
});

test('while the thread works, another connection can read what was committed', async () => {
  const { path, client, checkpoints, write } = opened();
  const reader = new Database(path, { readonly: true });
  const count = reader.prepare('select count(*) from t').pluck();
  for (let n = 1; n <= 600; n++) {
    write('x'.repeat(PAGE));
    checkpoints.committed();
    expect(count.get()).toBe(n);
  }
  reader.close();
  checkpoints.settle();
  checkpoints.end();
  client.close();
  expect(readFileSync(path).length).toBeGreaterThan(600 * PAGE);
});
