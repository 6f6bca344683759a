import type { AnyHook, ThreadState } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { type CountedHook, counted, happened, lines, on, scoped, stored } from '../kit/index.ts';
import { asks, contains, lacks, makeCall, sentText, userSays, watchedTool } from '../kit/trials.ts';

const about = {
  section: 'design 7.1',
  level: 'ours',
  needs: ['update', 'inject'],
  hooks: ['before_update_message', 'after_update_message'],
} as const;

interface Counted {
  readonly hooks: readonly AnyHook[];
  readonly before: unknown[];
  readonly after: unknown[];
}

/** Hooks that stamp and count every update, and say where a message is created meanwhile. */
function counting(): Counted {
  const before: unknown[] = [];
  const after: unknown[] = [];
  const stamp = on('before_update_message', async (_, id, updates) => {
    before.push([id, updates.content]);
    return { ...updates, content: `${String(updates.content)}*` };
  });
  const count = on('after_update_message', async (_, { id, content }) => void after.push([id, content]));
  return { hooks: [stamp, count], before, after };
}

const edit = (state: ThreadState): Promise<unknown> => state.updateMessage('m1', { content: 'edited' });

/** Who edits, and how: each edits the message `m1`. */
const editors: Readonly<Record<string, { says: string; hooks?: AnyHook[]; isTool?: true }>> = {
  from_outside: { says: 'from outside' },
  by_a_hook: {
    says: 'by a hook',
    hooks: [
      on(
        'after_create_message',
        async (state, { content }) => void (content === 'Go' && (await edit(state))),
      ),
    ],
  },
  by_a_tool: { says: 'by a tool', isTool: true },
};

/** A filter that says how much of the history it reads, so that a runtime may read no more. */
const reading = (): CountedHook =>
  counted('filter_messages', async (_, messages) => messages.slice(-10), { reads: { last: 10 } });

/** Edits lead through their chain, whoever makes them. */
export const messageUpdateCases: readonly Case[] = [
  ...Object.entries(editors).map(
    ([name, { says, hooks: editing = [], isTool }]): Case => ({
      ...about,
      id: `messages.edit_${name}_passes_the_update_chain_once`,
      says: `An edit ${says} passes before_update_message and after_update_message exactly once, and is stored as the former returned it.`,
      async run({ open }) {
        const { hooks, before, after } = counting();
        const tool = watchedTool('act', async (_, state) => {
          await edit(state);
          return 'acted';
        });
        const script = isTool ? [asks(makeCall('act'))] : [];
        const trial = await open(scoped([...hooks, ...editing], { tools: [tool], script }));
        await trial.inject(userSays('first', { id: 'm1' }));
        if (name === 'from_outside') await trial.update('m1', { content: 'edited' });
        else await trial.send('Go');
        same(before, [['m1', 'edited']], 'what before_update_message was given');
        same(after, [['m1', 'edited*']], 'what after_update_message saw');
        same((await lines(trial))[0], 'user: edited*', 'the stored message');
      },
    }),
  ),
  {
    ...about,
    id: 'messages.edit_keeps_the_place_of_a_message',
    says: 'An edit leaves the ids, the order and the number of the messages as they are.',
    async run({ open }) {
      const { hooks, after } = counting();
      const trial = await open(scoped(hooks));
      for (const id of ['m1', 'm2', 'm3']) await trial.inject(userSays(id, { id }));
      await trial.update('m2', { content: 'edited' });
      happened(after.length, 'a run of after_update_message');
      const found = (await stored(trial)).map(({ id, content }) => [id, content]);
      const expected = [
        ['m1', 'm1'],
        ['m2', 'edited*'],
        ['m3', 'm3'],
      ];
      same(found, expected, 'the stored messages');
    },
  },
  {
    ...about,
    hooks: ['filter_messages'],
    id: 'messages.edit_is_what_the_model_reads',
    says: 'After an edit from outside, between two turns, the model is sent the new text and not the old one.',
    async run({ open }) {
      const recent = reading();
      for (const hooks of [[], [recent.hook]]) {
        const trial = await open(scoped(hooks));
        await trial.inject(userSays('the marker', { id: 'm1' }));
        await trial.send('Go');
        await trial.update('m1', { content: 'the ***' });
        await trial.send('Go on');
        contains(sentText(trial, 1), 'the ***', 'what the model was sent');
        lacks(sentText(trial, 1), 'marker', 'what the model was sent');
      }
      happened(recent.runs, 'a run of the hook');
    },
  },
  {
    ...about,
    hooks: ['after_tool_call_success', 'filter_messages'],
    id: 'messages.edit_within_a_turn_is_what_the_model_reads',
    says: 'After an edit by a tool or a hook, between two steps, the model is sent the new text and not the old one.',
    async run({ open }) {
      const edit = async (state: ThreadState): Promise<void> =>
        void (await state.updateMessage('m1', { content: 'the ***' }));
      const byHook = on('after_tool_call_success', async (state) => {
        await edit(state);
        return null;
      });
      const byTool = watchedTool('act', async (_, state) => {
        await edit(state);
        return 'acted';
      });
      const recent = reading();
      for (const setup of [
        scoped([byHook], { tools: [watchedTool()] }),
        scoped([byHook, recent.hook], { tools: [watchedTool()] }),
        scoped([recent.hook], { tools: [byTool] }),
      ]) {
        const trial = await open({ ...setup, script: [{ text: 'Hello.' }, asks(makeCall('act'))] });
        await trial.inject(userSays('the marker', { id: 'm1' }));
        await trial.send('Hello');
        await trial.send('Go');
        contains(sentText(trial, 1), 'the marker', 'what the model was sent before the edit');
        contains(sentText(trial, 2), 'the ***', 'what the model was sent after the edit');
        lacks(sentText(trial, 2), 'marker', 'what the model was sent after the edit');
      }
      happened(recent.runs, 'a run of filter_messages');
    },
  },
  {
    ...about,
    hooks: ['after_create_message', 'filter_messages'],
    id: 'messages.deleted_message_is_gone',
    says: 'A message that a hook deletes is neither stored nor sent to the model any more.',
    async run({ open }) {
      const found: boolean[] = [];
      const remove = on('after_create_message', async (state, { role, content }) => {
        if (role !== 'user' || content !== 'Go') return;
        found.push(await state.deleteMessage('m1'), await state.deleteMessage('m1'));
      });
      const recent = reading();
      for (const hooks of [[remove], [remove, recent.hook]]) {
        const trial = await open(scoped(hooks));
        await trial.inject(userSays('first', { id: 'm1' }));
        await trial.send('Hello');
        await trial.send('Go');
        same(
          found.splice(0),
          [true, false],
          'whether there was something to delete, the first and the second time',
        );
        const expected = ['user: Hello', 'assistant: done', 'user: Go', 'assistant: done'];
        same(await lines(trial), expected, 'what is stored');
        contains(sentText(trial, 0), 'first', 'what the model was sent before it was deleted');
        lacks(sentText(trial, 1), 'first', 'what the model was sent afterwards');
      }
      happened(recent.runs, 'a run of filter_messages');
    },
  },
];
