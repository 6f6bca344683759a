import { expect, test } from 'vitest';
import { type Assumptions, simulate } from './cluster.ts';
import { computeNeeds } from './costs.ts';
import { Events } from './events.ts';

const small: Assumptions = {
  ...{ workers: 20, threads: 5_000, turnsPerSecond: 20, seconds: 300, turnSeconds: 5, stepSeconds: 2 },
  ...{
    hotShare: 0.05,
    hotThreads: 10,
    deathsPerWorkerAndDay: 100,
    takeoverSeconds: [0.1, 2],
    lostWorkers: 4,
    seed: 'a day',
  },
};

test('what happens comes by its time', () => {
  const events = new Events<number>();
  const times = Array.from({ length: 200 }, (_, n) => (n * 7_919) % 211);
  for (const at of times) events.add(at, at);
  const taken: number[] = [];
  for (let next = events.take(); next !== undefined; next = events.take()) taken.push(next.event);
  expect(taken).toEqual(times.toSorted((a, b) => a - b));
});

test('the same assumptions give the same, no thread has two turns at once, and every turn ends', () => {
  const once = simulate(small);
  expect(simulate(small)).toEqual(once);
  expect(once.overlaps).toBe(0);
  expect(once.turns).toBeGreaterThan(5_000);
  expect(once.attempts).toBeGreaterThan(once.turns); // All have begun, and those that were taken over again.
  expect(once.lostTurns).toBeGreaterThan(0);
  expect(once.lostSeconds).toBeLessThanOrEqual(2);
  expect(once.hotWaitP99).toBeGreaterThan(once.waitP99);
});

test('without deaths nothing is done twice', () => {
  const calm = simulate({ ...small, deathsPerWorkerAndDay: 0, lostWorkers: 0 });
  expect([calm.attempts - calm.turns, calm.repeatedPerMille, calm.lostTurns]).toEqual([0, 0, 0]);
});

test('what is needed grows with the turns', () => {
  const costs = { statements: 4, processorSeconds: 0.01, tableBytes: 1_000, logBytes: 2_000 };
  const needs = computeNeeds(costs, small);
  expect(needs).toMatchObject({
    statementsPerSecond: 80,
    processors: 0.2,
    turnsAtOnce: 100,
    turnsAtOncePerWorker: 5,
  });
  expect(computeNeeds(costs, { ...small, turnsPerSecond: 40 }).terabytesPerYear).toBeCloseTo(
    2 * needs.terabytesPerYear,
  );
});
