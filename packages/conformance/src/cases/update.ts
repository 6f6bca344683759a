import { same } from '@spec/hooks/testing';
import type { Case } from '../case.ts';
import type { FullTrial } from '../subject.ts';
import { type AnyMessage, counted, happened, last, lines, on, rejects, scoped, watch } from './kit/index.ts';

const script = [{ text: 'hi' }];

/** Sends "hello", and gives the stored message of the user. */
async function sent(trial: FullTrial): Promise<AnyMessage> {
  await trial.send('hello');
  return last(trial, 'user');
}

const before = {
  section: 'spec 4.3',
  level: 'MUST',
  needs: ['update'],
  hooks: ['before_update_message'],
} as const;

const beforeCases: readonly Case[] = [
  {
    ...before,
    id: 'before_update_message.is_called_with_the_id_and_the_updates',
    says: 'The hook is called before the update is applied, with the message’s id and the updates alone.',
    covers: ['4.3.called'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = watch('before_update_message', async (state, id, updates) =>
        seen.push([id, { ...updates }, (await state.getMessage(id))?.content]),
      );
      const trial = await open(scoped([hook], { script }));
      const { id } = await sent(trial);
      await trial.update(id, { content: 'changed' });
      same(seen, [[id, { content: 'changed' }, 'hello']], 'the id, the updates and the text at that time');
      same((await last(trial, 'user')).content, 'changed', 'the text after the update');
    },
  },
  {
    ...before,
    id: 'before_update_message.is_used_for_the_update',
    says: 'What the hook returns is what is applied: fields that it adds, and not those that it leaves out.',
    covers: ['4.3.used'],
    async run({ open }) {
      const hook = on('before_update_message', async (_, _id, { flag, ...updates }) => ({
        ...updates,
        content: `${String(updates.content)}!`,
        metadata: { by: 'the hook' },
      }));
      const trial = await open(scoped([hook], { script }));
      const { id } = await sent(trial);
      await trial.update(id, { content: 'changed', flag: true });
      const { content, metadata, ...message } = await last(trial, 'user');
      same([content, metadata], ['changed!', { by: 'the hook' }], 'the fields that the hook returned');
      same('flag' in message, false, 'whether the field that the hook left out is stored');
    },
  },
  {
    ...before,
    id: 'before_update_message.leaves_other_fields_alone',
    says: 'An update changes the fields that it has and no others: not the id, the role, or the order of messages.',
    covers: ['4.3.used'],
    async run({ open }) {
      const passes = counted('before_update_message', async (_, _id, updates) => updates);
      const trial = await open(scoped([passes.hook], { script }));
      const was = await sent(trial);
      await trial.update(was.id, { metadata: { seen: true } });
      happened(passes.runs, 'a run of the hook');
      const is = await last(trial, 'user');
      same([is.id, is.content, is.created_at], [was.id, 'hello', was.created_at], 'the fields left alone');
      same(await lines(trial), ['user: hello', 'assistant: hi'], 'the messages in their order');
    },
  },
  {
    ...before,
    id: 'before_update_message.failure_prevents_the_update',
    level: 'SHOULD',
    says: 'Where the hook fails nothing is updated, no hook hears of an update, and the caller gets an error.',
    covers: ['4.3.failure'],
    async run({ open }) {
      let heard = 0;
      const fails = on('before_update_message', async () => {
        throw new Error('no');
      });
      const hears = watch('after_update_message', () => heard++);
      const trial = await open(scoped([fails, hears], { script }));
      const was = await sent(trial);
      await rejects(trial.update(was.id, { content: 'changed' }), 'updating');
      same(await last(trial, 'user'), was, 'the message after the update that failed');
      same(heard, 0, 'how often after_update_message was called');
    },
  },
  {
    ...before,
    id: 'before_update_message.is_called_for_an_update_by_a_hook',
    says: 'An update that a hook makes through its state passes the hooks too.',
    covers: ['4.3.called', '4.4.called'],
    async run({ open }) {
      const heard: unknown[] = [];
      const stamps = on('before_update_message', async (_, _id, updates) => ({
        ...updates,
        content: `${String(updates.content)}, checked`,
      }));
      const hears = watch('after_update_message', (_, { content }) => heard.push(content));
      const updates = on('after_create_message', async (state, { id, role }) => {
        if (role === 'assistant') await state.updateMessage(String(id), { content: 'changed' });
      });
      const trial = await open(scoped([stamps, hears, updates], { script }));
      await trial.send('hello');
      same((await last(trial, 'assistant')).content, 'changed, checked', 'the stored text');
      same(heard, ['changed, checked'], 'the texts that after_update_message heard of');
    },
  },
  {
    ...before,
    id: 'before_update_message.is_for_updates_only',
    says: 'Creating a message calls no update hook, and updating one no create hook.',
    covers: ['4.3.called', '4.1.called'],
    hooks: ['before_update_message', 'before_create_message', 'after_create_message', 'after_update_message'],
    async run({ open }) {
      const ran: string[] = [];
      const hooks = [
        watch('before_create_message', () => ran.push('before_create')),
        watch('after_create_message', () => ran.push('after_create')),
        watch('before_update_message', () => ran.push('before_update')),
        watch('after_update_message', () => ran.push('after_update')),
      ];
      const trial = await open(scoped(hooks, { script }));
      const { id } = await sent(trial);
      const created = ['before_create', 'after_create', 'before_create', 'after_create'];
      same(ran.splice(0), created, 'the hooks of two messages that were created');
      await trial.update(id, { content: 'changed' });
      same(ran, ['before_update', 'after_update'], 'the hooks of an update');
    },
  },
  {
    ...before,
    id: 'before_update_message.an_id_cannot_be_changed',
    level: 'ours',
    says: 'A hook that returns another id with its updates is refused, and nothing is updated: a message keeps its id.',
    async run({ open }) {
      const hook = on('before_update_message', async (_, _id, updates) => ({ ...updates, id: 'another' }));
      const trial = await open(scoped([hook], { script }));
      const was = await sent(trial);
      await rejects(trial.update(was.id, { content: 'changed' }), 'updating with another id');
      same(await last(trial, 'user'), was, 'the message after the update that was refused');
    },
  },
  {
    ...before,
    id: 'before_update_message.an_unknown_message_is_refused',
    level: 'ours',
    says: 'An update of a message that does not exist is refused.',
    async run({ open }) {
      const passes = counted('before_update_message', async (_, _id, updates) => updates);
      const trial = await open(scoped([passes.hook], { script }));
      const { id } = await sent(trial);
      await trial.update(id, { content: 'changed' });
      happened(passes.runs, 'a run of the hook');
      await rejects(trial.update('nobody', { content: 'changed' }), 'updating a message that does not exist');
    },
  },
];

const after = {
  section: 'spec 4.4',
  level: 'MUST',
  needs: ['update'],
  hooks: ['after_update_message'],
} as const;

const afterCases: readonly Case[] = [
  {
    ...after,
    id: 'after_update_message.gets_the_message_as_it_is_stored',
    says: 'The hook is called after the update, with the whole message, which can be read so.',
    covers: ['4.4.called'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = on('after_update_message', async (state, message) => {
        const read = await state.getMessage(message.id);
        seen.push([message.id, message.role, message.content, read?.content]);
      });
      const trial = await open(scoped([hook], { script }));
      const { id } = await sent(trial);
      await trial.update(id, { content: 'changed' });
      same(
        seen,
        [[id, 'user', 'changed', 'changed']],
        'the message that the hook got, and its text as stored',
      );
    },
  },
  {
    ...after,
    id: 'after_update_message.failure_leaves_the_update',
    level: 'SHOULD',
    says: 'Where the hook fails the update stands, and the caller gets no error.',
    covers: ['4.4.failure'],
    async run({ open }) {
      const fails = counted('after_update_message', async () => {
        throw new Error('no');
      });
      const trial = await open(scoped([fails.hook], { script }));
      const { id } = await sent(trial);
      await trial.update(id, { content: 'changed' });
      happened(fails.runs, 'a run of the hook');
      same((await last(trial, 'user')).content, 'changed', 'the stored text');
    },
  },
];

/** Messages that are changed (specification §4.3, §4.4). */
export const updateCases: readonly Case[] = [...beforeCases, ...afterCases];
