import { describe, expect, test, vi } from 'vitest';
import type { Case } from '../src/case.ts';
import { cases } from '../src/cases/index.ts';
import { type Fault, faults } from '../src/faults/index.ts';
import { casesNamed, type JudgeOptions, judge } from '../src/judge.ts';
import type { Subject } from '../src/subject.ts';
import { ourRuntime } from './our-runtime.ts';

const met = faults.map((fault, position) => ({ ...fault, position, fault }));

/** Every fault meets another share of all cases, so that each case meets several faults. EVERY_CASE=1 runs them all. */
const SHARE = process.env.EVERY_CASE === '1' ? 1 : 4;

function casesFor({ foundBy }: Fault, position: number): Case[] {
  return cases.filter(({ id }, i) => foundBy.includes(id) || i % SHARE === position % SHARE);
}

async function findFailures(subject: Subject, chosen: readonly Case[], how: JudgeOptions): Promise<string[]> {
  const { verdicts } = await judge(subject, { cases: chosen, timeLimit: 2_000, ...how });
  return verdicts.filter(({ outcome }) => outcome === 'failed').map(({ id }) => id);
}

function isExpected({ foundBy, breaks }: Fault): (id: string) => boolean {
  const expected = new Set([
    ...foundBy,
    ...breaks.flatMap((pattern) => casesNamed(cases, pattern).map(({ id }) => id)),
  ]);
  return (id) => expected.has(id);
}

vi.setConfig({ maxConcurrency: 3 }); // Hooks that hang do so side by side.

describe.concurrent('a runtime with one fault', () => {
  test.each(met)('$id: $says', { timeout: 300_000 }, async ({ fault, position }) => {
    const broken = (): Subject => fault.breakIt(ourRuntime('memory'));
    const failed = await findFailures(broken(), casesFor(fault, position), { concurrency: 8 });
    expect(
      fault.foundBy.filter((id) => !failed.includes(id)),
      'the cases that should have named it',
    ).toEqual([]);
    const others = failed.filter((id) => !isExpected(fault)(id));
    // Alone and again: what only a busy machine makes fail will pass.
    const again = await findFailures(
      broken(),
      cases.filter(({ id }) => others.includes(id)),
      { retries: 2, timeLimit: 15_000 },
    );
    expect(again, 'cases that are about something else').toEqual([]);
  });
});

test('faults name cases that there are', () => {
  const ids = new Set(cases.map(({ id }) => id));
  for (const { id, foundBy, breaks } of faults) {
    expect(foundBy.length, id).toBeGreaterThan(0);
    expect(
      foundBy.filter((one) => !ids.has(one)),
      id,
    ).toEqual([]);
    expect(
      breaks.filter((pattern) => casesNamed(cases, pattern).length === 0),
      id,
    ).toEqual([]);
  }
  expect(new Set(faults.map(({ id }) => id)).size).toBe(faults.length);
});
