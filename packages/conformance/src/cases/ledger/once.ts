import type { AnyHook, LifecycleName, Outcome, RunRecord } from '@spec/hooks';
import { lifecycleTable } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Setup } from '../../subject.ts';
import { happened, on, onUntyped, scoped, watch } from '../kit/index.ts';
import { asks, contains, makeCall, userSays, watchedTool } from '../kit/trials.ts';

const about = { section: 'C10', level: 'ours', needs: ['ledger'] } as const;
const oneCall: Setup = { tools: [watchedTool()], script: [asks(makeCall('act'))] };

const ofTurns: readonly LifecycleName[] = [
  ...(['after_thread_created', 'after_system_message', 'filter_messages', 'prefilter_llm_history'] as const),
  ...(['before_create_message', 'after_create_message', 'before_store_tool_result'] as const),
  ...(['after_tool_call_success', 'after_tool_call_failure'] as const),
];

const ofDecisionsAndEdits: readonly LifecycleName[] = [
  ...(['before_user_message', 'before_tool_call', 'after_tool_batch', 'before_stop'] as const),
  ...(['before_update_message', 'after_update_message'] as const),
];

const outcomes: ReadonlySet<string> = new Set<Outcome>([
  ...(['ok', 'changed', 'denied', 'asked', 'failed', 'timed_out', 'aborted'] as const),
  ...(['invalid_input', 'invalid_result', 'skipped'] as const),
]);

/** A turn with calls that succeed and fail, and an edit; every hook counts how often it is executed. */
async function everyRunOnce({ open }: TestBench, names: readonly LifecycleName[]): Promise<void> {
  const executed: string[] = [];
  const counting = (hook: LifecycleName, id: string): AnyHook =>
    onUntyped(
      hook,
      async (_state: unknown, ...args: unknown[]) => {
        executed.push(id);
        return lifecycleTable[hook].kind === 'transform' ? args.at(-1) : null;
      },
      { id },
    );
  const hooks = names.flatMap((name) => [counting(name, `one_${name}`), counting(name, `two_${name}`)]);
  const tool = watchedTool('act', async ({ n }) => {
    if (n === 1) throw new Error('no luck');
    return 'acted';
  });
  const calls = [1, 2, 3].map((n) => makeCall('act', { n }, `call_${n}`));
  const script = [asks(...calls), { text: 'I see.' }];
  const trial = await open(scoped(hooks, { system: 'Be brief.', tools: [tool], script }));
  await trial.send('Go');
  await trial.send('Go on');
  if (names.includes('before_update_message'))
    await trial.update((await trial.messages())[0]?.id ?? '', { content: 'Went' });
  const runs = await trial.runs();
  for (const { id } of hooks) happened(executed.filter((one) => one === id).length, `a run of ${id}`);
  same(
    runs.map(({ id }) => id).sort(),
    executed.sort(),
    'the ids of the recorded runs, against those of the executed hooks',
  );
  for (const { source, outcome } of runs) {
    contains(source, 'prompt', 'where a recorded run was named');
    same(outcomes.has(outcome), true, `the outcome of a recorded run, "${outcome}", is one of the ten`);
  }
}

/** Each run is recorded exactly once, wherever it runs. */
export const recordedOnceCases: readonly Case[] = [
  {
    ...about,
    id: 'ledger.every_run_is_recorded_once',
    says: 'Each execution of each hook is recorded exactly once, with where it was named.',
    hooks: ofTurns,
    run: (bench) => everyRunOnce(bench, ofTurns),
  },
  {
    ...about,
    needs: ['ledger', 'control', 'update'],
    id: 'ledger.every_run_of_control_hooks_and_edits_is_recorded_once',
    says: 'Each execution of each hook that decides or collects, and of those of an edit, is recorded exactly once.',
    hooks: ofDecisionsAndEdits,
    run: (bench) => everyRunOnce(bench, ofDecisionsAndEdits),
  },
  {
    ...about,
    needs: ['ledger', 'subagents', 'policies'],
    hooks: ['before_create_message'],
    id: 'ledger.runs_inside_subagents_are_recorded',
    says: 'Each execution of a hook inside a subagent is recorded exactly once too.',
    async run({ open }) {
      const executed: string[] = [];
      const count = watch('before_create_message', ({ threadId }) => executed.push(threadId));
      const script = [asks(makeCall('delegate', { task: 'Think.' }))];
      const subagent = { script: [{ text: 'Thought.' }], promptHooks: [] };
      const trial = await open({ policies: [count], promptHooks: [], script, subagent });
      await trial.send('Go');
      const inside = executed.filter((threadId) => threadId !== trial.threadId);
      happened(inside.length, 'a run of the policy in the subagent');
      same(
        (await trial.runs()).length,
        executed.length,
        'the recorded runs, against those of the executed hook',
      );
    },
  },
  {
    ...about,
    needs: ['ledger', 'control'],
    hooks: ['before_tool_call'],
    id: 'ledger.hooks_behind_a_deny_are_recorded_as_skipped',
    says: 'A hook that was not asked, because another one had denied, is recorded as skipped, once.',
    async run({ open }) {
      const hooks = [
        on('before_tool_call', async () => ({ decision: 'deny' }), { id: 'first' }),
        on('before_tool_call', async () => null, { id: 'second' }),
      ];
      const trial = await open(scoped(hooks, oneCall));
      await trial.send('Go');
      const found = (await trial.runs()).map(({ id, outcome }) => `${id} ${outcome}`);
      same(found, ['first denied', 'second skipped'], 'the recorded runs');
    },
  },
  {
    ...about,
    hooks: ['before_create_message'],
    id: 'ledger.hooks_behind_a_failure_are_recorded_as_skipped',
    says: 'A hook that did not run, because one before it ended the chain, is recorded as skipped, once.',
    async run({ open }) {
      const hooks = [
        on('before_create_message', () => Promise.reject(new Error('no luck')), { id: 'first' }),
        on('before_create_message', async (_, message) => message, { id: 'second' }),
      ];
      const trial = await open(scoped(hooks));
      await trial.send('Go').catch(() => {});
      const found = (await trial.runs()).slice(0, 2).map(({ id, outcome }) => `${id} ${outcome}`);
      same(found, ['first failed', 'second skipped'], 'the first two recorded runs');
    },
  },
  {
    ...about,
    needs: ['ledger', 'control'],
    hooks: ['before_tool_call'],
    id: 'ledger.rewrites_are_recorded_with_their_hook',
    says: 'Each rewrite of an input is recorded as a change by the hook that made it, and each hook as often as it was asked.',
    async run({ open }) {
      const hooks = [
        on('before_tool_call', async () => ({ decision: 'allow' }), { id: 'guard' }),
        on('before_tool_call', async () => ({ input: { n: 2 } }), { id: 'rewriter' }),
      ];
      const trial = await open(scoped(hooks, oneCall));
      await trial.send('Go');
      const found = (await trial.runs()).map(({ id, changed }) => `${id} ${changed}`);
      same(
        found,
        ['guard false', 'rewriter true', 'guard false'],
        'the recorded runs, and whether each changed it',
      );
    },
  },
  {
    ...about,
    needs: ['ledger', 'control'],
    hooks: ['before_user_message'],
    id: 'ledger.denied_message_is_recorded',
    says: 'The deny of a message is recorded though nothing of the message is stored.',
    async run({ open }) {
      const trial = await open(scoped([on('before_user_message', async () => ({ decision: 'deny' }))]));
      await trial.send('Go');
      same(listOutcomes(await trial.runs()), ['denied'], 'the outcomes of the recorded runs');
    },
  },
  {
    ...about,
    needs: ['ledger', 'inject'],
    hooks: ['before_create_message'],
    id: 'ledger.runs_at_rest_are_recorded',
    says: 'What runs while no turn does is recorded too, also where it prevents the message.',
    async run({ open }) {
      const guard = on('before_create_message', async (_, message) => {
        if (message.content === 'bad') throw new Error('no luck');
        return message;
      });
      const trial = await open(scoped([guard]));
      await trial.inject(userSays('good'));
      await trial.inject(userSays('bad')).catch(() => {});
      await trial.send('Go');
      same(
        listOutcomes(await trial.runs()),
        ['ok', 'failed', 'ok', 'ok'],
        'the outcomes of the recorded runs',
      );
    },
  },
  {
    ...about,
    needs: ['ledger', 'policies'],
    hooks: ['before_create_message'],
    id: 'ledger.tells_policies_from_scoped_hooks',
    says: 'The record tells a policy from a hook that the prompt or the agent names.',
    async run({ open }) {
      const pass = (id: string): AnyHook =>
        on('before_create_message', async (_, message) => message, { id });
      const findSource = async (setup: Setup, id: string): Promise<string> => {
        const trial = await open({ hooks: [pass('scoped')], policies: [pass('policy')], ...setup });
        await trial.send('Go');
        return (await trial.runs()).find((run) => run.id === id)?.source ?? 'none';
      };
      const named = { promptHooks: ['scoped'] };
      contains(await findSource(named, 'policy'), 'policy', 'the source of a policy');
      contains(await findSource(named, 'scoped'), 'prompt', 'the source of a hook of the prompt');
      contains(
        await findSource({ agentHooks: ['scoped'] }, 'scoped'),
        'agent',
        'the source of a hook of the agent',
      );
    },
  },
  {
    ...about,
    needs: ['ledger', 'subagents'],
    hooks: ['before_create_message'],
    id: 'ledger.runs_of_subagents_are_recorded',
    says: 'The runs of hooks in a subagent are told too.',
    async run({ open }) {
      const pass = on('before_create_message', async (_, message) => message, { id: 'only_in_the_subagent' });
      const trial = await open({
        hooks: [pass],
        promptHooks: [],
        script: [asks(makeCall('delegate', { task: 'Think.' }))],
        subagent: { script: [{ text: 'Thought.' }], promptHooks: [pass.id] },
      });
      await trial.send('Go');
      contains(await trial.told(), 'only_in_the_subagent', 'what the runtime tells');
    },
  },
];

function listOutcomes(runs: readonly RunRecord[]): Outcome[] {
  return runs.map(({ outcome }) => outcome);
}
