import type { AnyHook, StoredToolResult } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import {
  counted,
  happened,
  lines,
  never,
  on,
  rejects,
  returning,
  scoped,
  watch,
  withText,
} from '../kit/index.ts';
import { asks, contains, lacks, makeCall, SHORT, sentText, storedAs, watchedTool } from '../kit/trials.ts';

const about = {
  section: 'control after_tool_batch',
  level: 'ours',
  needs: ['control'],
  hooks: ['after_tool_batch'],
} as const;

/** Three calls side by side; the first takes longest. */
const threeCalls = {
  tools: [
    watchedTool('act', async ({ n }) => {
      await new Promise((resolve) => setTimeout(resolve, 10 * (3 - Number(n))));
      return `result ${String(n)}`;
    }),
  ],
  script: [asks(...[1, 2, 3].map((n) => makeCall('act', { n }, `call_${n}`))), { text: 'I see.' }],
};

function says(id: string, texts: string | string[] | null): AnyHook {
  return on('after_tool_batch', async () => texts, { id });
}

const readRoles = (stored: readonly string[]): string => stored.map((line) => line.split(':')[0]).join(' ');

/** after_tool_batch, and what hooks say while a batch of calls runs. */
export const batchCases: readonly Case[] = [
  {
    ...about,
    id: 'after_tool_batch.sees_all_results_as_stored',
    says: 'The hook runs once per batch, and sees each call with its result, in call order, as they are stored.',
    hooks: ['after_tool_batch', 'before_store_tool_result'],
    async run({ open }) {
      const batches: Array<Array<[string, unknown]>> = [];
      const redact = on('before_store_tool_result', async (_, _call, result) => ({
        ...result,
        result: String(result.result).replace('2', '***'),
      }));
      const look = watch('after_tool_batch', (_, results: StoredToolResult[]) =>
        batches.push(results.map(({ toolCall, result }) => [toolCall.id, result.result])),
      );
      const trial = await open(scoped([redact, look], threeCalls));
      await trial.send('Go');
      const expected = [
        ['call_1', 'result 1'],
        ['call_2', 'result ***'],
        ['call_3', 'result 3'],
      ];
      same(batches, [expected], 'what the hook saw');
    },
  },
  {
    ...about,
    id: 'after_tool_batch.does_not_run_without_calls',
    says: 'The hook does not run for an answer without tool calls.',
    async run({ open }) {
      let ran = 0;
      const count = watch('after_tool_batch', () => ran++);
      const script = [{ text: 'No.' }, asks(makeCall('act'))];
      const trial = await open(scoped([count], { tools: [watchedTool()], script }));
      await trial.send('Go');
      happened(trial.sent().length, 'a call of the model');
      same(ran, 0, 'how often it ran');
      await trial.send('Do go');
      same(ran, 1, 'how often it had run after a turn with a call');
    },
  },
  {
    ...about,
    id: 'after_tool_batch.texts_are_one_message_behind_all_results',
    says: 'What all hooks say of a batch is one message of the user behind all results, and the model reads it.',
    async run({ open }) {
      const trial = await open(
        scoped([says('one', ['A.', 'B.']), says('two', 'C.'), says('none', null)], threeCalls),
      );
      await trial.send('Go');
      const stored = await lines(trial);
      same(
        readRoles(stored),
        'user assistant tool tool tool user assistant',
        'the roles of the stored messages',
      );
      for (const text of ['A.', 'B.', 'C.']) {
        contains(stored[5], text, 'the message behind the results');
        contains(sentText(trial, 1), text, 'what the model was sent next');
      }
    },
  },
  {
    ...about,
    id: 'after_tool_batch.null_adds_nothing',
    says: 'Where no hook has anything to say, no message is added.',
    async run({ open }) {
      for (const texts of [null, [] as string[]]) {
        const none = counted('after_tool_batch', async () => texts);
        const trial = await open(scoped([none.hook], threeCalls));
        await trial.send('Go');
        happened(none.runs, 'a run of the hook');
        const stored = await lines(trial);
        same(
          readRoles(stored),
          'user assistant tool tool tool assistant',
          'the roles of the stored messages',
        );
      }
    },
  },
  {
    ...about,
    id: 'before_tool_call.contexts_are_one_message_behind_all_results',
    says: 'What hooks add to the calls of a batch comes as one message of the user after all results, with what after_tool_batch says.',
    hooks: ['before_tool_call', 'after_tool_batch'],
    async run({ open }) {
      const noting = on('before_tool_call', async (_, { id }) => ({ context: `about ${id}` }));
      const trial = await open(scoped([noting, says('batch', 'about all')], threeCalls));
      await trial.send('Go');
      const stored = await lines(trial);
      same(
        readRoles(stored),
        'user assistant tool tool tool user assistant',
        'the roles of the stored messages',
      );
      for (const what of ['call_1', 'call_2', 'call_3', 'all'])
        contains(stored[5], `about ${what}`, 'the message behind the results');
    },
  },
  {
    ...about,
    id: 'after_tool_batch.message_passes_the_create_chain',
    says: 'The message of a batch passes its create chain like any other.',
    hooks: ['after_tool_batch', 'before_create_message'],
    async run({ open }) {
      const redact = on('before_create_message', async (_, message) =>
        withText(message, (text) => text.replace('marker', '***')),
      );
      const trial = await open(scoped([redact, says('leaky', 'the marker')], threeCalls));
      await trial.send('Go');
      contains((await storedAs(trial, 'user')).at(-1)?.content, 'the ***', 'the stored message');
      lacks(sentText(trial), 'marker', 'what the model was sent');
    },
  },
  {
    ...about,
    id: 'after_tool_batch.failure_goes_on',
    failing: ['after_tool_batch'],
    says: 'A hook that fails, hangs or returns what is no text stops neither the other hooks nor the turn.',
    async run({ open }) {
      const ways: Array<() => Promise<never>> = [
        () => Promise.reject(new Error('no luck')),
        () => never(),
        returning({ text: 'an object' }),
        returning(['a text', 7]),
      ];
      for (const way of ways) {
        const broken = on('after_tool_batch', way, { id: 'broken', timeout: SHORT });
        const trial = await open(scoped([broken, says('fine', 'Still here.')], threeCalls));
        same((await trial.send('Go')).status, 'completed', 'how the turn ended');
        contains((await lines(trial))[5], 'Still here.', 'the message behind the results');
      }
    },
  },
  {
    ...about,
    id: 'after_tool_batch.on_error_block_fails_the_step',
    says: 'Where its definition says block, its failure ends the turn with an error, and the results stay.',
    async run({ open }) {
      const strict = on('after_tool_batch', () => Promise.reject(new Error('no luck')), { onError: 'block' });
      const trial = await open(scoped([strict], threeCalls));
      await rejects(trial.send('Go'), 'sending');
      same(trial.sent().length, 1, 'how often the model was called');
      same((await storedAs(trial, 'tool')).length, 3, 'how many results are stored');
    },
  },
];
