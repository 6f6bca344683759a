import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { sqliteStore } from '../../src/stores/sqlite/index.ts';
import { migrations } from '../../src/stores/sqlite/schema/migrations.ts';
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

function fileOfFirstVersion(): string {
  const path = newFile();
  const client = new Database(path);
  client.pragma('journal_mode = WAL');
  client.exec(migrations[0] ?? '');
  client.pragma(`application_id = ${0x73706563}`);
  client.pragma('user_version = 1');
  client.exec(firstVersion);
  client.close();
  return path;
}

test('a file of the first version is brought to the newest schema with everything in it', async () => {
  const path = fileOfFirstVersion();
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
});

test('a file whose upgrade fails stays as it was', () => {
  const path = fileOfFirstVersion();
  const client = new Database(path);
  client.exec('create view in_the_way as select turn_step from threads'); // SQLite drops no column that a view names
  client.close();
  expect(() => sqliteStore({ path })).toThrow(expect.objectContaining({ code: 'store_failed' }));
  const after = new Database(path);
  expect(after.pragma('user_version', { simple: true })).toBe(1);
  expect(after.prepare('select turn_position from threads where key = 7').pluck().get()).toBe(9);
  after.close();
});
