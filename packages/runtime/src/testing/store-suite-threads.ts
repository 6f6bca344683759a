import { refused, same } from '@spec/hooks/testing';
import type { Store, ThreadFilter } from '../stores/store.ts';
import type { StoreCase } from './store-suite-case.ts';
import {
  call,
  file,
  hardTexts,
  item,
  listMessageIds,
  message,
  noFence,
  run,
  t,
  thread,
  withMessages,
  writes,
} from './store-suite-samples.ts';

const threadIds = async (store: Store, filter?: ThreadFilter) =>
  (await store.listThreads(filter)).map((record) => record.id);

export const threadCases: readonly StoreCase[] = [
  {
    name: 'a thread comes back as it was created',
    async run(store) {
      const full = thread({
        userId: 'user-1',
        parentId: 'parent',
        depth: 2,
        currentSide: 'b',
        terminated: 'done',
        turn: { id: 'turn-1', form: 1 },
        compaction: { summaryId: 'm9', throughId: 'm4' },
        metadata: { texts: [...hardTexts], nested: { list: [1, 1.5, -2, true, null, {}] } },
      });
      await store.createThread(full);
      same(await store.getThread(t), full, 'getThread');
      await store.createThread(thread({ id: 'plain' }));
      same(await store.getThread('plain'), thread({ id: 'plain' }), 'getThread of a plain one');
    },
  },
  {
    name: 'what is not there reads as nothing',
    async run(store) {
      same(await store.getThread(t), null, 'getThread');
      same(await store.listThreads(), [], 'listThreads');
      same(await store.readHead(t, { keys: ['k'] }), null, 'readHead');
      same(await store.getMessage(t, 'm1'), null, 'getMessage');
      same(await store.listMessages(t, { last: 2 }), [], 'listMessages');
      same(await store.countMessages(t), 0, 'countMessages');
      same(await store.listToolCalls(t), [], 'listToolCalls');
      same(await store.listQueue(t), [], 'listQueue');
      same(await store.getValue(t, 'k'), undefined, 'getValue');
      same(await store.listValues(t), [], 'listValues');
      same(await store.pageRuns(t, { size: 10 }), { runs: [], next: null }, 'pageRuns');
      same(await store.readFile(t, 'f'), null, 'readFile');
      same(await store.listFiles(t), [], 'listFiles');
      same(await store.listRuns({ threadId: t }), [], 'listRuns');
      same(await store.deleteThread(t, noFence), false, 'deleteThread');
    },
  },
  {
    name: 'writing to a thread that is not there is refused with not_found',
    async run(store) {
      for (const [method, write] of writes(store, t, noFence)) await refused(write(), 'not_found', method);
      const lease = { threadId: t, owner: 'a', ttlMs: 1000 };
      await refused(store.acquireLease(lease), 'not_found', 'acquireLease');
      await refused(store.takeOver(lease), 'not_found', 'takeOver');
    },
  },
  {
    name: 'a thread id is given once',
    async run(store) {
      await withMessages(store, 'm1');
      await refused(store.createThread(thread({ agentId: 'other' })), 'invalid_input', 'createThread');
      same(await store.getThread(t), thread(), 'getThread');
      same(await listMessageIds(store), ['m1'], 'messages');
    },
  },
  {
    name: 'threads are listed in the order of their creation, all or by parent',
    async run(store) {
      const records = [
        thread({ id: 'z', createdAt: 3 }),
        thread({ id: 'a', parentId: 'z', createdAt: 2 }),
        thread({ id: 'm', createdAt: 1 }),
        thread({ id: 'b', parentId: 'z', createdAt: 0 }),
      ];
      for (const record of records) await store.createThread(record);
      const ids = (filter?: ThreadFilter) => threadIds(store, filter);
      same(await store.listThreads(), records, 'all');
      same(await ids({ parentId: 'z' }), ['a', 'b'], 'children of z');
      same(await ids({ parentId: null }), ['z', 'm'], 'threads of their own');
      same(await ids({ parentId: 'm' }), [], 'children of m');
    },
  },
  {
    name: 'threads with a turn under way can be listed',
    async run(store) {
      const turn = { id: 'turn-1' };
      await store.createThread(thread({ id: 'a' }));
      await store.createThread(thread({ id: 'b', turn }));
      await store.createThread(thread({ id: 'c', parentId: 'b' }));
      await store.append('c', noFence, { thread: { turn } });
      const ids = (filter?: ThreadFilter) => threadIds(store, filter);
      same(await ids({ interrupted: true }), ['b', 'c'], 'interrupted');
      same(await ids({ interrupted: false }), ['a'], 'not interrupted');
      same(await ids({ interrupted: true, parentId: 'b' }), ['c'], 'interrupted children of b');
      same(await ids({ interrupted: true, parentId: null }), ['b'], 'interrupted, of their own');
      same(await ids({}), ['a', 'b', 'c'], 'all');
      await store.append('b', noFence, { thread: { turn: null } });
      same(await ids({ interrupted: true }), ['c'], 'after the turn of b has ended');
    },
  },
  {
    name: 'any text can be an id',
    async run(store) {
      const ids = hardTexts.filter((text) => text !== '');
      for (const id of ids)
        await store.createThread(thread({ id, agentId: id, userId: id, parentId: `of ${id}` }));
      for (const id of ids) {
        same(
          await store.getThread(id),
          thread({ id, agentId: id, userId: id, parentId: `of ${id}` }),
          'getThread',
        );
        same(
          (await store.listThreads({ parentId: `of ${id}` })).map((record) => record.id),
          [id],
          'by parent',
        );
        const lease = await store.acquireLease({ threadId: id, owner: id, ttlMs: 60_000 });
        const asked = call(id, { id, name: id });
        const append = { messages: [message(id)], toolCalls: [asked], enqueue: [item(id), item('other')] };
        await store.append(id, lease.fence, append);
        same(await store.listToolCalls(id), [asked], 'tool calls');
        same(
          (await store.listQueue(id)).map((queued) => queued.id),
          [id, 'other'],
          'queue',
        );
        const turn = { id };
        const values = [{ key: id, value: id }];
        await store.append(id, lease.fence, { dequeue: [id], values, thread: { turn, terminated: id } });
        same(await store.listValues(id), values, 'values');
        same(await store.listToolCalls(id, { messageId: id }), [asked], 'tool calls of the message');
        same((await store.pageRuns(id, { size: 1 })).runs, [], 'runs');
        same(
          (await store.listQueue(id)).map((queued) => queued.id),
          ['other'],
          'queue after its item left',
        );
        const changed = await store.getThread(id);
        same({ turn: changed?.turn, terminated: changed?.terminated }, { turn, terminated: id }, 'thread');
        same((await store.renewLease(lease, 60_000)).owner, id, 'owner');
        same(await store.deleteThread(id, lease.fence), true, 'deleteThread');
        same(await store.getThread(id), null, 'a deleted thread');
      }
    },
  },
  {
    name: 'an append changes the fields of the thread that it names, and no others',
    async run(store) {
      const turn = { id: 'turn-9' };
      await store.createThread(thread({ metadata: { kept: true } }));
      await store.append(t, noFence, { thread: { turn } });
      same(await store.getThread(t), thread({ metadata: { kept: true }, turn }), 'after turn');
      await store.append(t, noFence, { thread: { currentSide: 'b', metadata: { now: [1] } } });
      same(
        await store.getThread(t),
        thread({ metadata: { now: [1] }, turn, currentSide: 'b' }),
        'after side and metadata',
      );
      const compaction = { summaryId: 'm9', throughId: '\ud83d' };
      await store.append(t, noFence, { thread: { turn: null, terminated: 'enough', compaction } });
      const end = thread({ metadata: { now: [1] }, currentSide: 'b', terminated: 'enough', compaction });
      same(await store.getThread(t), end, 'after the end');
      await store.append(t, noFence, {});
      same(await store.getThread(t), end, 'after an empty append');
      await store.append(t, noFence, { thread: { terminated: null, compaction: null } });
      same(await store.getThread(t), { ...end, terminated: null, compaction: null }, 'after taking back');
    },
  },
  {
    name: 'a thread that cannot be stored as JSON is refused',
    async run(store) {
      await refused(
        store.createThread(thread({ metadata: { n: 1n } })),
        'invalid_input',
        'BigInt in metadata',
      );
      same(await store.getThread(t), null, 'getThread');
    },
  },
  {
    name: 'deleting a thread removes all that belongs to it, its child threads too',
    async run(store) {
      const other = 'other';
      await store.createThread(thread({ id: other }));
      await store.append(other, noFence, {
        messages: [message('m1')],
        runs: [run('kept', { threadId: other })],
      });
      await withMessages(store, 'm1');
      await store.createThread(thread({ id: 'child', parentId: t }));
      await store.createThread(thread({ id: 'grandchild', parentId: 'child' }));
      await store.append(t, noFence, { toolCalls: [call('m1')], runs: [run('gone')], enqueue: [item('q1')] });
      await store.setValue(t, noFence, { key: 'k', value: 1 });
      await store.writeFile(t, noFence, file('f1', [1]));

      same(await store.deleteThread(t, noFence), true, 'deleteThread');
      same(await store.deleteThread(t, noFence), false, 'deleteThread again');
      same(
        (await store.listThreads()).map(({ id }) => id),
        [other],
        'threads left',
      );
      same(
        (await store.listRuns()).map(({ id }) => id),
        ['kept'],
        'runs left',
      );
      same(await listMessageIds(store, other), ['m1'], 'messages of the other thread');

      await store.createThread(thread());
      same(await store.listMessages(t), [], 'messages of a new thread with the old id');
      same(await store.listToolCalls(t), [], 'its tool calls');
      same(await store.listQueue(t), [], 'its queue');
      same(await store.getValue(t, 'k'), undefined, 'its value');
      same(await store.readFile(t, 'f1'), null, 'its file');
    },
  },
];
