import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import {
  type AnyMessage,
  type CountedHook,
  counted,
  happened,
  lines,
  on,
  scoped,
  stored,
  watch,
} from '../kit/index.ts';
import { asks, makeCall, storedAs, userSays, watchedTool } from '../kit/trials.ts';

const about = { section: 'design 7.3', level: 'ours' } as const;
const created = ['before_create_message'] as const;

/** A hook that changes nothing. */
const passing = (): CountedHook => counted('before_create_message', async (_, message) => message);

const unknownFields = {
  metadata: { source: 'mail', tags: ['a', null, 7], nested: { deep: true } },
  attachments: [{ type: 'url', url: 'https://example.com/b.txt', name: 'b.txt', mimeType: 'text/plain' }],
  priority: 3,
  is_draft: false,
  note: null,
};

function picked(message: AnyMessage | undefined, fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, message?.[name]]));
}

const fieldCases: readonly Case[] = [
  {
    ...about,
    needs: ['inject'],
    hooks: created,
    id: 'messages.unknown_fields_survive_their_creation',
    says: 'Fields that the specification does not know are stored as they were given, attachments too, with and without hooks.',
    async run({ open }) {
      const pass = passing();
      for (const hooks of [[], [pass.hook]]) {
        const trial = await open(scoped(hooks));
        await trial.inject(userSays('hello', unknownFields));
        const [message] = await stored(trial);
        same(picked(message, unknownFields), unknownFields, `the stored fields, with ${hooks.length} hooks`);
      }
      happened(pass.runs, 'a run of the hook');
    },
  },
  {
    ...about,
    hooks: created,
    id: 'messages.unknown_fields_of_a_hook_are_kept',
    says: 'Fields that a hook adds to a message are stored, and later hooks and readers get them.',
    async run({ open }) {
      const add = on('before_create_message', async (_, message) => ({ ...message, ...unknownFields }));
      const seen: AnyMessage[] = [];
      const look = watch('filter_messages', (_, messages) => seen.push(...(messages as AnyMessage[])));
      const trial = await open(scoped([add, look]));
      await trial.send('hello');
      same(picked((await stored(trial))[0], unknownFields), unknownFields, 'the stored fields');
      same(picked(seen[0], unknownFields), unknownFields, 'the fields that filter_messages saw');
    },
  },
  {
    ...about,
    hooks: created,
    id: 'messages.metadata_is_kept_as_given',
    says: 'Metadata that is a text stays that text, and metadata that is an object stays an object.',
    async run({ open }) {
      const given = ['{"step":1}', { step: 1 }, 'no JSON at all', ''];
      for (const metadata of given) {
        const stamp = on('before_create_message', async (_, message) => ({ ...message, metadata }));
        const trial = await open(scoped([stamp]));
        await trial.send('hello');
        const found = (await stored(trial)).map((message) => message.metadata);
        same(found, [metadata, metadata], 'the stored metadata');
      }
    },
  },
  {
    ...about,
    needs: ['update', 'inject'],
    id: 'messages.unknown_fields_survive_an_update',
    says: 'An update changes the fields that it names and no others.',
    async run({ open }) {
      const trial = await open(scoped([]));
      await trial.inject(userSays('hello', { id: 'm1', ...unknownFields }));
      await trial.update('m1', { content: 'hello again', priority: 4 });
      const [message] = await stored(trial);
      const expected = { ...unknownFields, priority: 4 };
      same(message?.content, 'hello again', 'the stored content');
      same(picked(message, expected), expected, 'the stored fields');
    },
  },
  {
    ...about,
    needs: ['reopen', 'inject'],
    id: 'messages.everything_survives_a_reopen',
    says: 'A thread that another instance opens has the same messages, field by field, in the same order.',
    async run({ open }) {
      const tool = watchedTool('act', { status: 'success', result: 'acted' });
      const trial = await open({ tools: [tool], script: [asks(makeCall('act')), { text: 'Done.' }] });
      await trial.inject(userSays('first', unknownFields));
      await trial.send('Go');
      const before = await stored(trial);
      happened(before.length, 'the storing of a message');
      const again = await trial.reopen();
      same(await stored(again), before, 'the messages in the other instance');
    },
  },
];

const orderCases: readonly Case[] = [
  {
    ...about,
    needs: ['inject'],
    hooks: created,
    id: 'messages.ids_are_kept',
    says: 'A message keeps the id that it was given, and one that a hook returned without its id has one all the same.',
    async run({ open }) {
      const forget = counted('before_create_message', async (_, { role, content, id }) =>
        content === 'forget' ? { role, content } : { role, content, ...(id === undefined ? {} : { id }) },
      );
      const trial = await open(scoped([forget.hook]));
      await trial.inject(userSays('keep', { id: 'mine' }));
      await trial.inject(userSays('forget'));
      happened(forget.runs, 'a run of the hook');
      const ids = (await stored(trial)).map(({ id }) => id);
      same(ids[0], 'mine', 'the id that was given');
      holds(typeof ids[1] === 'string' && ids[1] !== '', `the other id: expected a text, got ${ids[1]}`);
    },
  },
  {
    ...about,
    id: 'messages.ids_are_unique_and_lead_to_the_message',
    says: 'No two messages have the same id, and a hook can read each by it.',
    hooks: ['before_create_message', 'filter_messages'],
    async run({ open }) {
      const read: unknown[] = [];
      const look = on('filter_messages', async (state, messages) => {
        for (const { id, content } of messages) read.push((await state.getMessage(id))?.content === content);
        return messages;
      });
      const calls = asks(makeCall('act', {}, 'a'), makeCall('act', {}, 'b'));
      const pass = passing();
      const trial = await open(scoped([pass.hook, look], { tools: [watchedTool()], script: [calls] }));
      await trial.send('Go');
      await trial.send('Go on');
      const ids = (await stored(trial)).map(({ id }) => id);
      same(new Set(ids).size, ids.length, 'how many different ids there are');
      happened(pass.runs, 'a run of before_create_message');
      happened(read.length, 'a look at a message');
      same(read.every(Boolean), true, 'each message was found by its id');
    },
  },
  {
    ...about,
    needs: ['inject'],
    hooks: created,
    id: 'messages.order_is_that_of_their_creation',
    says: 'Messages stand in the order in which they were stored, however fast they follow each other.',
    async run({ open }) {
      const pass = passing();
      const trial = await open(scoped([pass.hook]));
      const texts = Array.from({ length: 30 }, (_, i) => `message ${i}`);
      for (const text of texts) await trial.inject(userSays(text));
      await trial.send('Go');
      happened(pass.runs, 'a run of the hook');
      const expected = [...texts.map((text) => `user: ${text}`), 'user: Go', 'assistant: done'];
      same(await lines(trial), expected, 'the stored messages');
      const times = (await stored(trial)).map(({ created_at }) => created_at);
      const isSorted = times.every((time, i) => i === 0 || time >= (times[i - 1] as number));
      same(isSorted, true, 'no message is older than the one before it');
    },
  },
  {
    ...about,
    id: 'messages.calls_and_results_refer_to_each_other',
    says: 'A stored answer has its calls as JSON text, and each result the id of its call.',
    async run({ open }) {
      const calls = asks(makeCall('act', { n: 1 }, 'a'), makeCall('act', { n: 2 }, 'b'));
      const trial = await open({ tools: [watchedTool()], script: [calls] });
      await trial.send('Go');
      const [answer] = await storedAs(trial, 'assistant');
      const expected = [1, 2].map((n) => ({
        id: 'ab'[n - 1],
        type: 'function',
        function: { name: 'act', arguments: `{"n":${n}}` },
      }));
      same(JSON.parse(`${answer?.tool_calls}`), expected, 'the stored calls');
      const ids = (await storedAs(trial, 'tool')).map(({ tool_call_id }) => tool_call_id);
      same(ids, ['a', 'b'], 'the ids of the calls that the results answer');
    },
  },
];

/** What stays of a message as it was given. */
export const keptMessageCases: readonly Case[] = [...fieldCases, ...orderCases];
