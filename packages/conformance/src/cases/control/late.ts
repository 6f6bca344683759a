import type { AnyHook, ControlHookName, ThreadState } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import type { Setup } from '../../subject.ts';
import { gate, lines, never, on, scoped } from '../kit/index.ts';
import { asks, callOf, lacks, SHORT, soon, watchedTool, writesLate } from '../kit/trials.ts';

/** The control hooks that a turn comes to whose tool asks for permission. */
const places: readonly ControlHookName[] = [
  ...(['before_user_message', 'before_tool_call', 'before_permission_request'] as const),
  ...(['after_tool_batch', 'before_stop'] as const),
];

const turn = (): Setup => ({
  tools: [{ ...watchedTool(), permission: 'ask' }],
  script: [asks(callOf('act'))],
  onAsk: 'allow',
});

/** A hook that hangs, once. */
function hanging(name: ControlHookName, begin: (state: ThreadState) => void): AnyHook {
  let calls = 0;
  const execute = async (state: ThreadState): Promise<null> => {
    if (calls++ > 0) return null;
    begin(state);
    return never();
  };
  return on(name, execute as never, { timeout: SHORT }) as AnyHook;
}

async function isTold({ open }: TestBench, name: ControlHookName): Promise<void> {
  const signalled = gate<number>();
  const hook = hanging(name, ({ execution: { abortSignal } }) => {
    const began = performance.now();
    abortSignal.addEventListener('abort', () => signalled.open(performance.now() - began));
  });
  const trial = await open(scoped([hook], turn()));
  await trial.send('Go');
  const ms = await soon(signalled.opened, 'the abort signal of a hook that hangs');
  same(ms >= SHORT / 2, true, `the signal came after ${Math.round(ms)} of ${SHORT} ms, and not before`);
}

async function cannotWrite({ open }: TestBench, name: ControlHookName): Promise<void> {
  const over = gate();
  let writing: Promise<'accepted' | 'refused'> = never();
  const hook = hanging(name, (state) => {
    writing = writesLate(state, over.opened);
  });
  const trial = await open(scoped([hook], turn()));
  await trial.send('Go');
  over.open();
  same(await soon(writing, 'the end of the late write'), 'refused', 'the late write');
  lacks((await lines(trial)).join(' | '), 'written too late', 'what is stored');
}

/** What a control hook is told, and can do, once its time is over (C4, C5). */
export const lateControlCases: readonly Case[] = places.flatMap((name): Case[] => [
  {
    id: `${name}.is_told_of_its_timeout`,
    section: 'C4',
    level: 'ours',
    needs: ['control'],
    hooks: [name],
    says: 'When a hook times out its abort signal fires, and not before.',
    run: (bench) => isTold(bench, name),
  },
  {
    id: `${name}.cannot_write_once_it_timed_out`,
    section: 'C5',
    level: 'ours',
    needs: ['control', 'inject'],
    hooks: [name],
    says: 'A hook that timed out cannot write any more: its state refuses it, and nothing is stored.',
    run: (bench) => cannotWrite(bench, name),
  },
]);
