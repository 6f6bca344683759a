import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { gate, lines, on, pause, scoped } from '../kit/index.ts';
import { asks, contains, makeCall, results, soon, userSays, watchedTool } from '../kit/trials.ts';

const about = { section: 'design 7.1', level: 'ours' } as const;
const threeCalls = [asks(...[1, 2, 3].map((n) => makeCall('act', { n }, `call_${n}`))), { text: 'I see.' }];

/** The first of three calls takes longest. */
const slowestFirst = () =>
  watchedTool('act', async ({ n }) => {
    await pause(12 * (3 - Number(n)));
    return `result ${String(n)}`;
  });

/** Calls side by side, and what waits for them. */
export const toolOrderCases: readonly Case[] = [
  {
    ...about,
    id: 'tools.results_are_stored_in_call_order',
    says: 'The results of calls side by side are stored in the order of the calls, whichever ends first.',
    async run({ open }) {
      const trial = await open({ tools: [slowestFirst()], script: threeCalls });
      await trial.send('Go');
      same(await results(trial), ['result 1', 'result 2', 'result 3'], 'the stored results');
    },
  },
  {
    ...about,
    id: 'tools.results_are_sent_in_call_order',
    says: 'The model is sent the results of calls side by side in the order of the calls.',
    async run({ open }) {
      const trial = await open({ tools: [slowestFirst()], script: threeCalls });
      await trial.send('Go');
      const sent = trial.sent()[1]?.filter(({ role }) => role === 'tool') ?? [];
      same(
        sent.map(({ tool_call_id }) => tool_call_id),
        ['call_1', 'call_2', 'call_3'],
        'the calls that the model was sent results of',
      );
    },
  },
  {
    ...about,
    id: 'tools.calls_run_side_by_side',
    says: 'Calls of one answer run at the same time.',
    async run({ open }) {
      const [first, second] = [gate(), gate()];
      const tool = watchedTool('act', async ({ n }) => {
        (n === 1 ? first : second).open();
        await soon((n === 1 ? second : first).opened, 'the start of the other call');
        return 'met';
      });
      const script = [asks(makeCall('act', { n: 1 }, 'a'), makeCall('act', { n: 2 }, 'b'))];
      const trial = await open({ tools: [tool], script });
      await trial.send('Go');
      same(await results(trial), ['met', 'met'], 'the stored results');
    },
  },
  {
    ...about,
    id: 'tools.one_failure_leaves_the_others',
    says: 'A call that fails takes none of the calls beside it with it.',
    async run({ open }) {
      const tool = watchedTool('act', async ({ n }) => {
        if (n === 2) throw new Error('no luck');
        return `result ${String(n)}`;
      });
      const trial = await open({ tools: [tool], script: threeCalls });
      const { status, text } = await trial.send('Go');
      same([status, text], ['completed', 'I see.'], 'how the turn ended');
      const [first, second, third] = await results(trial);
      same([first, third], ['result 1', 'result 3'], 'the results of the others');
      same(typeof second, 'string', 'the sort of the content of the failed one');
    },
  },
  {
    ...about,
    needs: ['inject'],
    id: 'tools.injected_message_waits_for_all_results',
    says: 'A message that is injected while calls run is stored behind all their results, and the model reads it next.',
    async run({ open }) {
      const tool = watchedTool('act', async ({ n }, state) => {
        if (n === 1) await state.injectMessage(userSays('By the way.'));
        return `result ${String(n)}`;
      });
      const trial = await open({ tools: [tool], script: threeCalls });
      await trial.send('Go');
      same(
        (await lines(trial)).slice(2),
        ['tool: result 1', 'tool: result 2', 'tool: result 3', 'user: By the way.', 'assistant: I see.'],
        'what is stored behind the calls',
      );
      contains(JSON.stringify(trial.sent()[1]), 'By the way.', 'what the model was sent next');
    },
  },
  {
    ...about,
    needs: ['queue'],
    id: 'tools.queued_message_waits_for_all_results',
    says: 'A message that is queued while calls run is stored behind all their results.',
    async run({ open }) {
      const tool = watchedTool('act', async ({ n }, state) => {
        if (n === 1) await state.queueMessage(userSays('By the way.'));
        return `result ${String(n)}`;
      });
      const trial = await open({ tools: [tool], script: threeCalls });
      await trial.send('Go');
      const stored = (await lines(trial)).slice(2, 6);
      const expected = ['tool: result 1', 'tool: result 2', 'tool: result 3', 'user: By the way.'];
      same(stored, expected, 'what is stored behind the calls');
    },
  },
  {
    ...about,
    needs: ['tools-from-hooks'],
    hooks: ['after_create_message'],
    id: 'tools.queued_call_is_stored_as_a_call_of_the_model',
    says: 'A tool that a hook queued runs in the next step, as if the model had called it.',
    async run({ open }) {
      const tool = watchedTool();
      const queueing = on('after_create_message', async (state, { role }) => {
        if (role === 'user') await state.queueTool('act', { n: 1 });
      });
      const trial = await open(scoped([queueing], { tools: [tool] }));
      await trial.send('Go');
      same(tool.ran, [{ n: 1 }], 'what the tool was run with');
      const roles = (await lines(trial)).map((line) => line.split(':')[0]);
      same(roles, ['user', 'assistant', 'tool', 'assistant'], 'the roles of the stored messages');
    },
  },
  {
    ...about,
    needs: ['tools-from-hooks'],
    hooks: ['after_tool_call_success', 'after_create_message'],
    id: 'tools.invoked_call_passes_its_hooks',
    says: 'A tool that a hook invokes passes the hooks of a call, and the hook gets the result that they made.',
    async run({ open }) {
      const answers: unknown[] = [];
      const invoking = on('after_create_message', async (state, { role }) => {
        if (role === 'user') answers.push((await state.invokeTool('act', {})).result);
      });
      const rewrite = on('after_tool_call_success', async (_, _call, result) => ({
        ...result,
        result: 'better',
      }));
      const trial = await open(scoped([invoking, rewrite], { tools: [watchedTool()] }));
      await trial.send('Go');
      same(answers, ['better'], 'what the hook was answered');
    },
  },
];
