import type { HookMessage } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../case.ts';
import { calling, counted, happened, lines, on, scoped, tool, watch } from './kit/index.ts';
import { contains, lacks, sentLines, sentText } from './kit/trials.ts';

const acting = { tools: [tool('act', 'acted')], script: calling('act') };

/** Which messages the model is sent (specification §3.1). */
export const filteringCases: readonly Case[] = [
  {
    id: 'filter_messages.decides_what_the_model_is_sent',
    section: 'spec 3.1',
    level: 'MUST',
    says: 'What the hook leaves out the model is not sent; it stays in storage.',
    covers: ['3.1.before_context'],
    hooks: ['filter_messages'],
    async run({ open }) {
      const hook = on('filter_messages', async (_, messages) => messages.slice(-1));
      const trial = await open(scoped([hook], { script: [{ text: 'one' }, { text: 'two' }] }));
      await trial.send('first');
      await trial.send('second');
      same(sentLines(trial, 1), ['user: second'], 'what the model was sent in the second turn');
      const expected = ['user: first', 'assistant: one', 'user: second', 'assistant: two'];
      same(await lines(trial), expected, 'the stored messages');
    },
  },
  {
    id: 'filter_messages.gets_the_messages_from_storage',
    section: 'spec 3.1',
    level: 'MUST',
    says: 'The hook gets the raw messages, in order, with their ids, as they are stored.',
    covers: ['3.1.raw'],
    hooks: ['filter_messages'],
    async run({ open }) {
      const seen: HookMessage[][] = [];
      const hook = watch('filter_messages', (_, messages) => seen.push(structuredClone(messages)));
      const trial = await open(scoped([hook], acting));
      await trial.send('go');
      const stored = await trial.messages();
      const facts = (list: readonly HookMessage[]): unknown =>
        list.map(({ id, role, content, created_at, tool_call_id }) => [
          id,
          role,
          content,
          created_at,
          tool_call_id ?? null,
        ]);
      same(seen.length, 2, 'how often the hook ran in a turn of two steps');
      same(
        facts(seen[1] ?? []),
        facts(stored.slice(0, 3)),
        'the messages that the hook got in the second step',
      );
    },
  },
  {
    id: 'filter_messages.gets_tool_calls_as_text',
    section: 'spec 6.1',
    level: 'MUST',
    says: 'In the messages that the hook gets, tool_calls is JSON text of a list of calls.',
    covers: ['6.1.tool_calls'],
    hooks: ['filter_messages'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = watch('filter_messages', (_, messages) =>
        seen.push(messages.find(({ role }) => role === 'assistant')?.tool_calls),
      );
      const trial = await open(scoped([hook], acting));
      await trial.send('go');
      holds(typeof seen[1] === 'string', `expected tool_calls to be a text, got ${typeof seen[1]}`);
      const [call] = JSON.parse(String(seen[1]));
      same([call.id, call.type, call.function.name], ['call_1', 'function', 'act'], 'the call in the text');
    },
  },
  {
    id: 'filter_messages.can_inject_a_message',
    section: 'spec 3.1',
    level: 'MUST',
    says: 'A synthetic message that the hook puts in reaches the model and is not stored.',
    hooks: ['filter_messages'],
    async run({ open }) {
      const synthetic: HookMessage = { id: 'synthetic', role: 'user', content: 'made up', created_at: 1 };
      const hook = on('filter_messages', async (_, messages) => [synthetic, ...messages]);
      const trial = await open(scoped([hook], { script: [{ text: 'hi' }] }));
      await trial.send('hello');
      same(sentLines(trial, 0), ['user: made up', 'user: hello'], 'what the model was sent');
      same(await lines(trial), ['user: hello', 'assistant: hi'], 'the stored messages');
    },
  },
  {
    id: 'filter_messages.can_change_and_reorder',
    section: 'spec 3.1',
    level: 'MUST',
    says: 'What the hook changes, and the order it makes, is what the model is sent; storage keeps its own.',
    hooks: ['filter_messages'],
    async run({ open }) {
      const hook = on('filter_messages', async (_, messages) =>
        messages.map((message) => ({ ...message, content: `<${message.content}>` })).reverse(),
      );
      const trial = await open(scoped([hook], { script: [{ text: 'one' }, { text: 'two' }] }));
      await trial.send('first');
      await trial.send('second');
      const expected = ['user: <second>', 'assistant: <one>', 'user: <first>'];
      same(sentLines(trial, 1), expected, 'what the model was sent');
      same((await lines(trial)).slice(0, 2), ['user: first', 'assistant: one'], 'the stored messages');
    },
  },
  {
    id: 'filter_messages.may_leave_nothing',
    section: 'spec 3.1',
    level: 'MUST',
    says: 'A hook that leaves no message is obeyed: the model is sent none of them.',
    hooks: ['filter_messages'],
    async run({ open }) {
      const nothing = counted('filter_messages', async () => []);
      const trial = await open(scoped([nothing.hook], { script: [{ text: 'hi' }] }));
      await trial.send('a secret').catch(() => {}); // A provider may refuse to be asked nothing.
      happened(nothing.runs, 'a run of the hook');
      lacks(sentText(trial), 'a secret', 'what the model was sent');
    },
  },
  {
    id: 'filter_messages.a_result_without_its_call_is_not_sent',
    section: 'design 7.1',
    level: 'ours',
    says: 'Where a hook drops an answer with calls and keeps their results, the results are dropped too: models refuse them.',
    hooks: ['filter_messages'],
    async run({ open }) {
      const hook = on('filter_messages', async (_, messages) =>
        messages.filter(({ role }) => role !== 'assistant'),
      );
      const trial = await open(scoped([hook], acting));
      await trial.send('go');
      same(sentLines(trial, 1), ['user: go'], 'what the model was sent in the second step');
    },
  },
  {
    id: 'filter_messages.a_result_twice_is_sent_once',
    section: 'design 7.1',
    level: 'ours',
    says: 'Where a hook repeats a result, the model is not sent two results for one call: models refuse them.',
    hooks: ['filter_messages'],
    async run({ open }) {
      let repeated = 0;
      const hook = on('filter_messages', async (_, messages) => {
        const results = messages.filter(({ role }) => role === 'tool');
        repeated += results.length;
        return [...messages, ...results];
      });
      const trial = await open(scoped([hook], acting));
      await trial.send('go');
      happened(repeated, 'the repetition of a result');
      const results = (trial.sent()[1] ?? []).filter(({ tool_call_id }) => tool_call_id === 'call_1');
      same(results.length, 1, 'how many results of the call the model was sent');
    },
  },
  {
    id: 'filter_messages.a_call_without_its_result_is_not_sent',
    section: 'design 7.1',
    level: 'ours',
    says: 'Where a hook drops a result and keeps its call, the call is dropped too: models refuse it.',
    hooks: ['filter_messages'],
    async run({ open }) {
      const hook = on('filter_messages', async (_, messages) =>
        messages.filter(({ role }) => role !== 'tool'),
      );
      const trial = await open(scoped([hook], acting));
      await trial.send('go');
      lacks(sentText(trial, 1), 'call_1', 'what the model was sent in the second step');
      contains(sentText(trial, 1), 'go', 'what the model was sent in the second step');
    },
  },
];
