import type { LifecycleName } from '@spec/hooks';
import { findHonour, type Honours } from '@spec/hooks/host';
import type { Case } from '../case.ts';
import { cases as allCases } from '../cases/index.ts';

/** The cases about hooks that a place claims to run, wholly, in part or more strictly; and those that are about no hook. */
export function findClaimed(honours: Honours, cases: readonly Case[] = allCases): readonly Case[] {
  return cases.filter(({ hooks = [] }) => hooks.every((name) => isRun(honours, name)));
}

function isRun(honours: Honours, name: LifecycleName): boolean {
  const honour = findHonour(honours, name);
  return typeof honour === 'string' || !('no' in honour);
}
