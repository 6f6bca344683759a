import {
  type AnyHook,
  type ExecutionState,
  type LifecycleName,
  lifecycleTable,
  type ThreadState,
} from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';
import type { Case } from '../../case.ts';
import { happened, onUntyped, scoped, watch } from '../kit/index.ts';
import { asks, makeCall, userSays, watchedTool } from '../kit/trials.ts';

const about = { section: 'C12', level: 'ours' } as const;

interface Seen extends Pick<ExecutionState, 'flowId' | 'currentSide' | 'stepCount' | 'stopped'> {
  readonly hook: LifecycleName;
  readonly isAborted: boolean;
}

/** Hooks that note where they run. */
function noting(names: readonly LifecycleName[], seen: Seen[]): AnyHook[] {
  return names.map((hook) => {
    const execute = async ({ execution }: ThreadState, ...args: unknown[]): Promise<unknown> => {
      const { flowId, currentSide, stepCount, stopped, abortSignal } = execution;
      seen.push({ hook, flowId, currentSide, stepCount, stopped, isAborted: abortSignal.aborted });
      return lifecycleTable[hook].kind === 'transform' ? args.at(-1) : null;
    };
    return onUntyped(hook, execute);
  });
}

const findSteps = (seen: readonly Seen[], name: LifecycleName): number[] =>
  seen.filter(({ hook }) => hook === name).map(({ stepCount }) => stepCount);

const names = [
  ...(['before_create_message', 'after_create_message', 'after_system_message', 'filter_messages'] as const),
  ...(['prefilter_llm_history', 'after_tool_call_success', 'before_store_tool_result'] as const),
];

/** What state.execution tells, in turns and at rest (C12). */
export const executionCases: readonly Case[] = [
  {
    ...about,
    hooks: names,
    id: 'invariants.execution_is_there_in_every_hook_of_a_turn',
    says: 'All hooks of a turn see the same flow, the number of the step, a live signal, and a turn that is not stopped.',
    async run({ open }) {
      const seen: Seen[] = [];
      const script = [asks(makeCall('act')), { text: 'I see.' }];
      const setup = { system: 'Be brief.', tools: [watchedTool()], script };
      const trial = await open(scoped(noting(names, seen), setup));
      await trial.send('Go');
      for (const name of names) happened(findSteps(seen, name).length, `a run of ${name}`);
      same(new Set(seen.map(({ flowId }) => flowId)).size, 1, 'how many flows the hooks saw');
      for (const { hook, flowId, currentSide, stopped, isAborted } of seen) {
        holds(typeof flowId === 'string' && flowId !== '', `${hook}: expected the flow to have an id`);
        same([currentSide, stopped, isAborted], ['a', false, false], `${hook}: side, stopped, aborted`);
      }
      same(findSteps(seen, 'filter_messages'), [1, 2], 'the steps of filter_messages');
      same(findSteps(seen, 'before_store_tool_result'), [1], 'the steps of before_store_tool_result');
    },
  },
  {
    ...about,
    needs: ['inject'],
    hooks: ['before_create_message', 'after_create_message'],
    id: 'invariants.execution_is_there_at_rest',
    says: 'While nothing runs, hooks see step 0, a flow of its own, and a live signal.',
    async run({ open }) {
      const seen: Seen[] = [];
      const trial = await open(scoped(noting(['before_create_message', 'after_create_message'], seen)));
      await trial.send('Go');
      const inTurn = seen.splice(0)[0]?.flowId;
      await trial.inject(userSays('By the way.'));
      const found = seen.map(({ hook, stepCount, isAborted }) => [hook, stepCount, isAborted]);
      const expected = [
        ['before_create_message', 0, false],
        ['after_create_message', 0, false],
      ];
      same(found, expected, 'hooks, steps, and whether the signal had fired');
      for (const { flowId } of seen)
        holds(
          flowId !== '' && flowId !== inTurn,
          'expected the flow at rest to be another one than the turn’s',
        );
    },
  },
  {
    ...about,
    needs: ['update', 'inject'],
    hooks: ['before_update_message', 'after_update_message'],
    id: 'invariants.execution_is_there_in_an_edit_at_rest',
    says: 'The hooks of an edit at rest see step 0 and a live signal.',
    async run({ open }) {
      const seen: Seen[] = [];
      const trial = await open(scoped(noting(['before_update_message', 'after_update_message'], seen)));
      await trial.inject(userSays('first', { id: 'm1' }));
      await trial.update('m1', { content: 'edited' });
      same(
        seen.map(({ stepCount, isAborted, flowId }) => [stepCount, isAborted, flowId !== '']),
        [
          [0, false, true],
          [0, false, true],
        ],
        'step, whether the signal had fired, whether there is a flow',
      );
    },
  },
  {
    ...about,
    hooks: ['after_tool_call_success', 'before_store_tool_result'],
    id: 'invariants.a_hook_can_end_the_turn',
    says: 'After execution.stop() the step ends, later hooks see a stopped turn, and the model is not called again.',
    async run({ open }) {
      const stopped: boolean[] = [];
      const stop = watch('after_tool_call_success', ({ execution }) => execution.stop());
      const look = watch('before_store_tool_result', ({ execution }) => stopped.push(execution.stopped));
      const setup = { tools: [watchedTool()], script: [asks(makeCall('act')), { text: 'Never said.' }] };
      const trial = await open(scoped([stop, look], setup));
      const { status } = await trial.send('Go');
      same([status, trial.sent().length], ['stopped', 1], 'how the turn ended, and the calls of the model');
      same(stopped, [true], 'what the later hook saw');
    },
  },
];
