import { same } from '@spec/hooks/testing';
import type { Case } from '../case.ts';
import { calling, on, scoped, tool } from './kit/index.ts';
import { lacks, sentLines } from './kit/trials.ts';

const acting = { tools: [tool('act', 'acted')], script: calling('act') };

/** The system message of each request (specification §1.1). */
export const systemMessageCases: readonly Case[] = [
  {
    id: 'after_system_message.gets_the_system_message_and_changes_the_request',
    section: 'spec 1.1',
    level: 'MUST',
    says: 'The hook gets the system message after it is rendered; what it returns is what the model is sent.',
    hooks: ['after_system_message'],
    async run({ open }) {
      const seen: string[] = [];
      const hook = on('after_system_message', (_, message) => {
        seen.push(message);
        return `${message} Answer in verse.`;
      });
      const trial = await open(scoped([hook], { system: 'Be brief.' }));
      await trial.send('hello');
      same(seen, ['Be brief.'], 'the system messages that the hook got');
      const expected = ['system: Be brief. Answer in verse.', 'user: hello'];
      same(sentLines(trial, 0), expected, 'what the model was sent');
    },
  },
  {
    id: 'after_system_message.runs_before_every_request',
    section: 'spec 1.1',
    level: 'MUST',
    says: 'The hook changes one request: it begins again with the prompt’s own system message in the next.',
    hooks: ['after_system_message'],
    async run({ open }) {
      let count = 0;
      const hook = on('after_system_message', async (_, message) => `${message} ${++count}`);
      const trial = await open(scoped([hook], { system: 'Be brief.', ...acting }));
      await trial.send('hello');
      const systems = trial.sent().map(([first]) => first?.content);
      same(systems, ['Be brief. 1', 'Be brief. 2'], 'the system message of each request');
      lacks(JSON.stringify(await trial.messages()), 'Be brief. 1', 'the stored messages');
    },
  },
  {
    id: 'after_system_message.an_empty_text_counts',
    section: 'spec 1.1',
    level: 'MUST',
    says: 'An empty text is an answer: the model is not sent the prompt’s system message.',
    hooks: ['after_system_message'],
    async run({ open }) {
      const trial = await open(scoped([on('after_system_message', () => '')], { system: 'Be brief.' }));
      await trial.send('hello');
      const sent = sentLines(trial, 0).filter((line) => line !== 'system: ');
      same(sent, ['user: hello'], 'what the model was sent');
    },
  },
  {
    id: 'after_system_message.an_answer_without_a_promise_counts',
    section: 'spec 7',
    level: 'MUST',
    covers: ['7.system_message'],
    says: 'The hook may return its text without a promise.',
    hooks: ['after_system_message'],
    async run({ open }) {
      const trial = await open(scoped([on('after_system_message', () => 'At once.')], { system: 'x' }));
      await trial.send('hello');
      same(sentLines(trial, 0)[0], 'system: At once.', 'what the model was sent first');
    },
  },
];
