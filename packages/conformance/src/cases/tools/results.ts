import type { HookToolCall } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import type { Setup } from '../../subject.ts';
import { calling, last, on, scoped, tool, watch } from '../kit/index.ts';
import { contains, lacks, sentText } from '../kit/trials.ts';

export const succeeding: Setup = { tools: [tool('act', 'acted')], script: calling('act') };
export const failingTool: Setup = { tools: [tool('act', new Error('it broke'))], script: calling('act') };
export const both: Setup = {
  tools: [tool('act', 'acted'), tool('fail', new Error('it broke'))],
  script: calling('act', 'fail'),
};

export const readName = (call: unknown): string => (call as HookToolCall).function.name;

const storing = {
  section: 'spec 5.1',
  level: 'MUST',
  hooks: ['before_store_tool_result'],
} as const;

/** Results on their way to storage (specification §5.1). */
export const toolResultCases: readonly Case[] = [
  {
    ...storing,
    id: 'before_store_tool_result.is_called_before_each_result_is_stored',
    says: 'The hook is called once for each result, of success and of failure, with its call, before it is stored.',
    covers: ['5.1.called'],
    async run({ open }) {
      const seen: string[] = [];
      const hook = on('before_store_tool_result', async (state, call, result) => {
        const isStored = (await state.getMessages()).some(({ tool_call_id }) => tool_call_id === call.id);
        seen.push(`${readName(call)}: ${String(result.status)}, stored: ${isStored}`);
        return result;
      });
      const trial = await open(scoped([hook], both));
      await trial.send('go');
      const expected = ['act: success, stored: false', 'fail: error, stored: false'];
      same(seen.sort(), expected, 'what the hook saw');
    },
  },
  {
    ...storing,
    id: 'before_store_tool_result.is_what_is_stored_and_sent',
    says: 'What the hook returns is stored, and sent to the model, in the place of the result; the raw one is nowhere.',
    covers: ['5.1.called'],
    async run({ open }) {
      const hook = on('before_store_tool_result', async (_, _call, result) => ({
        ...result,
        result: 'cleaned',
      }));
      const trial = await open(scoped([hook], succeeding));
      await trial.send('go');
      same((await last(trial, 'tool')).content, 'cleaned', 'the stored result');
      contains(sentText(trial, 1), 'cleaned', 'what the model was sent');
      lacks(sentText(trial) + JSON.stringify(await trial.messages()), 'acted', 'what was sent and stored');
    },
  },
  {
    ...storing,
    id: 'before_store_tool_result.can_clean_an_error',
    says: 'The error of a failed tool can be rewritten before it is stored.',
    covers: ['5.1.called'],
    async run({ open }) {
      const hook = on('before_store_tool_result', async (_, _call, { stack, ...result }) => ({
        ...result,
        error: 'The tool is not available.',
      }));
      const trial = await open(scoped([hook], failingTool));
      await trial.send('go');
      contains((await last(trial, 'tool')).content, 'The tool is not available.', 'the stored result');
      lacks(sentText(trial) + JSON.stringify(await trial.messages()), 'it broke', 'what was sent and stored');
    },
  },
  {
    ...storing,
    id: 'before_store_tool_result.runs_after_the_hooks_of_the_call',
    level: 'ours',
    says: 'The hook gets what after_tool_call_success made of the result.',
    hooks: ['before_store_tool_result', 'after_tool_call_success'],
    async run({ open }) {
      const store = on('before_store_tool_result', async (_, _call, result) => ({
        ...result,
        result: `${String(result.result)} and cleaned`,
      }));
      const success = on('after_tool_call_success', async (_, _call, result) => ({
        ...result,
        result: `${result.result}, rewritten`,
      }));
      const trial = await open(scoped([store, success], succeeding));
      await trial.send('go');
      same((await last(trial, 'tool')).content, 'acted, rewritten and cleaned', 'the stored result');
    },
  },
  {
    ...storing,
    id: 'before_store_tool_result.a_field_of_its_own_survives',
    level: 'ours',
    says: 'A field that the specification does not know goes on to the next hook.',
    async run({ open }) {
      const seen: unknown[] = [];
      const adds = on(
        'before_store_tool_result',
        async (_, _call, result) => ({ ...result, cost: { cents: 3 } }),
        {
          id: 'adds',
        },
      );
      const sees = watch('before_store_tool_result', (_, _call, result) => seen.push(result.cost), {
        id: 'sees',
      });
      await (await open(scoped([adds, sees], succeeding))).send('go');
      same(seen, [{ cents: 3 }], 'the field as the second hook saw it');
    },
  },
];
