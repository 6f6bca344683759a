import type { LifecycleName } from '@spec/hooks';
import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import { BRIEF, caseAt, reach } from '../kit/at-place.ts';
import { gate, lines, never, passOn } from '../kit/index.ts';
import { type Place, places } from '../kit/places.ts';
import { asks, lacks, makeCall, soon, watchedTool, writesLate } from '../kit/trials.ts';

type AnyPlace = Place<LifecycleName>;
type Way = 'timed_out' | 'settled';

const waysInWords: Readonly<Record<Way, string>> = {
  timed_out: 'timed out',
  settled: 'has settled',
};

/** A hook writes when it has ended, and the hook behind it runs. */
async function isRefused(bench: TestBench, place: AnyPlace, way: Way): Promise<void> {
  const over = gate();
  let writing: Promise<string> = never();
  const { trial } = await reach(bench, place, [
    {
      id: 'late',
      ...(way === 'timed_out' ? { timeout: BRIEF } : {}),
      run(args, state) {
        writing = writesLate(state, over.opened);
        return way === 'timed_out' ? never() : passOn(place.hook, args);
      },
    },
    {
      id: 'next',
      run(args) {
        over.open();
        return passOn(place.hook, args);
      },
    },
  ]);
  over.open();
  same(await soon(writing, 'the late write'), 'refused', 'the late write');
  lacks((await lines(trial)).join('\n'), 'written too late', 'the stored messages');
}

function lateWrite(place: AnyPlace, way: Way): Case {
  return caseAt(place, {
    what: `cannot_write_once_it_${way}`,
    section: 'C5',
    level: 'ours',
    says: `A hook that ${waysInWords[way]} cannot write any more: its state refuses it, and nothing is stored.`,
    needs: [...new Set([...(place.needs ?? []), 'inject' as const])],
    run: (bench) => isRefused(bench, place, way),
  });
}

function signalled(place: AnyPlace): Case {
  return caseAt(place, {
    what: 'is_told_of_its_timeout',
    section: 'C4',
    level: 'ours',
    says: 'When a hook times out its abort signal fires, and not before.',
    async run(bench) {
      const fired = gate<number>();
      await reach(bench, place, [
        {
          id: 'hangs',
          timeout: BRIEF,
          run(_, { execution }) {
            const began = performance.now();
            execution.abortSignal.addEventListener('abort', () => fired.open(performance.now() - began));
            return never();
          },
        },
      ]);
      const ms = await soon(fired.opened, 'the abort signal of a hook that hangs');
      if (ms < BRIEF / 2)
        throw new Error(`expected the signal to fire after ${BRIEF} ms, it fired after ${Math.round(ms)}`);
    },
  });
}

/** What a hook can do, and is told, once its time is over: in each of the twelve places. */
export const lateCases: readonly Case[] = places.flatMap((place) => [
  lateWrite(place, 'timed_out'),
  lateWrite(place, 'settled'),
  signalled(place),
]);

const controlHooks = [
  ...(['before_user_message', 'before_tool_call', 'before_permission_request'] as const),
  ...(['after_tool_batch', 'before_stop'] as const),
];

/** The control hooks that a turn comes to whose tool asks for permission. */
const controlPlaces = controlHooks.map(
  (hook): AnyPlace => ({
    hook,
    section: `control ${hook}`,
    needs: ['control'],
    setup: {
      tools: [{ ...watchedTool(), permission: 'ask' }],
      script: [asks(makeCall('act'))],
      onAsk: 'allow',
    },
    reach: (trial) => trial.send('Go'),
  }),
);

/** The same of control hooks. */
export const lateControlCases: readonly Case[] = controlPlaces.flatMap((place) => [
  signalled(place),
  lateWrite(place, 'timed_out'),
]);
