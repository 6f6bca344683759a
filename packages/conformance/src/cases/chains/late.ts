import { same } from '@spec/hooks/testing';
import type { Case, TestBench } from '../../case.ts';
import { BRIEF, reach } from '../kit/at-place.ts';
import { gate, lines, never } from '../kit/index.ts';
import { type Place, places } from '../kit/places.ts';
import { lacks, soon, writesLate } from '../kit/trials.ts';

type Way = 'timed_out' | 'settled';

const waysInWords: Readonly<Record<Way, string>> = {
  timed_out: 'timed out',
  settled: 'has settled',
};

/** A hook writes when it has ended, and the hook behind it runs. */
async function isRefused(bench: TestBench, place: Place, way: Way): Promise<void> {
  const over = gate();
  let writing: Promise<string> = never();
  const { trial } = await reach(bench, place, [
    {
      id: 'late',
      ...(way === 'timed_out' ? { timeout: BRIEF } : {}),
      run(args, state) {
        writing = writesLate(state, over.opened);
        return way === 'timed_out' ? never() : args.at(-1);
      },
    },
    {
      id: 'next',
      run(args) {
        over.open();
        return args.at(-1);
      },
    },
  ]);
  over.open();
  same(await soon(writing, 'the late write'), 'refused', 'the late write');
  lacks((await lines(trial)).join('\n'), 'written too late', 'the stored messages');
}

function lateWrite(place: Place, way: Way): Case {
  const { hook, needs = [] } = place;
  return {
    id: `${hook}.cannot_write_once_it_${way}`,
    section: 'C5',
    level: 'ours',
    says: `A hook that ${waysInWords[way]} cannot write any more: its state refuses it, and nothing is stored.`,
    needs: [...new Set([...needs, 'inject' as const])],
    hooks: [hook],
    run: (bench) => isRefused(bench, place, way),
  };
}

function signalled(place: Place): Case {
  const { hook, needs = [] } = place;
  return {
    id: `${hook}.is_told_of_its_timeout`,
    section: 'C4',
    level: 'ours',
    says: 'When a hook times out its abort signal fires, and not before.',
    needs,
    hooks: [hook],
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
  };
}

/** What a hook can do, and is told, once its time is over: in each of the twelve places. */
export const lateCases: readonly Case[] = places.flatMap((place) => [
  lateWrite(place, 'timed_out'),
  lateWrite(place, 'settled'),
  signalled(place),
]);
