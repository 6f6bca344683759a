import { existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineHook } from '@spec/hooks';
import { createRuntime, type ThreadRecord } from '@spec/runtime';
import { type SqliteStore, sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { projectFolder } from './project-folder.ts';
import { runCli, startCli, waitForResult } from './run-cli.ts';

/** The driver, whose types are no dependency of this package. */
const Database = createRequire(import.meta.url)('better-sqlite3') as new (
  path: string,
) => { exec(sql: string): void; close(): void };

const folder = mkdtempSync(join(tmpdir(), 'spec-hooks-store-'));
const db = join(folder, 'threads.db');

const shout = defineHook({
  hook: 'before_create_message',
  id: 'shout',
  execute: async (_state, message) => ({ ...message, content: String(message.content).toUpperCase() }),
});
const polite = defineHook({
  hook: 'before_user_message',
  id: 'polite',
  execute: async (_state, { content }) =>
    content?.includes('damn') ? { decision: 'deny', reason: 'Be kind.' } : null,
});

/** Really runs a turn with hooks over the store. */
async function send(thread: string, text: string): Promise<void> {
  const runtime = createRuntime({
    agents: [{ name: 'support', prompt: 'support' }],
    prompts: [{ name: 'support' }],
    models: { scripted: scriptedModel([{ text: 'Gladly.' }]) },
    policies: [shout, polite],
    store: sqliteStore({ path: db }),
  });
  const known = await runtime.listThreads();
  const open = known.some(({ id }) => id === thread)
    ? runtime.openThread(thread)
    : runtime.createThread({ agent: 'support', id: thread, userId: 'ann' });
  await (await open).send(text);
  await runtime.close();
}

/** A thread of so many messages. */
async function openLong(store: SqliteStore, count: number): Promise<ThreadRecord> {
  const thread = { ...((await store.getThread('t1')) as ThreadRecord), id: 'long' };
  await store.createThread(thread);
  const messages = Array.from({ length: count }, (_, n) => ({
    id: `m${n}`,
    role: 'user' as const,
    content: 'please help',
    created_at: n,
  }));
  await store.append(thread.id, 0, { messages });
  return thread;
}

const cli = (...args: string[]): ReturnType<typeof runCli> => runCli(args, { cwd: folder });
interface Printed {
  readonly [field: string]: unknown;
  readonly runs: readonly { readonly run: string }[];
  readonly threads: readonly unknown[];
  readonly hooks: readonly unknown[];
}

const json = async (...args: string[]): Promise<Printed> =>
  JSON.parse((await cli(...args, '--db', db, '--json')).stdout);

beforeAll(async () => {
  await send('t1', 'please help');
  await send('t2', 'damn it');
});

describe('the ledger', { timeout: 60_000 }, () => {
  test('log lists runs with filters, and log show finds one again', async () => {
    const { runs } = await json('log', '--outcome', 'denied', '--since', '1h');
    expect(runs).toEqual([
      {
        run: expect.stringMatching(/^[0-9a-z]{10,11}-[0-9a-f]{4}$/),
        at: expect.stringMatching(/^\d{4}-.*\d{6}Z$/),
        threadId: 't2',
        turnId: expect.any(String),
        step: 0,
        hook: 'before_user_message',
        id: 'polite',
        source: 'policy',
        outcome: 'denied',
        changed: false,
        ms: expect.any(Number),
        sizeBefore: expect.any(Number),
        sizeAfter: expect.any(Number),
      },
    ]);
    expect(await json('log', 'show', String(runs[0]?.run))).toEqual(runs[0]);
    expect((await json('log', '--thread', 't1', '--id', 'shout', '--limit', '1')).runs).toHaveLength(1);
    const { stdout } = await cli('log', '--db', db, '--limit', '2');
    expect(stdout).toMatch(/polite\s+denied/);
    expect(stdout).toContain('These are the newest 2');
    expect(stdout).not.toContain('damn');
  });

  test('a thread that is not there is told as such, and one whose runs do not match is not', async () => {
    for (const command of ['log', 'stats']) {
      expect(await cli(command, '--thread', 't', '--db', db)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('threads.db has no thread t: give its whole id'),
      });
      expect(await cli(command, '--thread', 't1', '--outcome', 'denied', '--db', db)).toMatchObject({
        code: 0,
        stdout: 'No run matches.\n',
      });
    }
  });

  test('log follow shows what comes, until it is interrupted', async () => {
    const args = ['log', 'follow', '--db', db, '--json', '--hook', 'before_user_message', '--since', '1h'];
    const child = startCli(args, { cwd: folder });
    let seen = '';
    child.stdout?.on('data', (chunk) => (seen += chunk));
    const ended = new Promise((resolve) => child.once('close', resolve));
    const threads = (): unknown[] =>
      seen
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).threadId);
    await expect.poll(threads, { timeout: 30_000 }).toEqual(['t1', 't2']);
    await send('t3', 'hello');
    await expect.poll(threads, { timeout: 30_000 }).toEqual(['t1', 't2', 't3']);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test('log follow ends where nobody reads it any more', async () => {
    const child = startCli(['log', 'follow', '--db', db, '--since', '1h'], { cwd: folder });
    const ended = waitForResult(child);
    child.stdout?.destroy();
    expect((await ended).code).toBe(0);
  });

  test('stats counts what each hook did', async () => {
    const { hooks } = await json('stats', '--thread', 't1');
    expect(hooks).toMatchObject([
      { hook: 'before_user_message', id: 'polite', runs: 1, outcomes: { ok: 1 }, p50: expect.any(Number) },
      {
        hook: 'before_create_message',
        id: 'shout',
        runs: 2,
        changed: 2,
        outcomes: { changed: 2 },
        p99: expect.any(Number),
      },
    ]);
  });

  test('stats shows it as a table', async () => {
    const { stdout } = await cli('stats', '--db', db, '--thread', 't1');
    const [head = '', ...rows] = stdout.trimEnd().split('\n');
    expect(head.trim().split(/ +/)).toEqual('hook id runs changed outcomes p50 p99 source'.split(' '));
    expect(
      rows.map((row) =>
        row
          .trim()
          .replace(/[\d.]+ ?[mµ]?s/g, 'TIME')
          .replaceAll(/ +/g, ' '),
      ),
    ).toEqual([
      expect.stringMatching(/^before_user_message polite 1 0 1 ok TIME TIME /),
      expect.stringMatching(/^before_create_message shout 2 2 2 changed TIME TIME /),
    ]);
  });

  test('wrong filters, and a store that is not there, are told in one sentence', async () => {
    const outcome = await cli('log', '--db', db, '--outcome', 'denyed');
    expect([outcome.code, outcome.stderr.split('\n')[0]]).toEqual([
      2,
      'spec-hooks: There is no outcome "denyed". Did you mean "denied"?',
    ]);
    const hook = await cli('log', '--db', db, '--hook', 'before_tool_cal');
    expect([hook.code, hook.stderr.split('\n')[0]]).toEqual([
      2,
      'spec-hooks: There is no hook "before_tool_cal". Did you mean "before_tool_call"?',
    ]);
    const time = await cli('stats', '--db', db, '--since', 'yesterday');
    expect([time.code, time.stderr]).toEqual([2, expect.stringContaining('--since must be a date such as')]);
    const number = await cli('stats', '--db', db, '--since', '5');
    expect([number.code, number.stderr]).toEqual([
      2,
      expect.stringContaining('--since must be a date such as'),
    ]);
    const gone = await cli('log', '--db', 'gone.db');
    expect([gone.code, gone.stderr]).toEqual([
      1,
      'spec-hooks: There is no store gone.db: name another file with --db.\n',
    ]);
    expect(existsSync(join(folder, 'gone.db'))).toBe(false);
    const project = projectFolder({ 'hooks.config.mjs': "export default { store: 'later.db' };" });
    expect((await project.cli(['threads'])).stderr).toBe(
      'spec-hooks: There is no store later.db yet, which hooks.config.mjs names: the first program that opens it makes it. Name another file with --db.\n',
    );
    const without = projectFolder({ 'hooks.config.mjs': 'export default {};' });
    expect((await without.cli(['threads'])).stderr).toContain(
      'hooks.config.mjs names no store: name the SQLite file of your threads, or the address of your database, with --db, or as its "store".',
    );
    const unknown = await cli('log', 'show', 'nope', '--db', db);
    expect([unknown.code, unknown.stderr]).toEqual([
      1,
      'spec-hooks: There is no run "nope". The first column of spec-hooks log has their names.\n',
    ]);
    const unnamed = await cli('threads');
    expect(unnamed.stderr).toContain(
      'There is no hooks.config.ts here: name the SQLite file of your threads, or the address of your database, with --db.',
    );
  });
});

describe('a file of an older version', { timeout: 60_000 }, () => {
  test('is brought to the newest schema, and its ledger is read', async () => {
    const older = join(folder, 'older.db');
    const client = new Database(older);
    const dumps = ['schema.sql', 'whole.sql'].map((name) => `../../runtime/test/older-turns/${name}`);
    client.exec('pragma foreign_keys = off');
    for (const dump of dumps) client.exec(readFileSync(new URL(dump, import.meta.url), 'utf8'));
    client.exec(`insert into hook_runs (thread, turn_id, step, runs)
      select key, 'turn-1', 1, '[2,["btc","guard","policy","denied",0,1,9,9,1760000000000000]]' from threads where id = 't'`);
    client.close();
    const log = await cli('log', '--db', older, '--json');
    expect([log.code, log.stderr]).toEqual([0, '']);
    expect(JSON.parse(log.stdout).runs).toMatchObject([
      { at: '2025-10-09T08:53:20.000000Z', turnId: 'turn-1', hook: 'before_tool_call', outcome: 'denied' },
    ]);
    const stats = await cli('stats', '--db', older, '--json');
    expect(JSON.parse(stats.stdout).hooks).toMatchObject([{ id: 'guard', runs: 1, p50: 1 }]);
  });
});

describe('an empty file', { timeout: 60_000 }, () => {
  test('is no store to commands that only read, and stays empty', async () => {
    const empty = join(folder, 'empty.db');
    writeFileSync(empty, '');
    for (const command of ['stats', 'log', 'threads', 'vacuum']) {
      expect(await cli(command, '--db', empty)).toEqual({
        code: 1,
        stdout: '',
        stderr: `spec-hooks: ${empty} is empty, and no store: name another file with --db.\n`,
      });
    }
    expect(readFileSync(empty, 'utf8')).toBe('');
    expect(existsSync(`${empty}-wal`)).toBe(false);
  });
});

describe('the threads of a store', { timeout: 60_000 }, () => {
  test('are listed, exported, imported, backed up, and the file is written anew', async () => {
    const { threads } = await json('threads');
    expect(threads[0]).toEqual({
      id: 't1',
      agentId: 'support',
      userId: 'ann',
      parentId: null,
      depth: 0,
      createdAt: expect.stringMatching(/^\d{4}-/),
      messages: 2,
      isInterrupted: false,
      terminated: null,
    });
    const file = join(folder, 't1.jsonl');
    const lines = await cli('export', 't1', '--db', db);
    const exported = await json('export', 't1', '--output', file);
    expect(exported).toEqual({
      thread: 't1',
      file,
      lines: expect.any(Number),
      bytes: Buffer.byteLength(lines.stdout),
    });
    expect(readFileSync(file, 'utf8')).toBe(lines.stdout);
    const again = await cli('export', 't1', '--output', file, '--db', db);
    expect([again.code, again.stderr]).toEqual([
      1,
      `spec-hooks: ${file} is there already: name a new file.\n`,
    ]);
    const other = join(folder, 'other.db');
    const imported = await runCli(['import', '-', '--db', other, '--json'], {
      cwd: folder,
      input: lines.stdout,
    });
    expect(JSON.parse(imported.stdout)).toEqual({ thread: 't1', db: other });
    expect((await cli('export', 't1', '--db', other)).stdout).toBe(lines.stdout);
    const copy = join(folder, 'copy.db');
    expect(await json('backup', copy)).toEqual({ db, file: copy, bytes: expect.any(Number) });
    expect(await json('vacuum')).toEqual({
      db,
      bytesBefore: expect.any(Number),
      bytesAfter: expect.any(Number),
    });
  });

  test('an import that fails leaves nothing behind, and changes no store that was there', async () => {
    const { stdout: whole } = await cli('export', 't1', '--db', db);
    const half = join(folder, 'half.jsonl');
    writeFileSync(half, whole.split('\n').slice(0, 3).join('\n'));
    const made = await cli('import', half, '--db', 'made.db');
    expect(made).toEqual({
      code: 1,
      stdout: '',
      stderr: `spec-hooks: import of ${half}, line 4: the export is cut short here; nothing was imported\n`,
    });
    expect(readdirSync(folder).filter((name) => name.startsWith('made.db'))).toEqual([]);
    const there = join(folder, 'there.db');
    await runCli(['import', '-', '--db', there], { input: whole.replaceAll('"t1"', '"kept"') });
    expect((await cli('import', half, '--db', there)).code).toBe(1);
    expect((await cli('export', 'kept', '--db', there)).stdout).toBe(whole.replaceAll('"t1"', '"kept"'));
    expect(JSON.parse((await cli('threads', '--db', there, '--json')).stdout).threads).toHaveLength(1);

    symlinkSync('target.db', join(folder, 'link.db'));
    for (const place of ['link.db', ':memory:'])
      expect((await cli('import', half, '--db', place)).stderr).toContain('line 4: the export is cut short');
    expect(readdirSync(folder).filter((name) => /^(?:link|target)\.db/.test(name))).toEqual(['link.db']);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'an import that %s ends leaves nothing behind',
    async (signal) => {
      const { stdout: whole } = await cli('export', 't1', '--db', db);
      const child = startCli(['import', '-', '--db', `${signal}.db`], { cwd: folder });
      const ended = waitForResult(child);
      child.stdin.write(whole.split('\n').slice(0, 3).join('\n'));
      await expect.poll(() => existsSync(join(folder, `${signal}.db`)), { timeout: 20_000 }).toBe(true);
      child.kill(signal);
      expect(await ended).toEqual({
        code: 130,
        stdout: '',
        stderr: 'Undoing the import; Ctrl-C again to stop at once.\n',
      });
      expect(readdirSync(folder).filter((name) => name.startsWith(signal))).toEqual([]);
    },
  );

  test('an export that is interrupted leaves no file behind', async () => {
    const store = sqliteStore({ path: db });
    const { id } = await openLong(store, 100_000);
    await store.close();
    const child = startCli(['export', id, '--output', 'long.jsonl', '--db', db], { cwd: folder });
    const ended = waitForResult(child);
    await expect.poll(() => existsSync(join(folder, 'long.jsonl')), { timeout: 20_000 }).toBe(true);
    child.kill('SIGINT');
    const stderr = 'Undoing the export; Ctrl-C again to stop at once.\n';
    expect(await ended).toEqual({ code: 130, stdout: '', stderr });
    expect(existsSync(join(folder, 'long.jsonl'))).toBe(false);
  });

  test('have help with examples', async () => {
    for (const name of ['log', 'stats', 'threads', 'export', 'import', 'backup', 'vacuum'])
      expect((await cli(name, '--help')).stdout).toMatchSnapshot();
  });
});
