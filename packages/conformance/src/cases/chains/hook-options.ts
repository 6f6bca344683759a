import type {} from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import {
  calling,
  counted,
  happened,
  last,
  listConversation,
  on,
  onUntyped,
  rejects,
  scoped,
  tool,
} from '../kit/index.ts';
import { contains, lacks, sentText, storedAs } from '../kit/trials.ts';

const about = { section: 'design 5', level: 'ours' } as const;

const two = { tools: [tool('act', 'acted'), tool('other', 'acted too')], script: calling('act', 'other') };
const twoFail = {
  tools: [tool('act', new Error('it broke')), tool('other', new Error('it broke'))],
  script: calling('act', 'other'),
};

/** `match`: which tool calls a hook is for. */
const matchCases: readonly Case[] = (
  [
    ['after_tool_call_success', two],
    ['after_tool_call_failure', twoFail],
    ['before_store_tool_result', two],
  ] as const
).map(
  ([hook, setup]): Case => ({
    ...about,
    id: `${hook}.match_keeps_it_from_other_tools`,
    says: 'A hook with a matcher runs for the calls that match, and for the others as if it were not there.',
    hooks: [hook],
    async run({ open }) {
      const seen: string[] = [];
      const execute = async (_: unknown, call: { function: { name: string } }, result: unknown) => {
        seen.push(call.function.name);
        return result;
      };
      const matching = onUntyped(hook, execute, { match: 'act' });
      const trial = await open(scoped([matching], setup));
      await trial.send('go');
      same(seen, ['act'], 'the tools that the hook ran for');
      same((await storedAs(trial, 'tool')).length, 2, 'how many results are stored');
    },
  }),
);

/** `changes`: what a hook may change. */
const changeCases: readonly Case[] = [
  {
    ...about,
    id: 'before_create_message.changes_lets_named_fields_pass',
    says: 'A hook that changes only what it said it would is as good as any.',
    hooks: ['before_create_message'],
    async run({ open }) {
      const hook = on('before_create_message', async (_, message) => ({ ...message, metadata: { a: 1 } }), {
        changes: ['metadata'],
      });
      const trial = await open(scoped([hook], { script: [{ text: 'hi' }] }));
      await trial.send('hello');
      same((await last(trial, 'user')).metadata, { a: 1 }, 'the metadata of the stored message');
    },
  },
  {
    ...about,
    id: 'before_create_message.changes_refuses_other_fields',
    says: 'A hook that changes what it did not name has failed: the message is not created.',
    hooks: ['before_create_message'],
    async run({ open }) {
      const hook = on('before_create_message', async (_, message) => ({ ...message, content: 'rewritten' }), {
        changes: ['metadata'],
      });
      const trial = await open(scoped([hook]));
      await rejects(trial.send('hello'), 'sending');
      same(await listConversation(trial), [], 'the stored messages');
    },
  },
  {
    ...about,
    id: 'before_update_message.changes_refuses_other_fields',
    says: 'A hook that adds to an update what it did not name has failed: nothing is updated.',
    needs: ['update'],
    hooks: ['before_update_message'],
    async run({ open }) {
      const hook = on('before_update_message', async (_, _id, updates) => ({ ...updates, role: 'system' }), {
        changes: ['content'],
      });
      const trial = await open(scoped([hook]));
      await trial.send('hello');
      const { id } = await last(trial, 'user');
      await rejects(trial.update(id, { content: 'changed' }), 'updating');
      same((await last(trial, 'user')).content, 'hello', 'the stored text');
    },
  },
  {
    ...about,
    id: 'before_store_tool_result.changes_refuses_other_fields',
    says: 'A hook that drops a field which it did not name has failed: the result is withheld.',
    hooks: ['before_store_tool_result'],
    async run({ open }) {
      const hook = on('before_store_tool_result', async (_, _call, { status }) => ({ status, metadata: 1 }), {
        changes: ['metadata'],
      });
      const trial = await open(scoped([hook], { tools: [tool('act', 'acted')], script: calling('act') }));
      await trial.send('go');
      happened((await storedAs(trial, 'tool')).length, 'the storing of an error');
      lacks(JSON.stringify(await trial.messages()) + sentText(trial), 'acted', 'what was stored and sent');
    },
  },
  {
    ...about,
    id: 'after_tool_call_success.changes_refuses_other_fields',
    says: 'A hook that rewrites what it did not name has failed: the value so far is kept.',
    hooks: ['after_tool_call_success'],
    async run({ open }) {
      const rewrites = counted(
        'after_tool_call_success',
        async (_, _call, result) => ({ ...result, result: 'another' }),
        { changes: ['attachments'] },
      );
      const setup = { tools: [tool('act', 'acted')], script: calling('act') };
      const trial = await open(scoped([rewrites.hook], setup));
      await trial.send('go');
      happened(rewrites.runs, 'a run of the hook');
      same((await last(trial, 'tool')).content, 'acted', 'the stored result');
    },
  },
];

/** `reads`: how much of the history a hook looks at. */
const readCases: readonly Case[] = [
  {
    ...about,
    id: 'filter_messages.reads_has_the_newest_messages',
    section: 'design 7.3',
    says: 'A hook that reads the last two messages gets these two at least, newest last, however long the thread is.',
    hooks: ['filter_messages'],
    async run({ open }) {
      let seen: (string | null)[] = [];
      const hook = on(
        'filter_messages',
        async (_, messages) => {
          seen = messages.map(({ content }) => content);
          return messages.slice(-2);
        },
        { reads: { last: 2 } },
      );
      const trial = await open(scoped([hook]));
      for (const text of ['first', 'second', 'third']) await trial.send(text);
      same(seen.slice(-2), ['done', 'third'], 'the newest messages that the hook got');
      contains(sentText(trial, 2), 'third', 'what the model was sent last');
      lacks(sentText(trial, 2), 'first', 'what the model was sent last');
    },
  },
  {
    ...about,
    id: 'filter_messages.reads_does_not_cut_an_exchange',
    section: 'design 7.3',
    says: 'Where the last messages begin in the middle of calls and their results, the hook gets the exchange from its start.',
    hooks: ['filter_messages'],
    async run({ open }) {
      let roles: string[] = [];
      const hook = on(
        'filter_messages',
        async (_, messages) => {
          roles = messages.map(({ role }) => role);
          return messages;
        },
        { reads: { last: 1 } },
      );
      const trial = await open(scoped([hook], two));
      await trial.send('go');
      holds(
        roles.join(' ').endsWith('assistant tool tool'),
        `expected the answer and both of its results, got: ${roles.join(' ')}`,
      );
    },
  },
];

/** What a hook may say of itself besides its name, its id and its function (design §5). */
export const hookOptionCases: readonly Case[] = [...matchCases, ...changeCases, ...readCases];
