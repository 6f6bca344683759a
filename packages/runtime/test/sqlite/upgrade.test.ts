import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { sqliteReader, sqliteStore } from '../../src/stores/sqlite/index.ts';
import { migrations } from '../../src/stores/sqlite/schema/migrations.ts';
import type { LedgerFilter } from '../../src/stores/store.ts';
import {
  call,
  item,
  listMessageIds,
  message,
  run,
  t,
  thread,
} from '../../src/testing/store-suite-samples.ts';
import { tempFiles } from './temp-files.ts';

const newFile = tempFiles();

/** A file as the first version wrote it: two threads, one in the middle of a turn, with a message, a call, a run and more. */
const firstVersion = `
insert into threads values (7, '${t}', 'agent', null, null, 0, 1760000000000001, 'a', null, 'turn-1', 3, 9, '{}');
insert into threads values (8, 'child', 'agent', 'user', '${t}', 1, 1760000000000002, 'b', 'done', null, null, null, '{"a":1}');
insert into messages values (1, 7, 1, 'm1', 'user', 'text of m1', null, null, null, 1760000000123456, null, null, null, null, 0);
insert into tool_calls values (1, 1, 0, 7, 'call-of-m1', 'get_weather', 'pending');
insert into "values" values (1, 7, 'k', '[1]');
insert into queue values (1, 7, 'q1', 'message', '{"role":"user","content":"queued q1"}');
insert into leases values (41, 7, 'a', 0);
insert into leases values (42, 8, 'old', ${Date.now() + 60_000});
insert into hook_runs values (1, 7, 'turn-1', 1, '[["before_create_message","redact","policy","changed",1,0.25,20,18,1760000000000003,null,null]]');
`;

/** Versions of the file that people may have. */
const older = migrations.slice(1).map((_, index) => index + 1);

/** A file of the first version, brought to another one by the migrations of its time. */
function makeFileOfVersion(version: number): string {
  const path = newFile();
  const client = new Database(path);
  client.pragma('journal_mode = WAL');
  client.exec(migrations[0] ?? '');
  client.pragma(`application_id = ${0x73706563}`);
  client.exec(firstVersion);
  for (const sql of migrations.slice(1, version)) client.exec(sql);
  client.pragma(`user_version = ${version}`);
  client.close();
  return path;
}

test.each(older)(
  'a file of version %i is brought to the newest schema with everything in it',
  async (version) => {
    const path = makeFileOfVersion(version);
    const store = sqliteStore({ path });
    const child = thread({
      id: 'child',
      userId: 'user',
      parentId: t,
      depth: 1,
      createdAt: 1_760_000_000_000_002,
      currentSide: 'b',
      terminated: 'done',
      metadata: { a: 1 },
    });
    expect(await store.listThreads()).toEqual([thread({ turn: { id: 'turn-1' } }), child]);
    expect(await store.listThreads({ interrupted: true })).toHaveLength(1);
    expect(await store.listMessages(t)).toEqual([message('m1')]);
    expect(await store.listToolCalls(t)).toEqual([call('m1')]);
    expect(await store.listValues(t)).toEqual([{ key: 'k', value: [1] }]);
    expect(await store.listQueue(t)).toEqual([item('q1')]);
    expect(await store.listRuns()).toEqual([run('redact')]);

    expect(await store.getLease('child')).toMatchObject({ owner: 'old', fence: 42 });
    const another = store.acquireLease({ threadId: 'child', owner: 'b', ttlMs: 1000 });
    await expect(another).rejects.toMatchObject({ code: 'thread_busy' });
    const lease = await store.acquireLease({ threadId: t, owner: 'b', ttlMs: 1000 });
    expect(lease.fence).toBeGreaterThan(41);
    const compaction = { summaryId: 'm2', throughId: 'm1' };
    await store.append(t, lease.fence, { messages: [message('m2')], thread: { turn: null, compaction } });
    expect(await store.getThread(t)).toEqual(thread({ compaction }));
    await store.close();

    const again = sqliteStore({ path });
    expect(await listMessageIds(again)).toEqual(['m1', 'm2']);
    await again.close();
    const client = new Database(path);
    expect(client.pragma('user_version', { simple: true })).toBe(migrations.length);
    expect(client.pragma('integrity_check', { simple: true })).toBe('ok');
    client.close();
  },
);

test('a file whose upgrade fails stays as it was', () => {
  const path = makeFileOfVersion(1);
  const client = new Database(path);
  client.exec('create view in_the_way as select turn_step from threads'); // SQLite drops no column that a view names
  client.close();
  expect(() => sqliteStore({ path })).toThrow(expect.objectContaining({ code: 'store_failed' }));
  const after = new Database(path);
  expect(after.pragma('user_version', { simple: true })).toBe(1);
  expect(after.prepare('select turn_position from threads where key = 7').pluck().get()).toBe(9);
  after.close();
});

/** What the last version before the states of calls moved to their messages had, in all its forms. */
const formsOfCallsAndRuns = `
insert into messages values (2, 7, 2, 'm2', 'assistant', 'text of m2', null, '[]', null, 1760000000123457, null, null, null, null, 0);
insert into messages values (3, 8, 1, 'm1', 'user', 'text of m1', null, null, null, 1760000000123456, null, null, null, null, 0);
insert into tool_calls values (2, 2, 3, 'd"4', 'odd', 'done');
insert into tool_calls values (3, 2, 1, x'${Buffer.from(JSON.stringify('\ud83d')).toString('hex')}', 'b', 'started');
insert into tool_calls values (4, 2, 0, 'a1', 'a', 'pending');
insert into hook_runs values (2, 8, null, 0, '[2,["bcm","old","policy","ok",0,1,2,2,1760000000000100],["bcm","young","policy","ok",0,1,2,2,900],["bcm","oldest","policy","ok",0,1,2,2,-99]]');
insert into hook_runs values (3, 7, 'turn-1', 1, '[2,["bcm","later","policy","ok",0,1,2,2,1760000000000050]]');
insert into hook_runs values (4, 7, 'turn-1', 1, 'damaged');
insert into hook_runs values (9, 7, 'turn-2', 1, '[2,["bcm","newest","policy","ok",0,1,2,2,1760000000005000]]');
`;

test('calls in every state and form, and runs of every version, are where they were', async () => {
  const path = makeFileOfVersion(4);
  const client = new Database(path);
  client.exec(formsOfCallsAndRuns);
  client.close();
  const store = sqliteStore({ path, onUnreadable: () => {} });
  const calls = [
    { position: 0, id: 'a1', name: 'a', status: 'pending' },
    { position: 1, id: '\ud83d', name: 'b', status: 'started' },
    { position: 3, id: 'd"4', name: 'odd', status: 'done' },
  ];
  expect(await store.listToolCalls(t, { messageId: 'm2' })).toEqual(
    calls.map((one) => ({ ...one, messageId: 'm2' })),
  );
  expect(await store.listToolCalls('child')).toEqual([]);
  const idsOf = async (filter: LedgerFilter): Promise<string[]> =>
    (await store.listRuns(filter)).map(({ id }) => id);
  const at = 1_760_000_000_000_000;
  expect(await idsOf({})).toEqual(['redact', 'old', 'young', 'oldest', 'later', 'newest']);
  expect(await idsOf({ threadId: 'child' })).toEqual(['old', 'young', 'oldest']);
  expect(await idsOf({ since: at + 100 })).toEqual(['old', 'young', 'newest']);
  expect(await idsOf({ since: at + 1_001 })).toEqual(['newest']);
  expect(await idsOf({ until: at + 2 })).toEqual(['oldest']);
  expect(await idsOf({ until: at + 60 })).toEqual(['redact', 'oldest', 'later']);

  await store.append('child', Number.MAX_SAFE_INTEGER, {
    messages: [message('m9')],
    runs: [{ ...run('added'), threadId: 'child' }],
  });
  await store.append(t, Number.MAX_SAFE_INTEGER, { runs: [run('without a message')] });
  expect((await idsOf({})).slice(-3)).toEqual(['newest', 'added', 'without a message']);
  expect(await idsOf({ threadId: 'child' })).toEqual(['old', 'young', 'oldest', 'added']);
  await store.deleteThread('child', Number.MAX_SAFE_INTEGER);
  expect(await idsOf({})).toEqual(['redact', 'later', 'newest', 'without a message']);
  await store.close();
});

test('a file that a newer version has opened meanwhile is neither read nor written any more', async () => {
  const path = newFile();
  const [store, reader] = [sqliteStore({ path }), sqliteReader({ path })];
  await store.createThread(thread());
  await store.append(t, 0, { messages: [message('m1')] });
  const newer = new Database(path);
  newer.exec('create table lines as select * from messages; delete from messages');
  newer.pragma(`user_version = ${migrations.length + 1}`);
  newer.close();
  for (const refused of [
    () => store.append(t, 0, { messages: [message('m2')] }),
    () => store.listMessages(t),
    () => store.getThread(t),
    () => reader.threads({ size: 1 }),
  ])
    await expect(refused()).rejects.toMatchObject({ code: 'store_newer' });
  await store.close();
  await reader.close();
  const after = new Database(path, { readonly: true });
  expect(after.prepare('select count(*) from messages').pluck().get()).toBe(0);
  expect(after.prepare('select count(*) from lines').pluck().get()).toBe(1);
  after.close();
});
