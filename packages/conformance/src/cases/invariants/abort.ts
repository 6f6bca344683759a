import { type LifecycleName, lifecycleTable, type ThreadState } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Setup } from '../../subject.ts';
import { isValidHistory } from '../kit/history.ts';
import { gate, never, on, onUntyped, passOn, scoped, watch } from '../kit/index.ts';
import { asks, lacks, makeCall, results, sentText, soon, watchedTool } from '../kit/trials.ts';

const about = { level: 'ours', needs: ['abort'] } as const;

/** The hooks that a turn with one call comes to. */
const places: readonly LifecycleName[] = [
  ...(['before_user_message', 'before_create_message', 'after_create_message'] as const),
  ...(['after_system_message', 'filter_messages', 'prefilter_llm_history'] as const),
  ...(['before_tool_call', 'after_tool_call_success', 'before_store_tool_result'] as const),
  ...(['after_tool_batch', 'before_stop'] as const),
];

const oneCall = (): Setup => ({
  system: 'Be brief.',
  tools: [watchedTool()],
  script: [asks(makeCall('act'))],
});

/** Stops a turn while a hook hangs the first time; behind that hook stands another one. */
async function stopsIn({ open }: TestBench, hook: LifecycleName): Promise<void> {
  const [reached, signalled] = [gate(), gate()];
  let calls = 0;
  let later = 0;
  let isStopped = false;
  const hanging = async (state: ThreadState, ...args: unknown[]): Promise<unknown> => {
    if (calls++ > 0) return passOn(hook, args);
    state.execution.abortSignal.addEventListener('abort', () => signalled.open());
    reached.open();
    return never();
  };
  const next = async (_: ThreadState, ...args: unknown[]): Promise<unknown> => {
    if (!isStopped) later++;
    return passOn(hook, args);
  };
  const options = lifecycleTable[hook].kind === 'observe' ? {} : { onError: 'continue' };
  const hooks = [
    onUntyped(hook, hanging, { id: 'hanging', ...options }),
    onUntyped(hook, next, { id: 'next' }),
  ];
  const trial = await open(scoped(hooks, { ...oneCall() }));
  const sending = trial.send('Go');
  await soon(reached.opened, 'the hook that hangs');
  await soon(trial.stop(), 'the stop');
  const { status } = await soon(sending, 'the end of the turn');
  isStopped = true;
  await soon(signalled.opened, 'the abort signal in the hook');
  same(status, 'aborted', 'how the turn ended');
  isValidHistory(await trial.messages(), 'the history after the stop');
  const again = await soon(trial.send('And now?'), 'the next turn');
  same(again.status, 'completed', 'how the next turn ended');
  isValidHistory(await trial.messages(), 'the history after the next turn');
  if (!mayRunAgain.has(hook)) same(later, 0, 'how often the hook behind it ran in the turn that was stopped');
}

/** What an aborted turn has begun it still stores: the chains of that run once more, or for what comes after. */
const mayRunAgain: ReadonlySet<LifecycleName> = new Set([
  ...(['before_store_tool_result', 'before_create_message', 'after_create_message'] as const),
]);

/** A thread abort ends what runs, whatever a hook says, and leaves a thread that can go on (C4, C6). */
export const abortCases: readonly Case[] = [
  ...places.map(
    (hook): Case => ({
      ...about,
      section: 'C6',
      id: `${hook}.abort_beats_continue`,
      says: 'Where a turn is stopped while the hook hangs, its signal fires, the chain ends though the hook says continue, and the thread goes on with a valid history.',
      needs: ['abort', ...(lifecycleTable[hook].section.startsWith('design') ? (['control'] as const) : [])],
      hooks: [hook],
      run: (bench) => stopsIn(bench, hook),
    }),
  ),
  {
    ...about,
    section: 'C6',
    id: 'invariants.abort_while_a_tool_runs',
    says: 'A turn that is stopped while a tool runs ends, though the tool does not react; its call has a result.',
    async run({ open }) {
      const reached = gate();
      const deaf = watchedTool('deaf', () => {
        reached.open();
        return never();
      });
      const calls = asks(makeCall('act', {}, 'a'), makeCall('deaf', {}, 'b'));
      const trial = await open({ tools: [watchedTool(), deaf], script: [calls] });
      const sending = trial.send('Go');
      await soon(reached.opened, 'the tool');
      await trial.stop();
      same((await soon(sending, 'the end of the turn')).status, 'aborted', 'how the turn ended');
      isValidHistory(await trial.messages(), 'the history after the stop');
      same((await results(trial)).length, 2, 'how many results are stored');
      same((await trial.send('And now?')).status, 'completed', 'how the next turn ended');
    },
  },
  {
    ...about,
    section: 'C6',
    id: 'invariants.abort_while_a_result_is_redacted',
    says: 'A result whose redaction was cut off by a stop is never stored as it was.',
    hooks: ['before_store_tool_result'],
    async run({ open }) {
      const reached = gate();
      let calls = 0;
      const redact = on('before_store_tool_result', async (_, _call, result) => {
        if (calls++ === 0) {
          reached.open();
          return never();
        }
        return { ...result, result: String(result.result).replace('marker', '***') };
      });
      const setup = { tools: [watchedTool('act', 'the marker')], script: [asks(makeCall('act'))] };
      const trial = await open(scoped([redact], { ...setup }));
      const sending = trial.send('Go');
      await soon(reached.opened, 'the redaction');
      await trial.stop();
      await soon(sending, 'the end of the turn');
      await trial.send('And now?');
      lacks((await results(trial)).join(' | '), 'marker', 'the stored results');
      lacks(sentText(trial), 'marker', 'what the model was sent');
    },
  },
  {
    ...about,
    section: 'C6',
    id: 'invariants.stop_while_nothing_runs_does_nothing',
    says: 'A stop while nothing runs leaves the next turn alone.',
    hooks: ['before_create_message'],
    async run({ open }) {
      const aborted: boolean[] = [];
      const look = watch('before_create_message', ({ execution }) =>
        aborted.push(execution.abortSignal.aborted),
      );
      const trial = await open(scoped([look]));
      await trial.stop();
      same((await trial.send('Go')).status, 'completed', 'how the turn ended');
      same(aborted, [false, false], 'whether the signal had fired in its hooks');
    },
  },
];
