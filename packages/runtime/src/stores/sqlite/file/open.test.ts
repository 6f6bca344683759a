import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DefinitionError, RunError } from '@spec/hooks';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { spawnChild } from '../../../../test/sqlite/spawn-child.ts';
import { tempFiles } from '../../../../test/sqlite/temp-files.ts';
import { message, t, thread } from '../../../testing/store-suite-samples.ts';
import { sqliteStore } from '../index.ts';
import { migrations } from '../schema/migrations.ts';
import type { SqliteOptions } from './options.ts';

const newFile = tempFiles();

/** The error of opening; the test fails where there is none. */
function refusal(options: SqliteOptions): Error & { code?: string } {
  try {
    void sqliteStore(options).close();
  } catch (error) {
    return error as Error;
  }
  throw new Error('the file was opened');
}

async function filled(messages = 3): Promise<string> {
  const path = newFile();
  const store = sqliteStore({ path });
  await store.createThread(thread());
  const all = Array.from({ length: messages }, (_, n) =>
    message(`m${n}`, { content: `text ${n} `.repeat(50) }),
  );
  await store.append(t, 0, { messages: all });
  await store.close();
  return path;
}

function withDatabase(path: string, work: (client: Database.Database) => void): void {
  const client = new Database(path);
  work(client);
  client.close();
}

describe('a file is set up', () => {
  test('with its log emptied and gone after close', async () => {
    const path = await filled();
    expect(existsSync(`${path}-wal`)).toBe(false);
    withDatabase(path, (client) => {
      expect(client.pragma('journal_mode', { simple: true })).toBe('wal');
      expect(client.pragma('user_version', { simple: true })).toBe(migrations.length);
    });
  });

  test('with text that other tools can read', async () => {
    const path = await filled(1);
    withDatabase(path, (client) => {
      const row = client.prepare('select role, content, typeof(created_at) as time from messages').get();
      expect(row).toEqual({ role: 'user', content: 'text 0 '.repeat(50), time: 'integer' });
    });
  });
});

describe('a file that cannot be used is refused', () => {
  test('when it is from a newer version, and left as it is', async () => {
    const path = await filled();
    withDatabase(path, (client) => client.pragma('user_version = 99'));
    const before = readFileSync(path);
    const error = refusal({ path });
    expect(error).toBeInstanceOf(RunError);
    expect(error.code).toBe('store_newer');
    expect(error.message).toContain(path);
    expect(error.message).toMatch(/newer version \(schema 99, this one knows \d+\); update @spec\/runtime/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('when it is not a database', () => {
    const path = newFile();
    writeFileSync(path, 'id,name\n'.repeat(1000));
    const error = refusal({ path });
    expect(error.code).toBe('store_unreadable');
    expect(error.message).toMatch(/not a database or it is damaged/);
    expect(readFileSync(path, 'utf8')).toBe('id,name\n'.repeat(1000));
  });

  test('when it is the database of another application, and left as it is', () => {
    const path = newFile();
    withDatabase(path, (client) => client.exec('create table notes (text)'));
    const before = readFileSync(path);
    const error = refusal({ path });
    expect(error.code).toBe('store_unreadable');
    expect(error.message).toMatch(/another application; give a path of its own/);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  test('when it was cut off', async () => {
    const path = await filled(200);
    truncateSync(path, 8192);
    const error = refusal({ path });
    expect(error.code).toBe('store_unreadable');
  });

  test.for([
    ['its first bytes', 0, 100],
    ['its page size', 16, 18],
    ['its schema', 100, 4_000],
  ] as const)('when %s are damaged, and left as it is', async ([, from, to]) => {
    const path = await filled(50);
    const bytes = readFileSync(path);
    bytes.fill(0x5a, from, to);
    writeFileSync(path, bytes);
    const error = refusal({ path });
    expect(error.code).toBe('store_unreadable');
    expect(error.message).toMatch(
      /not a database or it is damaged \(SQLITE_(NOTADB|CORRUPT)\); restore a copy of it/,
    );
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  test('when its folder does not exist, is a file, or when the path is a folder', async () => {
    const path = await filled();
    const missing = refusal({ path: join(dirname(path), 'no', 'store.db') });
    expect(missing.code).toBe('store_unreadable');
    expect(missing.message).toMatch(/does not exist; create it first/);
    expect(refusal({ path: join(path, 'store.db') }).code).toBe('store_unreadable');
    expect(refusal({ path: dirname(path) }).message).toMatch(/it is a folder; give the path of a file/);
  });

  test('when it may not be written', { timeout: 30_000 }, async ({ skip }) => {
    const folder = dirname(newFile());
    const isRoot = process.getuid?.() === 0; // root may write everything, so another user tries
    skip(isRoot && !isOpenToAll(dirname(folder)), 'another user cannot reach the temporary folder');
    const locked = join(folder, 'locked');
    const open = join(folder, 'open');
    for (const one of [locked, open]) mkdirSync(one);
    const [inLocked, inOpen] = [join(locked, 'store.db'), join(open, 'store.db')];
    const path = await filled();
    for (const copy of [inLocked, inOpen]) copyFileSync(path, copy);
    chmodSync(folder, 0o755);
    chmodSync(open, 0o777);
    for (const one of [inLocked, inOpen]) chmodSync(one, 0o444);
    chmodSync(locked, 0o555);
    const nobody = isRoot ? ['65534'] : [];
    const said = await Promise.all(
      [inLocked, inOpen].map((one) => spawnChild(['open', one, ...nobody]).ended),
    );
    chmodSync(locked, 0o755);
    expect(said[0]?.join()).toMatch(/^store_unreadable .*the folder may not be written/);
    expect(said[1]?.join()).toMatch(
      /^store_unreadable .*the file may not be read and written; check the permissions/,
    );
  });

  test('when an option is wrong', () => {
    const bad = (options: object) => refusal(options as SqliteOptions);
    expect(bad({})).toBeInstanceOf(DefinitionError);
    expect(bad({ path: '' }).message).toMatch(/sqliteStore: path must be/);
    expect(bad({ path: 'a.db', synchronous: 'OFF' }).message).toMatch(
      /synchronous must be 'FULL' or 'NORMAL'/,
    );
    expect(bad({ path: 'a.db', busyTimeoutMs: -1 }).message).toMatch(/busyTimeoutMs must be a whole number/);
    expect(bad({ path: 'a.db', secureDelete: 'yes' }).message).toMatch(/secureDelete must be true or false/);
  });
});

/** Whether every user may go through a folder, and through those above it. */
function isOpenToAll(folder: string): boolean {
  const isOpen = (statSync(folder).mode & 0o001) !== 0;
  return isOpen && (dirname(folder) === folder || isOpenToAll(dirname(folder)));
}

describe('a file that goes bad later', () => {
  test('is reported when a damaged part is read, without its data', async () => {
    const path = await filled(300);
    const bytes = readFileSync(path);
    bytes.fill('s3cret', 4096 * 25, 4096 * 45);
    writeFileSync(path, bytes);
    const store = sqliteStore({ path });
    const error = await store.listMessages(t).then(
      () => null,
      (reason: RunError) => reason,
    );
    expect(error?.code).toBe('store_unreadable');
    expect(error?.message).toMatch(/damaged \(SQLITE_CORRUPT[A-Z_]*\); restore a copy/);
    expect(error?.message).not.toContain('s3cret');
    await store.close();
  });

  test('takes no half append where it is damaged', async () => {
    const path = await filled(2_000);
    const leaves = "select pageno from dbstat where name = 'messages_id' and pagetype = 'leaf' order by path";
    let pages: number[] = [];
    withDatabase(path, (client) => {
      pages = client.prepare(leaves).pluck().all() as number[];
    });
    const bytes = readFileSync(path);
    for (const page of pages.filter((_, index) => index % 2))
      bytes.fill(0x5a, 4096 * (page - 1), 4096 * page);
    writeFileSync(path, bytes);
    const store = sqliteStore({ path });
    const outcomes: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      const [id, text] = [`m${n * 49}-late`, `late ${n} `.repeat(200)];
      const append = { messages: [message(id, { content: text })], values: [{ key: id, value: n }] };
      const outcome = store.append(t, 0, append).then(
        () => 'stored',
        (error: RunError) => error.code,
      );
      outcomes.push(await outcome);
    }
    await store.close();
    expect(new Set(outcomes)).toEqual(new Set(['stored', 'store_unreadable'])); // some places are damaged, some are not
    withDatabase(path, (client) => {
      const values = client.prepare('select key from "values"').pluck().all() as string[];
      const keyOf = client
        .prepare('select key from messages indexed by messages_id where thread = 1 and id = ?')
        .pluck();
      const find = client.prepare('select id from messages where key = ?').pluck();
      expect(values).toHaveLength(outcomes.filter((outcome) => outcome === 'stored').length);
      for (const id of values) expect(find.get(keyOf.get(id))).toBe(id);
    });
  });

  test('that another process keeps locked is reported with what to do, and works afterwards', async () => {
    const path = await filled();
    const store = sqliteStore({ path, busyTimeoutMs: 30 });
    const other = new Database(path);
    other.exec('begin immediate');
    const append = () => store.append(t, 0, { messages: [message('later')] });
    await expect(append()).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/locked .*Try again/),
    });
    expect(await store.countMessages(t)).toBe(3);
    other.exec('rollback');
    other.close();
    await append();
    expect(await store.countMessages(t)).toBe(4);
    await store.close();
  });
});
