import type { LifecycleName } from '@spec/hooks';
import { findHonour, type Honours } from '@spec/hooks/host';
import type { Baseline } from '../baseline.ts';
import type { Case } from '../case.ts';
import { cases as allCases } from '../cases/index.ts';
import { describeComplaint, judge } from '../judge.ts';
import { missingAbilities } from '../run-case.ts';
import type { Subject } from '../subject.ts';

/** The cases about hooks that a place claims to run, wholly, in part or more strictly; and those that are about no hook. */
export function findClaimed(honours: Honours, cases: readonly Case[] = allCases): readonly Case[] {
  return cases.filter(({ hooks = [] }) => hooks.every((name) => isRun(honours, name)));
}

function isRun(honours: Honours, name: LifecycleName): boolean {
  const honour = findHonour(honours, name);
  return typeof honour === 'string' || !('no' in honour);
}

export interface Claims {
  readonly honours: Honours;
  /** The cases that the subject is known to fail, each with the reason. Those that need what it does not have do not count. */
  readonly baseline?: Baseline;
  /** Which of the cases to run. Default: all of them. */
  readonly pick?: (cases: readonly Case[]) => readonly Case[];
}

/** Runs the cases that a place claims to keep. @returns what is wrong, one text for each case; nothing where it keeps them but for its baseline */
export async function findBrokenClaims(
  subject: Subject,
  { honours, baseline = {}, pick = (cases) => cases }: Claims,
): Promise<readonly string[]> {
  const claimed = findClaimed(honours).filter((one) => missingAbilities(one, subject).length === 0);
  const cases = pick(claimed);
  const known = Object.fromEntries(
    Object.entries(baseline).filter(([id]) => cases.some((one) => one.id === id)),
  );
  const { verdicts } = await judge(subject, {
    ...{ cases, baseline: known, concurrency: 4, retries: 2, timeLimit: 30_000 },
  });
  return verdicts.flatMap((verdict) => {
    const complaint = describeComplaint(verdict);
    return complaint === undefined ? [] : [`${verdict.id}: ${complaint}`];
  });
}

/** The entries of a baseline that are about no case which the table claims. */
export function findUnclaimed(honours: Honours, baseline: Baseline): readonly string[] {
  const ids = new Set(findClaimed(honours).map(({ id }) => id));
  return Object.keys(baseline).filter((id) => !ids.has(id));
}
