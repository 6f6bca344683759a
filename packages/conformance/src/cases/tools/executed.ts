import type { AnyHook, HookToolCall } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { lines, on, scoped, watch } from '../kit/index.ts';
import { asks, contains, lacks, makeCall, results, sentText, storedAs, watchedTool } from '../kit/trials.ts';

const about = { section: 'design 7.1', level: 'ours' } as const;
const created = ['before_create_message'] as const;

/** A hook that changes the calls of an answer before it is stored. */
function changesCalls(change: (calls: HookToolCall[]) => HookToolCall[]): AnyHook {
  return on('before_create_message', async (_, message) => {
    if (typeof message.tool_calls !== 'string') return message;
    const calls = change(JSON.parse(message.tool_calls) as HookToolCall[]);
    const { tool_calls: _calls, ...rest } = message;
    return calls.length === 0 ? rest : { ...rest, tool_calls: JSON.stringify(calls) };
  });
}

const fromTheChain: readonly Case[] = [
  {
    ...about,
    hooks: created,
    id: 'tools.call_that_a_hook_strips_does_not_run',
    says: 'A call that before_create_message takes out of the answer is neither run, nor stored, nor answered.',
    async run({ open }) {
      const [safe, danger] = [watchedTool('safe', 'fine'), watchedTool('danger', 'boom')];
      const strip = changesCalls((calls) => calls.filter(({ function: { name } }) => name !== 'danger'));
      const script = [asks(makeCall('danger', {}, 'a'), makeCall('safe', {}, 'b'))];
      const trial = await open(scoped([strip], { tools: [safe, danger], script }));
      await trial.send('Go');
      same([safe.ran.length, danger.ran.length], [1, 0], 'how often the kept and the stripped call ran');
      same(await results(trial), ['fine'], 'the stored results');
      lacks(sentText(trial), 'danger', 'what the model was sent');
    },
  },
  {
    ...about,
    hooks: created,
    id: 'tools.turn_ends_where_a_hook_strips_all_calls',
    says: 'An answer whose calls were all taken out is the last of the turn.',
    async run({ open }) {
      const tool = watchedTool();
      const script = [{ text: 'Let me see.', calls: [makeCall('act')] }];
      const trial = await open(scoped([changesCalls(() => [])], { tools: [tool], script }));
      const { status } = await trial.send('Go');
      same(
        [status, tool.ran.length, trial.sent().length],
        ['completed', 0, 1],
        'status, runs and model calls',
      );
      same(await lines(trial), ['user: Go', 'assistant: Let me see.'], 'what is stored');
    },
  },
  {
    ...about,
    hooks: created,
    id: 'tools.call_that_a_hook_changes_runs_as_changed',
    says: 'A call whose arguments before_create_message changed is run and stored with those.',
    async run({ open }) {
      const tool = watchedTool('read');
      const change = changesCalls((calls) =>
        calls.map(({ function: { name }, ...call }) => ({
          ...call,
          function: { name, arguments: '{"path":"/tmp/x"}' },
        })),
      );
      const script = [asks(makeCall('read', { path: '/etc/passwd' }))];
      const trial = await open(scoped([change], { tools: [tool], script }));
      await trial.send('Go');
      same(tool.ran, [{ path: '/tmp/x' }], 'what the tool was run with');
      const [answer] = await storedAs(trial, 'assistant');
      lacks(answer?.tool_calls, '/etc/passwd', 'the stored calls');
      contains(answer?.tool_calls, '/tmp/x', 'the stored calls');
    },
  },
  {
    ...about,
    hooks: created,
    id: 'tools.call_that_a_hook_renames_runs_the_other_tool',
    says: 'A call that before_create_message made a call of another tool runs that one.',
    async run({ open }) {
      const [safe, danger] = [watchedTool('safe', 'fine'), watchedTool('danger', 'boom')];
      const rename = changesCalls((calls) =>
        calls.map((call) => ({ ...call, function: { ...call.function, name: 'safe' } })),
      );
      const setup = { tools: [safe, danger], script: [asks(makeCall('danger'))] };
      const trial = await open(scoped([rename], setup));
      await trial.send('Go');
      same([safe.ran.length, danger.ran.length], [1, 0], 'how often the new and the old tool ran');
    },
  },
  {
    ...about,
    hooks: created,
    id: 'tools.call_that_a_hook_adds_runs',
    says: 'A call that before_create_message adds to an answer is run and answered.',
    async run({ open }) {
      const tool = watchedTool();
      const call = { id: 'added', type: 'function', function: { name: 'act', arguments: '{"n":1}' } };
      const add = on('before_create_message', async (_, message) =>
        message.content === 'Nothing.' ? { ...message, tool_calls: JSON.stringify([call]) } : message,
      );
      const trial = await open(scoped([add], { tools: [tool], script: [{ text: 'Nothing.' }] }));
      await trial.send('Go');
      same(tool.ran, [{ n: 1 }], 'what the tool was run with');
      same(await results(trial), ['acted'], 'the stored results');
    },
  },
];

const withoutHooks: readonly Case[] = [
  {
    ...about,
    id: 'tools.input_that_does_not_fit_does_not_run',
    says: 'A call whose arguments the tool’s schema does not accept has an error result, and the tool does not run.',
    async run({ open }) {
      const tool = watchedTool('read');
      const setup = {
        tools: [{ ...tool, required: ['path'] }],
        script: [asks(makeCall('read', { path: 7 }))],
      };
      const trial = await open(setup);
      const { status } = await trial.send('Go');
      same(tool.ran, [], 'what the tool was run with');
      same([status, (await results(trial)).length], ['completed', 1], 'how the turn ended, and its results');
    },
  },
  {
    ...about,
    hooks: ['after_tool_call_failure'],
    id: 'tools.unknown_tool_is_a_failed_call',
    says: 'A call of a tool that is not there has an error result, the failure hook sees it, and the turn goes on.',
    async run({ open }) {
      const seen: string[] = [];
      const look = watch('after_tool_call_failure', (_, call) => seen.push(call.function.name));
      const trial = await open(scoped([look], { script: [asks(makeCall('nobody'))] }));
      const { status } = await trial.send('Go');
      same(status, 'completed', 'how the turn ended');
      same((await results(trial)).length, 1, 'how many results are stored');
      same(seen, ['nobody'], 'the calls that after_tool_call_failure saw');
    },
  },
  {
    ...about,
    id: 'tools.broken_arguments_are_a_failed_call',
    says: 'A call whose arguments are no JSON object has an error result, and the tool does not run.',
    async run({ open }) {
      for (const input of ['{"path":', '"text"', '[1]', 'null']) {
        const tool = watchedTool();
        const trial = await open({ tools: [tool], script: [asks({ id: 'call_1', name: 'act', input })] });
        const { status } = await trial.send('Go');
        same([status, tool.ran.length], ['completed', 0], `arguments ${input}: status and runs`);
        holds((await results(trial)).length === 1, `arguments ${input}: expected one stored result`);
      }
    },
  },
];

/** What is run is what was stored: the create chain has the last word (design §7.1, step 3). */
export const executedCases: readonly Case[] = [...fromTheChain, ...withoutHooks];
