import { type AnyHook, type Decision, defineHook } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { scoped, until } from '../kit/index.ts';
import { asks, contains, lacks, makeCall, results, sentText, watchedTool } from '../kit/trials.ts';

const about = { section: 'control before_tool_call', level: 'ours', needs: ['control'] } as const;
const hooks = ['before_tool_call'] as const;

function decides(id: string, decision: Decision): AnyHook {
  return defineHook({ hook: 'before_tool_call', id, execute: async (_) => decision });
}

const cached = { status: 'success', result: 'cached' } as const;

/** What the fields of a decision do beyond the decision itself. */
export const answerCases: readonly Case[] = [
  {
    ...about,
    hooks,
    id: 'decisions.reason_goes_to_the_model',
    says: 'The reason of a deny is what the model reads as the result of its call.',
    async run(bench) {
      const deny = decides('deny', { decision: 'deny', reason: 'Not on Sundays.' });
      const trial = await bench.open({
        ...scoped([deny]),
        tools: [watchedTool()],
        script: [asks(makeCall('act'))],
      });
      await trial.send('Go');
      contains((await results(trial))[0], 'Not on Sundays.', 'the stored result');
      contains(sentText(trial, 1), 'Not on Sundays.', 'what the model was sent next');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.reason_is_the_deciders',
    says: 'The reason that is given is that of the hook whose decision it is.',
    async run(bench) {
      const policies = scoped([
        decides('allow', { decision: 'allow', reason: 'harmless as it is' }),
        decides('deny', { decision: 'deny', reason: 'Not on Sundays.' }),
      ]);
      const trial = await bench.open({
        ...policies,
        tools: [watchedTool()],
        script: [asks(makeCall('act'))],
      });
      await trial.send('Go');
      const [row] = await results(trial);
      contains(row, 'Not on Sundays.', 'the stored result');
      lacks(row, 'harmless as it is', 'the stored result');
    },
  },
  {
    ...about,
    hooks: ['before_tool_call', 'after_notification'],
    needs: ['control', 'notifications'],
    id: 'decisions.user_message_goes_to_the_person',
    says: 'What a hook says to the person reaches the person, and not the model.',
    async run(bench) {
      const heard: string[] = [];
      const listen = defineHook({
        hook: 'after_notification',
        id: 'listen',
        execute: async (_, { message }) => void heard.push(message),
      });
      const deny = decides('deny', {
        decision: 'deny',
        reason: 'for the model',
        userMessage: 'for the person',
      });
      const trial = await bench.open({
        ...scoped([deny, listen]),
        tools: [watchedTool()],
        script: [asks(makeCall('act'))],
      });
      await trial.send('Go');
      await until(() => heard.includes('for the person'), 'the notification of the person');
      contains(sentText(trial), 'for the model', 'what the model was sent');
      lacks(sentText(trial), 'for the person', 'what the model was sent');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.result_answers_the_call',
    says: 'A result in a decision answers the call, and the tool does not run.',
    async run(bench) {
      const tool = watchedTool();
      const setup = scoped([decides('cache', { result: cached })]);
      const trial = await bench.open({ ...setup, tools: [tool], script: [asks(makeCall('act'))] });
      await trial.send('Go');
      same(tool.ran, [], 'what the tool was run with');
      same(await results(trial), ['cached'], 'the stored results');
      contains(sentText(trial, 1), 'cached', 'what the model was sent next');
    },
  },
  {
    ...about,
    hooks: ['before_tool_call', 'before_store_tool_result'],
    id: 'decisions.result_passes_the_storing_hooks',
    says: 'A result that a hook gives passes before_store_tool_result like any other.',
    async run(bench) {
      const redact = defineHook({
        hook: 'before_store_tool_result',
        id: 'redact',
        execute: async (_, _call, result) => ({
          ...result,
          result: String(result.result).replace('cached', '***'),
        }),
      });
      const setup = scoped([decides('cache', { result: cached }), redact]);
      const trial = await bench.open({ ...setup, tools: [watchedTool()], script: [asks(makeCall('act'))] });
      await trial.send('Go');
      same(await results(trial), ['***'], 'the stored results');
    },
  },
  {
    ...about,
    hooks,
    id: 'decisions.result_never_beats_a_deny',
    says: 'A call that a hook answers and another one denies is denied, and so is one whose ask nobody can answer.',
    async run(bench) {
      for (const decision of ['deny', 'ask'] as const) {
        const tool = watchedTool();
        const setup = scoped([
          decides('cache', { decision: 'allow', result: cached }),
          decides('strict', { decision, reason: 'no' }),
        ]);
        const trial = await bench.open({ ...setup, tools: [tool], script: [asks(makeCall('act'))] });
        await trial.send('Go');
        same(tool.ran, [], 'what the tool was run with');
        same((await results(trial)).length, 1, 'how many results are stored');
        lacks((await results(trial))[0], 'cached', `the stored result, with a hook that says ${decision}`);
      }
    },
  },
];
