import { type LifecycleName, lifecycleTable } from '@spec/hooks';
import type { Case } from './case.ts';
import { specificationSentences } from './specification.ts';

/** What no case is about. Empty lists: everything that is promised is tested. */
export interface Gaps {
  /** Ids of sentences of the specification. */
  readonly sentences: readonly string[];
  /** Rows of the lifecycle tables. */
  readonly hooks: readonly LifecycleName[];
  /** Rows without a case of a hook that fails. */
  readonly failures: readonly LifecycleName[];
  /** Invariants of the executor. */
  readonly invariants: readonly string[];
  /** Sentences that cases name and the list does not have. */
  readonly unknown: readonly string[];
  /** Ids that two cases have. */
  readonly twice: readonly string[];
}

/** The invariants that can be seen from outside; C11 is about what a chain costs. */
const invariants: readonly string[] = Array.from({ length: 12 }, (_, i) => `C${i + 1}`).filter(
  (name) => name !== 'C11',
);

/** Holds the cases against the lifecycle tables, the sentences of the specification and the invariants. */
export function findGaps(cases: readonly Case[]): Gaps {
  const covered = new Set(cases.flatMap(({ covers = [] }) => covers));
  const sections = new Set(cases.map(({ section }) => section));
  const names = Object.keys(lifecycleTable) as LifecycleName[];
  const failing = new Set(cases.flatMap((one) => one.failing ?? []));
  const ids = cases.map(({ id }) => id);
  const known = new Set(specificationSentences.map(({ id }) => id));
  return {
    sentences: [...known].filter((id) => !covered.has(id)),
    hooks: names.filter((name) => findCases(cases, name).length === 0),
    failures: names.filter((name) => !failing.has(name)),
    invariants: invariants.filter((name) => !sections.has(name)),
    unknown: [...covered].filter((id) => !known.has(id)),
    twice: [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))],
  };
}

function findCases(cases: readonly Case[], name: LifecycleName): readonly Case[] {
  return cases.filter(({ hooks = [] }) => hooks.includes(name));
}
