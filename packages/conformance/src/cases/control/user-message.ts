import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { happened, lines, on, scoped, watch } from '../kit/index.ts';
import { contains, lacks, sentText } from '../kit/trials.ts';

const about = {
  section: 'control before_user_message',
  level: 'ours',
  needs: ['control'],
  hooks: ['before_user_message'],
} as const;

/** before_user_message: the message that a person sends. */
export const userMessageCases: readonly Case[] = [
  {
    ...about,
    id: 'before_user_message.runs_before_anything_is_stored',
    says: 'The hook sees the message that was sent while nothing of it is stored yet, once.',
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = watch('before_user_message', async (state, { role, content }) =>
        seen.push([role, content, (await state.getMessages()).length]),
      );
      const trial = await open(scoped([hook]));
      await trial.send('hello');
      same(seen, [['user', 'hello', 0]], 'role, content and number of stored messages');
    },
  },
  {
    ...about,
    id: 'before_user_message.runs_before_the_create_chain',
    says: 'The create chain sees the message only once it is admitted.',
    hooks: ['before_user_message', 'before_create_message'],
    async run({ open }) {
      const order: string[] = [];
      const trial = await open(
        scoped([
          watch('before_create_message', (_, message) => order.push(`create ${String(message.content)}`)),
          on('before_user_message', async (_, { content }) => {
            order.push(`admit ${content}`);
            return { input: 'hi' };
          }),
        ]),
      );
      await trial.send('hello');
      same(order.slice(0, 2), ['admit hello', 'create hi'], 'the order of the hooks');
    },
  },
  {
    ...about,
    id: 'before_user_message.deny_stores_nothing',
    says: 'A denied message is stored nowhere, no hook of its creation runs, the model is not called, and the sender gets the reason.',
    hooks: ['before_user_message', 'before_create_message'],
    async run({ open }) {
      let created = 0;
      const trial = await open(
        scoped([
          on('before_user_message', async (_, { content }) =>
            content === '4111 1111' ? { decision: 'deny', reason: 'no card numbers' } : null,
          ),
          watch('before_create_message', () => created++),
        ]),
      );
      const { status, reason, text } = await trial.send('4111 1111');
      same([status, text], ['denied', null], 'what came of sending it');
      contains(reason, 'no card numbers', 'the reason');
      same(await lines(trial), [], 'what was stored');
      same([created, trial.sent().length], [0, 0], 'how often the create hook and the model were called');
      await trial.send('Hello');
      happened(created, 'a call of the create hook for a message that is not denied');
    },
  },
  {
    ...about,
    id: 'before_user_message.thread_goes_on_after_a_deny',
    says: 'After a denied message the next one is answered.',
    async run({ open }) {
      const hook = on('before_user_message', async (_, { content }) =>
        content === 'bad' ? { decision: 'deny' } : null,
      );
      const trial = await open(scoped([hook]));
      await trial.send('bad');
      same((await trial.send('good')).status, 'completed', 'what came of the next message');
      same(await lines(trial), ['user: good', 'assistant: done'], 'what was stored');
    },
  },
  {
    ...about,
    id: 'before_user_message.input_is_stored_and_sent',
    says: 'The text that a hook puts in place of the message is what is stored and what the model reads.',
    async run({ open }) {
      const hook = on('before_user_message', async (_, { content }) => ({
        input: `${content}`.replace('marker', '***'),
      }));
      const trial = await open(scoped([hook]));
      await trial.send('my marker');
      same((await lines(trial))[0], 'user: my ***', 'the stored message');
      lacks(sentText(trial), 'marker', 'what the model was sent');
    },
  },
  {
    ...about,
    id: 'before_user_message.contexts_are_one_message_behind_it',
    says: 'What hooks add to a message comes as one message of the user directly behind it, before the model is called.',
    async run({ open }) {
      const trial = await open(
        scoped([
          on('before_user_message', async () => ({ context: ['It is Monday.', 'It rains.'] }), { id: 'one' }),
          on('before_user_message', async () => ({ context: 'The tea is ready.' }), { id: 'two' }),
        ]),
      );
      await trial.send('hello');
      const stored = await lines(trial);
      same(stored.length, 3, `how many messages were stored: ${stored.join(' | ')}`);
      for (const text of ['It is Monday.', 'It rains.', 'The tea is ready.']) {
        contains(stored[1], text, 'the message behind it');
        contains(sentText(trial, 0), text, 'what the model was sent');
      }
      contains(stored[1], 'user: ', 'the message behind it');
    },
  },
  {
    ...about,
    id: 'before_user_message.context_of_a_denied_message_is_dropped',
    says: 'What a hook adds to a message is not stored where the message is denied.',
    async run({ open }) {
      const hook = on('before_user_message', async () => ({ decision: 'deny', context: 'about the card' }));
      const trial = await open(scoped([hook]));
      same((await trial.send('4111')).status, 'denied', 'how the turn ended');
      same(await lines(trial), [], 'what was stored');
    },
  },
  {
    ...about,
    id: 'before_user_message.ask_goes_to_the_person',
    says: 'An ask is answered by the person, and is a deny where nobody can be asked.',
    async run({ open }) {
      const findStatus = async (onAsk?: 'allow' | 'deny'): Promise<string> => {
        const hook = on('before_user_message', async () => ({ decision: 'ask', reason: 'a card?' }));
        const trial = await open(scoped([hook], onAsk === undefined ? {} : { onAsk }));
        return (await trial.send('4111')).status;
      };
      same(await findStatus('allow'), 'completed', 'with a person who allows');
      same(await findStatus('deny'), 'denied', 'with a person who does not');
      same(await findStatus(), 'denied', 'with nobody');
    },
  },
];
