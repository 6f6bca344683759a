import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { counted, happened, lines, on, returning, scoped, watch } from '../kit/index.ts';
import { asks, contains, makeCall, results, sentText, watchedTool } from '../kit/trials.ts';

const about = {
  section: 'control before_tool_call',
  level: 'ours',
  needs: ['control'],
  hooks: ['before_tool_call'],
} as const;

/** before_tool_call: a call before it runs. The rules of its decisions have cases of their own. */
export const toolCallCases: readonly Case[] = [
  {
    ...about,
    id: 'before_tool_call.runs_before_the_tool',
    says: 'The hook sees the call, with its id, its tool and its arguments, before the tool runs.',
    async run({ open }) {
      const order: unknown[] = [];
      const tool = watchedTool('act', async () => {
        order.push('ran');
        return 'acted';
      });
      const hook = watch('before_tool_call', (_, { id, type, function: { name, arguments: json } }) =>
        order.push([id, type, name, JSON.parse(json)]),
      );
      const trial = await open(
        scoped([hook], { tools: [tool], script: [asks(makeCall('act', { n: 1 }, 'c1'))] }),
      );
      await trial.send('Go');
      same(order, [['c1', 'function', 'act', { n: 1 }], 'ran'], 'what happened, in order');
    },
  },
  {
    ...about,
    id: 'before_tool_call.null_lets_the_call_run',
    says: 'A hook without an opinion, whether it returns null or no decision, lets the call run.',
    async run({ open }) {
      for (const answer of [null, {}]) {
        const tool = watchedTool();
        const none = counted('before_tool_call', async () => answer as null);
        const trial = await open(scoped([none.hook], { tools: [tool], script: [asks(makeCall('act'))] }));
        await trial.send('Go');
        happened(none.runs, 'a run of the hook');
        same(
          tool.ran.length,
          1,
          `how often the tool ran behind a hook that returns ${JSON.stringify(answer)}`,
        );
      }
    },
  },
  {
    ...about,
    id: 'before_tool_call.without_an_answer_the_call_does_not_run',
    says: 'A hook that returns nothing, as one does that forgot its return, is a failure: the call does not run.',
    async run({ open }) {
      const tool = watchedTool();
      const none = counted('before_tool_call', returning(undefined));
      const trial = await open(scoped([none.hook], { tools: [tool], script: [asks(makeCall('act'))] }));
      await trial.send('Go');
      happened(none.runs, 'a run of the hook');
      same(tool.ran.length, 0, 'how often the tool ran behind a hook that returns nothing');
    },
  },
  {
    ...about,
    id: 'before_tool_call.denied_call_has_a_result_and_the_model_goes_on',
    says: 'A denied call has an error result with the reason, and the model is asked again with it.',
    async run({ open }) {
      const tool = watchedTool();
      const hook = on('before_tool_call', async () => ({ decision: 'deny', reason: 'Not on Sundays.' }));
      const trial = await open(
        scoped([hook], { tools: [tool], script: [asks(makeCall('act')), { text: 'I see.' }] }),
      );
      const { status, text } = await trial.send('Go');
      same([status, text], ['completed', 'I see.'], 'how the turn ended');
      same(tool.ran.length, 0, 'how often the tool ran');
      const stored = await lines(trial);
      same(
        stored.map((line) => line.split(':')[0]),
        ['user', 'assistant', 'tool', 'assistant'],
        'the stored messages',
      );
      contains(stored[2], 'Not on Sundays.', 'the stored result');
      contains(sentText(trial, 1), 'Not on Sundays.', 'what the model was sent next');
    },
  },
  {
    ...about,
    id: 'before_tool_call.each_call_is_decided_on_alone',
    says: 'Of calls side by side one can be denied while the others run.',
    async run({ open }) {
      const tool = watchedTool();
      const hook = on('before_tool_call', async (_, call) =>
        call.id === 'b' ? { decision: 'deny', reason: 'not b' } : null,
      );
      const calls = ['a', 'b', 'c'].map((id) => makeCall('act', { id }, id));
      const trial = await open(scoped([hook], { tools: [tool], script: [asks(...calls)] }));
      await trial.send('Go');
      same(tool.ran.map(({ id }) => String(id)).sort(), ['a', 'c'], 'the calls that ran');
      const rows = await results(trial);
      same([rows[0], rows[2]], ['acted', 'acted'], 'the results of the others');
      contains(rows[1], 'not b', 'the result of the denied call');
    },
  },
  {
    ...about,
    id: 'before_tool_call.rewrite_is_seen_by_the_hooks_behind',
    says: 'The hooks that see the result are shown the call as it ran.',
    hooks: ['before_tool_call', 'after_tool_call_success', 'before_store_tool_result'],
    async run({ open }) {
      const seen: string[] = [];
      const trial = await open(
        scoped(
          [
            on('before_tool_call', async () => ({ input: { n: 2 } })),
            watch('after_tool_call_success', (_, call) => seen.push(call.function.arguments)),
            watch('before_store_tool_result', (_, call) =>
              seen.push((call.function as { arguments: string }).arguments),
            ),
          ],
          { tools: [watchedTool()], script: [asks(makeCall('act', { n: 1 }))] },
        ),
      );
      await trial.send('Go');
      same(seen, ['{"n":2}', '{"n":2}'], 'the arguments that the hooks behind saw');
    },
  },
  {
    ...about,
    id: 'before_tool_call.unknown_tool_is_not_run_for_an_allow',
    says: 'An allow of a tool that is not there has an error result, and the turn goes on.',
    async run({ open }) {
      const allows = counted('before_tool_call', async () => ({ decision: 'allow' }));
      const tool = watchedTool();
      const calls = asks(makeCall('act', {}, 'a'), makeCall('nobody', {}, 'b'));
      const trial = await open(scoped([allows.hook], { tools: [tool], script: [calls] }));
      const { status } = await trial.send('Go');
      happened(allows.runs, 'an allow');
      same(status, 'completed', 'how the turn ended');
      same(tool.ran.length, 1, 'how often the tool beside it ran');
      same((await results(trial)).length, 2, 'how many results were stored');
    },
  },
];
