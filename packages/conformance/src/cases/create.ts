import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../case.ts';
import {
  calling,
  counted,
  happened,
  last,
  lines,
  listConversation,
  on,
  rejects,
  scoped,
  stored,
  tellsOfFailure,
  tool,
  watch,
  withText,
} from './kit/index.ts';
import { storedAs } from './kit/trials.ts';

const turn = { tools: [tool('act', 'acted')], script: calling('act') };

const before = {
  section: 'spec 4.1',
  level: 'MUST',
  hooks: ['before_create_message'],
} as const;

const beforeCases: readonly Case[] = [
  {
    ...before,
    id: 'before_create_message.is_called_for_every_message_of_a_turn',
    says: 'The hook is called for the message of the user, for the answers, and for the results of tools: once for each.',
    covers: ['4.1.called', '1.2.idempotent'],
    async run({ open }) {
      const seen: string[] = [];
      const hook = watch('before_create_message', (_, message) => seen.push(String(message.role)));
      const trial = await open(scoped([hook], turn));
      await trial.send('go');
      same(seen, ['user', 'assistant', 'tool', 'assistant'], 'the roles of the messages that the hook saw');
      same((await stored(trial)).length, 4, 'how many messages are stored');
    },
  },
  {
    ...before,
    id: 'before_create_message.is_called_before_the_insertion',
    says: 'When the hook runs, its message is not stored yet.',
    covers: ['4.1.called'],
    async run({ open }) {
      const counts: number[] = [];
      const hook = watch('before_create_message', async (state) =>
        counts.push((await state.getMessages()).length),
      );
      const trial = await open(scoped([hook], { script: [{ text: 'hi' }] }));
      await trial.send('hello');
      same(counts, [0, 1], 'how many messages were stored when the hook ran');
    },
  },
  {
    ...before,
    id: 'before_create_message.is_used_for_insertion',
    says: 'What the hook returns is what is stored, and what the model is sent from then on.',
    covers: ['4.1.used'],
    async run({ open }) {
      const hook = on('before_create_message', async (_, message) => withText(message, (text) => `${text}!`));
      const trial = await open(scoped([hook], turn));
      await trial.send('go');
      const expected = ['user: go!', 'assistant: null', 'tool: acted!', 'assistant: done!'];
      same(await lines(trial), expected, 'the stored messages');
      const sent = (trial.sent()[1] ?? []).map(({ role, content }) => `${role}: ${content}`);
      same([sent[0], sent[2]], ['user: go!', 'tool: acted!'], 'what the model was sent in the second step');
    },
  },
  ...(['a text of JSON', { nested: { list: [1, null, 'x'] } }] as const).map(
    (metadata): Case => ({
      ...before,
      id: `before_create_message.metadata_that_is_${typeof metadata === 'string' ? 'a_text' : 'a_record'}_is_stored`,
      says: 'A field that the specification does not know is stored as the hook returned it.',
      covers: ['4.1.used'],
      async run({ open }) {
        const hook = on('before_create_message', async (_, message) => ({ ...message, metadata }));
        const trial = await open(scoped([hook], { script: [{ text: 'hi' }] }));
        await trial.send('hello');
        const found = (await stored(trial)).map((message) => message.metadata);
        same(found, [metadata, metadata], 'the metadata of the stored messages');
      },
    }),
  ),
  {
    ...before,
    id: 'before_create_message.any_text_is_stored_as_it_is',
    says: 'What the hook returns is stored to the letter: emoji, quotes, control characters, half a surrogate pair, nothing at all.',
    covers: ['4.1.used'],
    async run({ open }) {
      const texts = ['👩🏽‍🚀 naïve', `"';--`, 'a\u0000b\u001b[0m\r\n', 'half \ud83d', ''];
      let next = 0;
      const hook = on('before_create_message', async (_, message) =>
        message.role === 'user' ? { ...message, content: texts[next++] } : message,
      );
      const trial = await open(scoped([hook]));
      for (const _ of texts) await trial.send('hello');
      const users = (await storedAs(trial, 'user')).map(({ content }) => content);
      same(users, texts, 'the stored messages of the user');
    },
  },
  {
    ...before,
    id: 'before_create_message.role_is_stored_as_returned',
    says: 'A role that the hook changes is the role that is stored.',
    covers: ['4.1.used'],
    async run({ open }) {
      const hook = on('before_create_message', async (_, message) =>
        message.role === 'user' ? { ...message, role: 'system' } : message,
      );
      const trial = await open(scoped([hook], { script: [{ text: 'hi' }] }));
      await trial.send('hello');
      same(await lines(trial), ['system: hello', 'assistant: hi'], 'the stored messages');
    },
  },
  {
    ...before,
    id: 'before_create_message.fields_go_from_hook_to_hook',
    says: 'A field that one hook adds the next one sees, and may take away.',
    covers: ['4.1.used'],
    async run({ open }) {
      const seen: unknown[] = [];
      const adds = on('before_create_message', async (_, message) => ({ ...message, note: 'x', kept: 1 }), {
        id: 'adds',
      });
      const takes = on(
        'before_create_message',
        async (_, { note, ...message }) => {
          seen.push(note);
          return message;
        },
        { id: 'takes' },
      );
      const trial = await open(scoped([adds, takes]));
      await trial.send('hello');
      const message = await last(trial, 'user');
      same([seen[0], 'note' in message, message.kept], ['x', false, 1], 'what was seen, taken and kept');
    },
  },
  {
    ...before,
    id: 'before_create_message.failure_prevents_the_answer',
    level: 'SHOULD',
    says: 'Where the hook fails for an answer, the answer is not stored, its tools are not run, and the message before it stays.',
    covers: ['4.1.failure'],
    async run({ open }) {
      let ran = false;
      const hook = on('before_create_message', async (_, message) => {
        if (message.role === 'assistant') throw new Error('no');
        return message;
      });
      const act = {
        name: 'act',
        async run() {
          ran = true;
          return 'acted';
        },
      };
      const trial = await open(scoped([hook], { ...turn, tools: [act] }));
      await rejects(trial.send('go'), 'sending');
      same(await listConversation(trial), ['user: go'], 'the stored messages');
      holds(!ran, 'expected the tool not to run; it did');
    },
  },
  {
    ...before,
    id: 'before_create_message.a_failure_leaves_the_thread_usable',
    level: 'ours',
    says: 'After a message that was refused, the next one is stored and answered.',
    async run({ open }) {
      const hook = on('before_create_message', async (_, message) => {
        if (message.content === 'bad') throw new Error('no');
        return message;
      });
      const trial = await open(scoped([hook], { script: [{ text: 'hi' }] }));
      await rejects(trial.send('bad'), 'sending');
      await trial.send('good');
      const users = (await storedAs(trial, 'user')).map(({ content }) => content);
      same(users, ['good'], 'the stored messages of the user');
      same((await last(trial, 'assistant')).content, 'hi', 'the answer');
    },
  },
];

const after = {
  section: 'spec 4.2',
  level: 'MUST',
  hooks: ['after_create_message'],
} as const;

const afterCases: readonly Case[] = [
  {
    ...after,
    id: 'after_create_message.is_called_for_every_message_when_it_is_stored',
    says: 'The hook is called once for each message, when it can be read, with what is stored.',
    covers: ['4.2.called', '4.2.use'],
    async run({ open }) {
      const seen: unknown[] = [];
      const found: unknown[] = [];
      const hook = on('after_create_message', async (state, message) => {
        seen.push([message.id, message.role, message.content]);
        const read = await state.getMessage(String(message.id));
        found.push([read?.id, read?.role, read?.content]);
      });
      const stamp = on('before_create_message', async (_, message) => ({ ...message, content: 'stamped' }));
      const trial = await open(scoped([hook, stamp], { script: [{ text: 'hi' }] }));
      await trial.send('hello');
      const expected = (await stored(trial)).map(({ id, role, content }) => [id, role, content]);
      happened(expected.length, 'the storing of a message');
      same(seen, expected, 'the messages that the hook was given');
      same(found, expected, 'the messages as the hook could read them');
    },
  },
  {
    ...after,
    id: 'after_create_message.is_not_called_for_what_is_not_stored',
    says: 'The hook is called after successful insertion only.',
    covers: ['4.2.called'],
    async run({ open }) {
      let called = 0;
      let isRefusing = true;
      const refuses = on('before_create_message', async (_, message) => {
        if (isRefusing) throw new Error('no');
        return message;
      });
      const hook = watch('after_create_message', (_, message) => {
        if (!tellsOfFailure(message)) called += 1;
      });
      const trial = await open(scoped([refuses, hook]));
      await rejects(trial.send('hello'), 'sending');
      same(called, 0, 'how often the hook was called');
      isRefusing = false;
      await trial.send('hello again');
      happened(called, 'a call of the hook for what is stored');
    },
  },
  {
    ...after,
    id: 'after_create_message.failure_leaves_the_message_and_the_turn',
    level: 'SHOULD',
    says: 'Where the hook fails for every message, all messages of the turn are stored all the same.',
    covers: ['4.2.failure'],
    async run({ open }) {
      const fails = counted('after_create_message', async () => {
        throw new Error('no');
      });
      const trial = await open(scoped([fails.hook], turn));
      const { status } = await trial.send('go');
      happened(fails.runs, 'a run of the hook');
      const expected = ['user: go', 'assistant: null', 'tool: acted', 'assistant: done'];
      same([status, await lines(trial)], ['completed', expected], 'the turn and its messages');
    },
  },
];

/** Messages that come into being (specification §4.1, §4.2). */
export const createCases: readonly Case[] = [...beforeCases, ...afterCases];
