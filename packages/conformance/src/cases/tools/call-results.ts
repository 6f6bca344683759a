import type { HookToolResult } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { calling, counted, happened, last, never, on, scoped, stored, tool, watch } from '../kit/index.ts';
import { contains, lacks, sentText } from '../kit/trials.ts';
import { both, failingTool, readName, succeeding } from './results.ts';

const succeeded = {
  section: 'spec 5.2',
  level: 'MUST',
  hooks: ['after_tool_call_success'],
} as const;

const successCases: readonly Case[] = [
  {
    ...succeeded,
    id: 'after_tool_call_success.is_called_for_successes_only',
    says: 'The hook is called once for each call that succeeded, with the call and its result; the failure hook for the others.',
    covers: ['5.2.called', '5.3.called'],
    hooks: ['after_tool_call_success', 'after_tool_call_failure'],
    async run({ open }) {
      const seen: string[] = [];
      const hooks = [
        watch('after_tool_call_success', (_, call, { status, result }) =>
          seen.push(`success of ${readName(call)}: ${status}, ${result}`),
        ),
        watch('after_tool_call_failure', (_, call, { status, error }) =>
          seen.push(`failure of ${readName(call)}: ${status}, ${error?.includes('it broke')}`),
        ),
      ];
      const trial = await open(scoped(hooks, both));
      await trial.send('go');
      same(
        seen.sort(),
        ['failure of fail: error, true', 'success of act: success, acted'],
        'the calls of hooks',
      );
    },
  },
  {
    ...succeeded,
    id: 'after_tool_call_success.null_uses_the_original_result',
    says: 'If the hook returns null, the original result is stored and sent: the call and its result stay.',
    covers: ['5.2.null', '5.2.use'],
    async run({ open }) {
      const none = counted('after_tool_call_success', async () => null);
      const trial = await open(scoped([none.hook], succeeding));
      await trial.send('go');
      happened(none.runs, 'a run of the hook');
      const roles = (await stored(trial)).map(({ role }) => role);
      same(roles, ['user', 'assistant', 'tool', 'assistant'], 'the roles of the stored messages');
      same((await last(trial, 'tool')).content, 'acted', 'the stored result');
      contains(sentText(trial, 1), 'acted', 'what the model was sent');
    },
  },
  {
    ...succeeded,
    id: 'after_tool_call_success.a_result_replaces_the_original',
    says: 'If the hook returns a result, that one is stored and sent.',
    covers: ['5.2.result'],
    async run({ open }) {
      const hook = on('after_tool_call_success', async () => ({ status: 'success', result: 'another' }));
      const trial = await open(scoped([hook], succeeding));
      await trial.send('go');
      same((await last(trial, 'tool')).content, 'another', 'the stored result');
      lacks(sentText(trial), 'acted', 'what the model was sent');
    },
  },
  {
    ...succeeded,
    id: 'after_tool_call_success.may_turn_a_success_into_an_error',
    says: 'The result that replaces the original may be an error.',
    covers: ['5.2.result'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = on('after_tool_call_success', async () => ({ status: 'error', error: 'not good enough' }));
      const store = watch('before_store_tool_result', (_, _call, result) => seen.push(result.status));
      const trial = await open(scoped([hook, store], succeeding));
      await trial.send('go');
      same(seen, ['error'], 'the status of the result that is about to be stored');
      contains((await last(trial, 'tool')).content, 'not good enough', 'the stored result');
    },
  },
  {
    ...succeeded,
    id: 'after_tool_call_success.sees_the_call_of_the_model',
    says: 'The hook gets the call as the model made it: its id, its type, its name, its arguments as JSON text.',
    covers: ['6.2.tool_call', '6.3.tool_result'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = on('after_tool_call_success', async (_, call, result) => {
        const { name, arguments: json } = call.function;
        seen.push([call.id, call.type, name, typeof json, JSON.parse(json), result.status, result.result]);
        return null;
      });
      const calls = [{ id: 'call_7', name: 'act', input: { city: 'Köln', days: 2 } }];
      const trial = await open(scoped([hook], { tools: [tool('act', 'acted')], script: [{ calls }] }));
      await trial.send('go');
      const expected = ['call_7', 'function', 'act', 'string', { city: 'Köln', days: 2 }, 'success', 'acted'];
      same(seen, [expected], 'the call and the result that the hook got');
    },
  },
  {
    ...succeeded,
    id: 'after_tool_call_success.keeps_parallel_calls_apart',
    level: 'ours',
    says: 'Of two calls in one answer, each hook gets the result of its own call, and each result is stored for its own.',
    async run({ open }) {
      const hook = on('after_tool_call_success', async (_, { id }, result) => ({
        ...result,
        result: `${result.result} for ${id}`,
      }));
      const tools = [tool('one', 'first'), tool('two', 'second')];
      const trial = await open(scoped([hook], { tools, script: calling('one', 'two') }));
      await trial.send('go');
      const results = (await stored(trial)).filter(({ role }) => role === 'tool');
      const expected = ['call_1: first for call_1', 'call_2: second for call_2'];
      same(
        results.map(({ tool_call_id, content }) => `${tool_call_id}: ${content}`),
        expected,
        'the stored results',
      );
    },
  },
];

const failed = {
  section: 'spec 5.3',
  level: 'MUST',
  hooks: ['after_tool_call_failure'],
} as const;

const failureResultCases: readonly Case[] = [
  {
    ...failed,
    id: 'after_tool_call_failure.null_uses_the_original_error',
    says: 'If the hook returns null, the original error is stored and sent.',
    covers: ['5.3.null'],
    async run({ open }) {
      const none = counted('after_tool_call_failure', async () => null);
      const trial = await open(scoped([none.hook], failingTool));
      const { status } = await trial.send('go');
      happened(none.runs, 'a run of the hook');
      same(status, 'completed', 'the status of the turn');
      contains((await last(trial, 'tool')).content, 'it broke', 'the stored result');
      contains(sentText(trial, 1), 'it broke', 'what the model was sent');
    },
  },
  {
    ...failed,
    id: 'after_tool_call_failure.an_error_replaces_the_original',
    says: 'The hook can transform the error: what it returns is stored and sent.',
    covers: ['5.3.null'],
    async run({ open }) {
      const hook = on('after_tool_call_failure', async () => ({ status: 'error', error: 'try again later' }));
      const trial = await open(scoped([hook], failingTool));
      await trial.send('go');
      contains((await last(trial, 'tool')).content, 'try again later', 'the stored result');
      lacks(sentText(trial) + JSON.stringify(await trial.messages()), 'it broke', 'what was sent and stored');
    },
  },
  {
    ...failed,
    id: 'after_tool_call_failure.can_recover',
    level: 'ours',
    says: 'The hook can recover: a success that it returns is stored as one.',
    covers: ['5.3.null'],
    async run({ open }) {
      const seen: unknown[] = [];
      const hook = on('after_tool_call_failure', async () => ({ status: 'success', result: 'from a cache' }));
      const store = watch('before_store_tool_result', (_, _call, result) => seen.push(result.status));
      const trial = await open(scoped([hook, store], failingTool));
      await trial.send('go');
      same(seen, ['success'], 'the status of the result that is about to be stored');
      same((await last(trial, 'tool')).content, 'from a cache', 'the stored result');
    },
  },
  {
    ...failed,
    id: 'after_tool_call_failure.hears_of_a_result_that_is_an_error',
    says: 'A tool that returns an error, without throwing, has failed too.',
    covers: ['5.3.called'],
    async run({ open }) {
      let heard: HookToolResult | undefined;
      const hook = on('after_tool_call_failure', async (_, _call, result) => {
        heard = result;
        return null;
      });
      const tools = [tool('act', { status: 'error', error: 'said so' })];
      const trial = await open(scoped([hook], { tools, script: calling('act') }));
      await trial.send('go');
      same([heard?.status, heard?.error], ['error', 'said so'], 'the result that the hook heard of');
    },
  },
  {
    ...failed,
    id: 'after_tool_call_failure.that_waits_for_a_dead_service_stops_nothing',
    says: 'A hook whose external service fails or does not answer does not keep the turn from going on.',
    covers: ['5.3.graceful'],
    async run({ open }) {
      const throws = counted(
        'after_tool_call_failure',
        async () => {
          throw new TypeError('fetch failed');
        },
        { id: 'throws' },
      );
      const hangs = counted('after_tool_call_failure', () => never(), { id: 'hangs', timeout: 40 });
      const trial = await open(scoped([throws.hook, hangs.hook], failingTool));
      const { status } = await trial.send('go');
      happened(throws.runs, 'a run of the hook that throws');
      happened(hangs.runs, 'a run of the hook that hangs');
      same(status, 'completed', 'the status of the turn');
      contains((await last(trial, 'tool')).content, 'it broke', 'the stored result');
    },
  },
];

/** Calls that succeeded and calls that failed (specification §5.2, §5.3). */
export const toolCallResultCases: readonly Case[] = [...successCases, ...failureResultCases];
