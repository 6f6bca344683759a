import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { lines, on, scoped } from '../kit/index.ts';
import { asks, contains, makeCall, sentText, userSays, watchedTool } from '../kit/trials.ts';

const about = { section: 'design 7.3', level: 'ours', needs: ['reopen'] } as const;

/** What another instance finds that opens a thread again. */
export const reopenCases: readonly Case[] = [
  {
    ...about,
    id: 'reopen.conversation_goes_on',
    says: 'The model is sent in another instance what was said before.',
    async run({ open }) {
      const script = [asks(makeCall('act')), { text: 'One.' }, { text: 'Two.' }];
      const trial = await open({ tools: [watchedTool()], script });
      await trial.send('First');
      const again = await trial.reopen();
      same((await again.send('Second')).text, 'Two.', 'the next answer');
      const last = again.sent().length - 1;
      for (const text of ['First', 'acted', 'One.', 'Second'])
        contains(sentText(again, last), text, 'what the model was sent');
      const stored = await lines(again);
      same([stored[0], stored.at(-1)], ['user: First', 'assistant: Two.'], 'the first and the last message');
    },
  },
  {
    ...about,
    hooks: ['before_create_message'],
    id: 'reopen.hooks_apply_as_before',
    says: 'The hooks in scope are the same in another instance.',
    async run({ open }) {
      const stamp = on('before_create_message', async (_, message) => ({
        ...message,
        content: `${String(message.content)}*`,
      }));
      const trial = await open(scoped([stamp]));
      await trial.send('One');
      const again = await trial.reopen();
      await again.send('Two');
      const expected = ['user: One*', 'assistant: done*', 'user: Two*', 'assistant: done*'];
      same(await lines(again), expected, 'what is stored');
    },
  },
  {
    ...about,
    needs: ['reopen', 'queue'],
    id: 'reopen.queue_is_kept',
    says: 'A message that was queued comes with the next turn in another instance.',
    async run({ open }) {
      const trial = await open({});
      await trial.queue(userSays('By the way.'));
      const again = await trial.reopen();
      await again.send('Go');
      const found = (await lines(again)).filter((line) => line === 'user: By the way.');
      same(found.length, 1, 'how often the queued message is stored');
    },
  },
  {
    ...about,
    needs: ['reopen', 'values'],
    id: 'reopen.values_are_kept',
    says: 'Values that a hook set are there in another instance.',
    async run({ open }) {
      const seen: unknown[] = [];
      const counting = on('filter_messages', async (state, messages) => {
        const count = await state.getValue('count');
        seen.push(count);
        await state.setValue('count', { so_far: [seen.length] });
        return messages;
      });
      const trial = await open(scoped([counting]));
      await trial.send('One');
      const again = await trial.reopen();
      await again.send('Two');
      same(seen, [undefined, { so_far: [1] }], 'the value as the hook found it');
    },
  },
  {
    ...about,
    needs: ['reopen', 'files'],
    id: 'reopen.files_are_kept',
    says: 'Files that a hook wrote are there in another instance.',
    async run({ open }) {
      const seen: string[] = [];
      const writing = on('filter_messages', async (state, messages) => {
        const bytes = await state.readFile('notes/a.txt');
        seen.push(bytes === null ? 'none' : new TextDecoder().decode(bytes));
        await state.writeFile('notes/a.txt', 'hello', 'text/plain');
        return messages;
      });
      const trial = await open(scoped([writing]));
      await trial.send('One');
      const again = await trial.reopen();
      await again.send('Two');
      same(seen, ['none', 'hello'], 'the file as the hook found it');
    },
  },
  {
    ...about,
    needs: ['reopen', 'ledger'],
    id: 'reopen.ledger_is_kept',
    says: 'The record of the runs of hooks is there in another instance.',
    async run({ open }) {
      const pass = on('before_create_message', async (_, message) => message);
      const trial = await open(scoped([pass]));
      await trial.send('One');
      const before = await trial.runs();
      const again = await trial.reopen();
      same(before.length, 2, 'how many runs are recorded before');
      same(await again.runs(), before, 'the record in the other instance');
    },
  },
];
