import type { Bench, Comparison } from '../bench.ts';
import type { Synchronous } from './contender.ts';
import { findModule, type Peer, type Peers } from './peers.ts';
import { type Runs, race } from './race.ts';

const OURS = 'this project';
const FLOOR = 'the messages alone, by hand';
const ROWS = 'our rows by hand';

const ours = new URL('./ours.ts', import.meta.url);
const floor = new URL('./floor.ts', import.meta.url);
const rows = new URL('./rows.ts', import.meta.url);
const sideBySide = new URL('./side-by-side.ts', import.meta.url);

const lengths = [0, 100, 1_000, 5_000];

/** The length that the targets are for. */
const TARGET_LENGTH = 1_000;

const atLeastOfFloor = { NORMAL: 0.3, FULL: 0.65 } as const;

/** A turn beside the same rows written by hand, and beside the peers that are there. */
export function turnBenches({ present, notes }: Peers): Bench[] {
  return (['NORMAL', 'FULL'] as const).flatMap((synchronous) =>
    lengths.map((length) => ({ ...turnBench(present, { synchronous, length }), notes })),
  );
}

interface Where {
  readonly synchronous: Synchronous;
  readonly length: number;
}

function turnBench(peers: readonly Peer[], where: Where): Bench {
  const { synchronous, length } = where;
  const runs: Runs = {
    [OURS]: { module: ours, ...where },
    [FLOOR]: { module: floor, ...where },
    [ROWS]: { module: rows, ...where },
    ...Object.fromEntries(peers.map((peer) => [peer.name, { module: findModule(peer), ...where }])),
  };
  return {
    name: `turn-${synchronous.toLowerCase()}-${length}`,
    about: `a turn with a tool call and four hooks on ${inWords(length)} stored messages, synchronous=${synchronous}`,
    unit: 'turns/s',
    comparisons: length === TARGET_LENGTH ? listTargets(peers, synchronous) : withoutTargets(peers),
    run: () => race(runs),
  };
}

const inWords = (length: number): string => length.toLocaleString('en-US');

function listTargets(peers: readonly Peer[], synchronous: Synchronous): Comparison[] {
  return [
    { of: OURS, against: FLOOR, atLeast: atLeastOfFloor[synchronous] },
    { of: OURS, against: ROWS },
    ...peers.map(({ name, atLeast }) => withTarget(name, atLeast[synchronous])),
  ];
}

function withTarget(against: string, atLeast: number | undefined): Comparison {
  return atLeast === undefined ? { of: OURS, against } : { of: OURS, against, atLeast };
}

function withoutTargets(peers: readonly Peer[]): Comparison[] {
  return [FLOOR, ROWS, ...peers.map(({ name }) => name)].map((against) => ({ of: OURS, against }));
}

const IN_MEMORY = 'in memory, its rows by hand';

/** What the store costs beyond the rows that it writes. */
export const turnStore: Bench = {
  name: 'turn-store',
  about:
    'a turn on 1,000 messages, synchronous=NORMAL, against one in memory where each commit writes the rows of a message by hand',
  unit: 'turns/s',
  comparisons: [{ of: OURS, against: IN_MEMORY, atLeast: 0.9 }],
  run: () =>
    race({
      [OURS]: { module: ours, length: TARGET_LENGTH, synchronous: 'NORMAL' },
      [IN_MEMORY]: { module: sideBySide, length: TARGET_LENGTH, synchronous: 'NORMAL' },
    }),
};

const TOGETHER = '32 threads at once';
const ALONE = 'one thread, its messages alone by hand';

export const threadsAtOnce: Bench = {
  name: 'threads-at-once',
  about: 'turns of 32 threads at the same time, synchronous=FULL, against one thread written by hand',
  unit: 'turns/s',
  comparisons: [{ of: TOGETHER, against: ALONE, atLeast: 4 }],
  run: () =>
    race({
      [TOGETHER]: { module: ours, length: 100, synchronous: 'FULL', atOnce: 32 },
      [ALONE]: { module: floor, length: 100, synchronous: 'FULL' },
    }),
};

const LONG = 'on 5,000 messages';
const SHORT = 'on 100 messages';

export const turnLength: Bench = {
  name: 'turn-length',
  about: 'a turn on 5,000 stored messages against one on 100, synchronous=NORMAL',
  unit: 'turns/s',
  comparisons: [{ of: SHORT, against: LONG, atMost: 1.15 }],
  run: () =>
    race({
      [LONG]: { module: ours, length: 5_000, synchronous: 'NORMAL' },
      [SHORT]: { module: ours, length: 100, synchronous: 'NORMAL' },
    }),
};
