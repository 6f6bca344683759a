import type { Outcome, RunRecord } from '@spec/hooks';

/** Entries, rules and triggers, and the hooks of a chain that run them, all by their ids. */
export interface Carried {
  readonly carriers: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
}

export const nothingCarried: Carried = { carriers: new Set(), members: new Set() };

/** What a hook did, in one run or in many. */
export interface Done extends Pick<RunRecord, 'hook' | 'id'> {
  /** How many runs changed something. */
  readonly changed: number;
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
}

/** Leaves out the hooks of which their entries say all that they did, so that an entry and the hook around it are one line. */
export function leaveOutCarriers<D extends Done>(all: readonly D[], { carriers, members }: Carried): D[] {
  return all.filter((done) => {
    if (!carriers.has(done.id)) return true;
    const own = all.filter(({ hook, id }) => hook === done.hook && members.has(id));
    return own.length === 0 || !isSaidBy(own, done);
  });
}

/** Outcomes that say nothing beyond that a hook ran. */
const PLAIN: readonly string[] = ['ok', 'changed', 'skipped'];

function isSaidBy(members: readonly Done[], { changed, outcomes }: Done): boolean {
  const countOutcome = (name: Outcome): number => sum(members.map((one) => one.outcomes[name] ?? 0));
  const isTold = (Object.keys(outcomes) as Outcome[]).every(
    (name) => PLAIN.includes(name) || countOutcome(name) >= (outcomes[name] ?? 0),
  );
  return isTold && sum(members.map((one) => one.changed)) >= changed;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
