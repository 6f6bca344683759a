import { holds, refused, same } from '@spec/hooks/testing';
import type { StoredMessage } from '../stores/store.ts';
import type { StoreCase } from './store-suite-case.ts';
import {
  call,
  hardTexts,
  item,
  listMessageIds,
  message,
  noFence,
  run,
  t,
  thread,
  withMessages,
} from './store-suite-samples.ts';

export const messageCases: readonly StoreCase[] = [
  {
    name: 'a message comes back as it was given: absent fields absent, null fields null',
    async run(store) {
      await store.createThread(thread());
      const nulls = {
        name: null,
        tool_calls: null,
        tool_call_id: null,
        parent_id: null,
        depth: null,
        extra: null,
      };
      const given: StoredMessage[] = [
        message('bare', { content: null }),
        message('nulls', { role: 'assistant', ...nulls }),
        message('some', { role: 'tool', name: 'get_weather', tool_call_id: 'call-1', tool_calls: null }),
        message('all', {
          role: 'assistant',
          name: 'n',
          tool_calls: '[{"id":"c"}]',
          tool_call_id: 'c',
          parent_id: 'p',
          depth: 0,
        }),
        message('time', { role: 'system', created_at: 1_760_000_000_999_999 }),
      ];
      await store.append(t, noFence, { messages: given });
      same(await store.listMessages(t), given, 'listMessages');
      for (const one of given) same(await store.getMessage(t, one.id), one, `getMessage ${one.id}`);
    },
  },
  {
    name: 'metadata comes back as it was given, text or JSON',
    async run(store) {
      const kinds = [...hardTexts, { a: { b: [1, null] } }, [], ['x'], {}, null, 0, 2.5, true, false];
      const given = kinds.map((metadata, index) => message(`m${index}`, { metadata }));
      await store.createThread(thread());
      await store.append(t, noFence, { messages: given });
      same(await store.listMessages(t), given, 'listMessages');
    },
  },
  {
    name: 'fields that are not of the specification are kept',
    async run(store) {
      const fields = {
        attachments: [{ type: 'file', path: 'a/b', size: 3 }],
        seq: 'mine',
        thread: 7,
        key: null,
        extra: { deep: [{ er: 'x' }] },
        ...Object.fromEntries(hardTexts.map((text, index) => [`text ${index} ${text}`, text])),
      };
      await store.createThread(thread());
      await store.append(t, noFence, { messages: [message('m1', fields)] });
      same(await store.getMessage(t, 'm1'), message('m1', fields), 'getMessage');
    },
  },
  {
    name: 'any text comes back exactly, also in ids',
    async run(store) {
      const texts = [...hardTexts, `${'long 👋 '.repeat(200_000)}end`];
      const given = texts.map((content, index) =>
        message(`${index} ${content.slice(0, 20)}`, { content, name: content }),
      );
      await store.createThread(thread());
      for (const one of given) await store.append(t, noFence, { messages: [one] });
      same(await store.listMessages(t), given, 'listMessages');
      for (const one of given)
        same(await store.getMessage(t, one.id), one, `getMessage ${JSON.stringify(one.id)}`);
    },
  },
  {
    name: 'messages are listed in the order in which they were appended',
    async run(store) {
      await store.createThread(thread());
      await store.createThread(thread({ id: 'other' }));
      await store.append(t, noFence, {
        messages: [message('z', { created_at: 9 }), message('a', { created_at: 5 })],
      });
      await store.append('other', noFence, { messages: [message('between')] });
      await store.append(t, noFence, { messages: [message('m', { created_at: 1 })] });
      await store.append(t, noFence, { messages: [message('B'), message('10'), message('9')] });
      same(await listMessageIds(store), ['z', 'a', 'm', 'B', '10', '9'], 'ids');
      same(await listMessageIds(store, 'other'), ['between'], 'ids of the other thread');
    },
  },
  {
    name: 'an append that is repeated changes nothing a second time',
    async run(store) {
      await store.createThread(thread());
      await store.append(t, noFence, { enqueue: [item('q1'), item('q2')] });
      const append = {
        messages: [message('m1', { role: 'assistant' })],
        toolCalls: [call('m1')],
        runs: [run('redact')],
        dequeue: ['q1'],
        enqueue: [item('q3')],
      };
      await store.append(t, noFence, append);
      await store.append(t, noFence, { toolCalls: [call('m1', { status: 'started' })], dequeue: ['q3'] });
      await store.append(t, noFence, append);
      same(await listMessageIds(store), ['m1'], 'messages');
      same(await store.listToolCalls(t), [call('m1', { status: 'started' })], 'tool calls');
      same((await store.listRuns()).length, 1, 'runs');
      same(
        (await store.listQueue(t)).map(({ id }) => id),
        ['q2'],
        'queue',
      );
    },
  },
  {
    name: 'a repeated message still takes its item off the queue and moves the thread on',
    async run(store) {
      await withMessages(store, 'm1');
      await store.append(t, noFence, { enqueue: [item('q1')] });
      const turn = { id: 'turn-1' };
      await store.append(t, noFence, { messages: [message('m1')], dequeue: ['q1'], thread: { turn } });
      same(await store.listQueue(t), [], 'queue');
      same((await store.getThread(t))?.turn, turn, 'turn');
    },
  },
  {
    name: 'an append is stored whole or not at all',
    async run(store) {
      await store.createThread(thread());
      await store.append(t, noFence, { enqueue: [item('q1')] });
      const good = {
        messages: [message('m1')],
        runs: [run('redact')],
        dequeue: ['q1'],
        enqueue: [item('q2')],
        thread: { terminated: 'no' },
      };
      const bad = { ...good, messages: [message('m1'), message('m2', { role: 'nobody' })] };
      await refused(store.append(t, noFence, bad), 'invalid_message', 'a bad second message');
      await refused(
        store.append(t, noFence, { ...good, toolCalls: [call('m9')] }),
        'not_found',
        'a call of no message',
      );
      const foreign = [run('redact'), run('redact', { threadId: 'other' })];
      await refused(
        store.append(t, noFence, { ...good, runs: foreign }),
        'invalid_input',
        'an entry of another thread',
      );
      const payload = { when: new Date(0) } as Record<string, unknown>;
      const items = [item('q2'), item('q3', { payload })];
      await refused(
        store.append(t, noFence, { ...good, enqueue: items }),
        'invalid_message',
        'a bad queue item',
      );
      same(await store.listMessages(t), [], 'messages');
      same(await store.getThread(t), thread(), 'thread');
      same(await store.listRuns(), [], 'runs');
      same(
        (await store.listQueue(t)).map(({ id }) => id),
        ['q1'],
        'queue',
      );
    },
  },
  {
    name: 'what cannot be stored as JSON is refused, naming the field and not its value',
    async run(store) {
      await store.createThread(thread());
      const cycle: Record<string, unknown> = {};
      cycle.self = { cycle };
      let deep: unknown = 'bottom';
      for (let level = 0; level < 5000; level += 1) deep = [deep];
      const proto = JSON.parse('{"__proto__": {"polluted": true}}');
      const values = {
        bytes: new Uint8Array([115, 51, 99]),
        big: 123n,
        cycle,
        deep,
        proto,
        nan: Number.NaN,
        at: new Date(0),
      };
      const others = {
        map: new Map([['s3cret', 1]]),
        fn: () => 's3cret',
        gap: [1, undefined],
        getter: {
          get s3cret() {
            throw new Error('s3cret');
          },
        },
        infinite: [{ n: -Infinity }],
      };
      for (const [field, value] of Object.entries({ ...values, ...others, metadata: { big: 123n } })) {
        const promise = store.append(t, noFence, { messages: [message('m1', { [field]: value })] });
        const text = await refused(promise, 'invalid_message', field);
        holds(text.includes(`"${field}"`), `${field}: the message must name the field`);
        holds(!/s3cret|123|polluted/.test(text), `${field}: the message must not hold the value`);
      }
      same(await store.listMessages(t), [], 'messages');
    },
  },
  {
    name: 'fields of the specification that have a wrong type are refused, naming the field',
    async run(store) {
      await store.createThread(thread());
      const wrong = {
        id: '',
        role: 'owner',
        content: 5,
        created_at: Number.NaN,
        name: 5,
        tool_calls: [{ id: 'c' }],
        tool_call_id: 5,
        parent_id: {},
        depth: '1',
      };
      for (const [field, value] of Object.entries(wrong)) {
        const promise = store.append(t, noFence, { messages: [message('m1', { [field]: value })] });
        const text = await refused(promise, 'invalid_message', field);
        holds(text.includes(`"${field}"`), `${field}: the message must name the field`);
      }
      same(await store.listMessages(t), [], 'messages');
    },
  },
  {
    name: 'appends that are not awaited one by one are all stored once',
    async run(store) {
      await store.createThread(thread());
      await store.createThread(thread({ id: 'other' }));
      const ids = Array.from({ length: 60 }, (_, index) => `m${String(index % 50).padStart(2, '0')}`);
      const appends = ids.map((id, index) =>
        store.append(index % 7 === 3 ? 'missing' : t, noFence, { messages: [message(id)] }),
      );
      const settled = await Promise.allSettled(appends);
      const expected = new Set(ids.filter((_, index) => index % 7 !== 3));
      same((await listMessageIds(store)).sort(), [...expected].sort(), 'ids');
      same(settled.filter(({ status }) => status === 'rejected').length, 9, 'refused appends');
    },
  },
];
