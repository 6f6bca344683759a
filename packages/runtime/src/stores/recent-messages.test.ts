import { expect, test } from 'vitest';
import { memoryStore } from './memory/index.ts';
import { RecentMessages, RecentThreads } from './recent-messages.ts';
import type { MessageQuery, StoredMessage } from './store.ts';

const message = (n: number, fields: Record<string, unknown> = {}): StoredMessage =>
  ({ id: `m${n}`, role: 'user', content: `text ${n}`, created_at: n, ...fields }) as StoredMessage;

const numbered = (count: number, from = 0): StoredMessage[] =>
  Array.from({ length: count }, (_, i) => message(from + i));

/** A thread of so many messages in a store that counts how often it is read. */
async function makeThread(count: number, threads = new RecentThreads()) {
  const store = memoryStore();
  await store.createThread({
    id: 't',
    agentId: 'agent',
    userId: null,
    parentId: null,
    depth: 0,
    createdAt: 0,
    currentSide: 'a',
    terminated: null,
    turn: null,
    compaction: null,
    metadata: {},
  });
  await store.append('t', 0, { messages: numbered(count) });
  const reads: MessageQuery[] = [];
  const counted = {
    getMessage: store.getMessage,
    listMessages: (threadId: string, query: MessageQuery = {}) => {
      reads.push(query);
      return store.listMessages(threadId, query);
    },
  };
  const recent = new RecentMessages(counted, threads);
  const add = async (messages: StoredMessage[]) => {
    await store.append('t', 0, { messages });
    recent.add(messages);
  };
  /** Gives what it gave, having compared it with the store. */
  const list = async (query: MessageQuery) => {
    const found = await recent.listMessages('t', query);
    expect(found).toEqual(await store.listMessages('t', query));
    return found;
  };
  return { store, recent, reads, add, list };
}

test.each([0, 5, 20, 500])('a thread of %i messages is read once, however much is added', async (count) => {
  const { reads, add, list } = await makeThread(count);
  await list({ last: 20 });
  await list({ first: 4 });
  const before = reads.length;
  for (let n = 0; n < 300; n++) {
    await add([message(1_000 + n)]);
    await list({ last: 20 });
  }
  expect(reads).toHaveLength(before);
  await list({ last: 16, before: 'm1299' });
  if (count >= 4) await list({ first: 4 });
  expect(reads).toHaveLength(before);
});

test('what is not kept is read: before the oldest, after one, all', async () => {
  const { list } = await makeThread(500);
  await list({ last: 20 });
  for (const query of [
    { last: 400 },
    { last: 16, before: 'm100' },
    { after: 'm490' },
    { after: 'm490', last: 3 },
    {},
  ])
    await list(query);
  expect(await list({ last: 3, before: 'nobody' })).toEqual([]);
});

test('a window that is larger than what is kept by itself is kept as well', async () => {
  const { reads, add, list } = await makeThread(1_000);
  await list({ last: 300 });
  await add(numbered(50, 5_000));
  await list({ last: 300 });
  expect(reads).toHaveLength(1);
});

test('messages are copies without undefined fields, whatever their sender does with them', async () => {
  const { list, add } = await makeThread(3);
  await list({ last: 20 });
  const sent = message(9, { content: null, name: undefined, metadata: { a: [1] } });
  await add([sent]);
  (sent.metadata as { a: number[] }).a.push(2);
  sent.content = 'changed';
  const [last] = await list({ last: 1 });
  expect(last).toEqual({ id: 'm9', role: 'user', content: null, created_at: 9, metadata: { a: [1] } });
});

test('once forgotten, everything comes from the store again', async () => {
  const { store, recent, reads, list } = await makeThread(30);
  await list({ last: 20 });
  await list({ first: 4 });
  await store.updateMessage('t', 0, { id: 'm0', fields: { content: 'new' } });
  await store.deleteMessage('t', 0, 'm29');
  recent.forget();
  expect(await list({ last: 20 })).toHaveLength(20);
  expect((await list({ first: 4 }))[0]?.content).toBe('new');
  expect(reads).toHaveLength(4);
});

test('a reading that was overtaken by a change is not kept, and a message is never kept twice', async () => {
  const { store, recent, list } = await makeThread(30);
  const reading = recent.listMessages('t', { last: 20 });
  recent.forget();
  await reading;
  await store.append('t', 0, { messages: [message(100)] });
  await list({ last: 20 });
  recent.add([message(100)]);
  await list({ last: 20 });
});

test('long texts and threads that were not used for long are not kept', async () => {
  const threads = new RecentThreads();
  const long = await makeThread(3, threads);
  await long.list({ last: 20 });
  await long.add([message(50, { content: 'x'.repeat(300_000) })]);
  await long.list({ last: 20 });
  const first = await makeThread(3, threads);
  await first.list({ last: 20 });
  expect(first.reads).toHaveLength(1);
  for (let n = 0; n < 128; n++) await (await makeThread(1, threads)).list({ last: 20 });
  await first.list({ last: 20 });
  expect(first.reads).toHaveLength(2);
});
