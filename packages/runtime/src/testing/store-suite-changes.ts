import { refused, same } from '@spec/hooks/testing';
import type { StoreCase } from './store-suite-case.ts';
import {
  call,
  file,
  hardTexts,
  item,
  listMessageIds,
  message,
  noFence,
  t,
  thread,
  withMessages,
} from './store-suite-samples.ts';

export const changeCases: readonly StoreCase[] = [
  {
    name: 'an update replaces the fields given and keeps the others',
    async run(store) {
      await store.createThread(thread());
      const m2 = message('m2', { name: 'n', depth: 1, note: 'x', metadata: '{"a":1}' });
      await store.append(t, noFence, { messages: [message('m1'), m2, message('m3')] });
      const fields = {
        content: 'new \ud83d\0',
        name: null,
        metadata: { b: 2 },
        tags: ['t'],
        note: undefined,
        depth: undefined,
      };
      const { note: _note, ...rest } = m2;
      const expected = { ...rest, content: 'new \ud83d\0', name: null, metadata: { b: 2 }, tags: ['t'] };
      same(await store.updateMessage(t, noFence, { id: 'm2', fields }), expected, 'the updated message');
      same(await store.listMessages(t), [message('m1'), expected, message('m3')], 'listMessages');
      same(
        await store.updateMessage(t, noFence, { id: 'm2', fields: { id: 'm2' } }),
        expected,
        'its own id again',
      );
    },
  },
  {
    name: 'an update that cannot be made changes nothing',
    async run(store) {
      await withMessages(store, 'm1');
      const update = (fields: Record<string, unknown>) =>
        store.updateMessage(t, noFence, { id: 'm1', fields });
      await refused(update({ id: 'other' }), 'invalid_message', 'another id');
      await refused(update({ content: 'x', role: 'nobody' }), 'invalid_message', 'a bad role');
      await refused(update({ content: 'x', big: 1n }), 'invalid_message', 'BigInt');
      await refused(update(JSON.parse('{"content":"x","__proto__":{}}')), 'invalid_message', '__proto__');
      same(await store.updateMessage(t, noFence, { id: 'unknown', fields: {} }), null, 'an unknown message');
      same(await store.listMessages(t), [message('m1')], 'listMessages');
    },
  },
  {
    name: 'a deleted message is gone with its tool calls, the order of the others stays',
    async run(store) {
      await withMessages(store, 'm1', 'm2', 'm3');
      await store.append(t, noFence, { toolCalls: [call('m2'), call('m3')] });
      same(await store.deleteMessage(t, noFence, 'm2'), true, 'deleteMessage');
      same(await store.deleteMessage(t, noFence, 'm2'), false, 'deleteMessage again');
      same(await store.getMessage(t, 'm2'), null, 'getMessage');
      same(await store.listToolCalls(t), [call('m3')], 'tool calls');
      same(await store.deleteMessage(t, noFence, 'm3'), true, 'deleteMessage of the last');
      await store.append(t, noFence, { messages: [message('m4'), message('m2')] });
      same(await listMessageIds(store), ['m1', 'm4', 'm2'], 'ids');
      same((await store.listMessages(t, { before: 'm2', last: 1 }))[0]?.id, 'm4', 'before the last');
      same(await store.countMessages(t), 3, 'countMessages');
    },
  },
  {
    name: 'tool calls are kept by message and position, and change their status',
    async run(store) {
      await withMessages(store, 'm1', 'm2');
      const later = call('m2', { id: 'same' });
      const first = call('m1', { id: 'same', status: 'started' });
      const second = call('m1', { id: 'same', position: 1, name: 'other' });
      await store.append(t, noFence, { toolCalls: [{ ...later, status: 'done' }, later] });
      await store.append(t, noFence, { toolCalls: [second, first] });
      same(await store.listToolCalls(t), [first, second, later], 'all');
      const done = call('m1', { id: 'same', status: 'done' });
      await store.append(t, noFence, { toolCalls: [done], messages: [message('m3', { role: 'tool' })] });
      same(await store.listToolCalls(t), [done, second, later], 'after a change');
      same(await store.listToolCalls(t, { status: 'pending' }), [second, later], 'pending');
      same(await store.listToolCalls(t, { status: 'started' }), [], 'started');
      same(await store.listToolCalls(t, { status: 'done' }), [done], 'done');
      same(await store.listToolCalls(t, { messageId: 'm1' }), [done, second], 'of a message');
      same(await store.listToolCalls(t, { messageId: 'm1', status: 'pending' }), [second], 'pending of it');
      same(await store.listToolCalls(t, { messageId: 'm3' }), [], 'of a message without calls');
      same(await store.listToolCalls(t, { messageId: 'unknown' }), [], 'of an unknown message');
    },
  },
  {
    name: 'queued items leave in the commit of their messages',
    async run(store) {
      await store.createThread(thread());
      const tool = item('a', {
        kind: 'tool',
        payload: { name: 'get_weather', input: { texts: [...hardTexts] } },
      });
      await store.append(t, noFence, { enqueue: [item('z'), tool, item('m')] });
      await store.append(t, noFence, { enqueue: [item('z', { kind: 'tool' })] });
      same(await store.listQueue(t), [item('z'), tool, item('m')], 'queue');
      await store.append(t, noFence, { messages: [message('m1')], dequeue: ['z', 'm', 'unknown'] });
      same(await store.listQueue(t), [tool], 'queue after the append');
      same(await listMessageIds(store), ['m1'], 'messages');
    },
  },
  {
    name: 'values are JSON, by thread and key',
    async run(store) {
      await store.createThread(thread());
      await store.createThread(thread({ id: 'other' }));
      const values = [...hardTexts, 0, -1.5, true, false, null, [], {}, { a: [{ b: null }] }];
      for (const [index, value] of values.entries()) {
        await store.setValue(t, noFence, { key: 'k', value });
        same(await store.getValue(t, 'k'), value, `value ${index}`);
      }
      for (const key of hardTexts) await store.setValue(t, noFence, { key, value: `at ${key}` });
      for (const key of hardTexts)
        same(await store.getValue(t, key), `at ${key}`, `key ${JSON.stringify(key)}`);
      const keys = [...hardTexts, 'k'].sort();
      same(
        (await store.listValues(t)).map(({ key }) => key),
        keys,
        'the keys of listValues, in their order',
      );
      same((await store.listValues(t))[0], { key: '', value: 'at ' }, 'the first of listValues');
      same(await store.listValues('other'), [], 'listValues of another thread');
      await store.setValue(t, noFence, { key: 'k', value: undefined });
      same(await store.getValue(t, 'k'), undefined, 'a removed value');
      same(await store.getValue('other', '12'), undefined, 'a value of another thread');
      await refused(store.setValue(t, noFence, { key: '12', value: { big: 1n } }), 'invalid_input', 'BigInt');
      same(await store.getValue(t, '12'), 'at 12', 'the value before');
    },
  },
  {
    name: 'files are bytes, by thread and path',
    async run(store) {
      await store.createThread(thread());
      const bytes = Array.from({ length: 256 }, (_, byte) => byte);
      const files = [
        file('b/2', bytes),
        file('a', []),
        file('b/10', [1]),
        file('B', [2]),
        file('b\0/\ud83d', [3]),
      ];
      for (const one of files) await store.writeFile(t, noFence, one);
      for (const one of files)
        same(await store.readFile(t, one.path), one, `readFile ${JSON.stringify(one.path)}`);
      const paths = async (prefix?: string) => (await store.listFiles(t, prefix)).map(({ path }) => path);
      same(await paths(), ['B', 'a', 'b\0/\ud83d', 'b/10', 'b/2'], 'all');
      same(await paths('b/'), ['b/10', 'b/2'], 'with a prefix');
      same(await paths('b%'), [], 'with a prefix that is no pattern');
      const { data: _data, ...ref } = file('b/2', bytes);
      same((await store.listFiles(t, 'b/2'))[0], ref, 'an entry of the list');
      await store.writeFile(t, noFence, { ...file('a', [7, 8]), mimeType: 'image/png' });
      same(
        await store.readFile(t, 'a'),
        { ...file('a', [7, 8]), mimeType: 'image/png' },
        'a file that was replaced',
      );
      same(await store.deleteFile(t, noFence, 'a'), true, 'deleteFile');
      same(await store.deleteFile(t, noFence, 'a'), false, 'deleteFile again');
      same(await store.readFile(t, 'a'), null, 'a file that was deleted');
    },
  },
];
