import type { HookSums, Records } from '@spec/hooks';
import type { HookDetail, HookList, HookRow, KnownHookCard, NamedRun } from '../api.ts';
import type { HookProject, ProjectHooks } from '../ports.ts';
import type { SumCache } from './cache-sums.ts';
import { nameRuns } from './name-runs.ts';

/** Runs of a hook that are looked at for reasons and times. */
const runsLooked = 500;
const slowestShown = 5;

/** Every hook of the project and of the ledger. */
export async function readHooks(cache: SumCache, project: HookProject | undefined): Promise<HookList> {
  const [made, known] = await Promise.all([cache.read(), listProject(project)]);
  const sums = made ?? [];
  const ofProject = known.hooks.map((hook) =>
    makeRow(
      hook,
      sums.find((one) => isSame(one, hook)),
    ),
  );
  const others = sums.filter((one) => !known.hooks.some((hook) => isSame(one, hook)));
  const rows = [...ofProject, ...others.map((one) => makeLedgerRow(one, project !== undefined))];
  return { hooks: rows, problems: known.problems, isCounting: made === null };
}

async function listProject(project: HookProject | undefined): Promise<ProjectHooks> {
  return (await project?.list()) ?? { hooks: [], problems: [] };
}

interface HookName {
  readonly hook: string;
  readonly id: string;
}

function isSame(one: HookName, other: HookName): boolean {
  return one.id === other.id && one.hook === other.hook;
}

function makeRow({ hook, id, source, matcher }: KnownHookCard, sums: HookSums | undefined): HookRow {
  return { hook, id, source, matcher, isKnown: true, sums: sums ?? null };
}

function makeLedgerRow(sums: HookSums, hasProject: boolean): HookRow {
  const { hook, id, source } = sums;
  return { hook, id, source, matcher: null, isKnown: hasProject ? false : null, sums };
}

/** One hook; `null` where neither the project nor the ledger has it. */
export async function readHook(
  records: Records,
  name: HookName,
  { cache, project }: { readonly cache: SumCache; readonly project: HookProject | undefined },
): Promise<HookDetail | null> {
  const [made, known, { items, next }] = await Promise.all([
    cache.read(),
    listProject(project),
    records.runs({ ...name, order: 'newest', size: runsLooked }),
  ]);
  const sums = made?.find((one) => isSame(one, name));
  const card = known.hooks.find((hook) => isSame(hook, name)) ?? null;
  if (made !== null && sums === undefined && card === null) return null;
  return {
    ...name,
    known: card,
    sums: sums ?? null,
    isCounting: made === null,
    skips: countReasons(items),
    slowest: nameRuns(items.toSorted((a, b) => b.ms - a.ms).slice(0, slowestShown)),
    counted: items.length,
    isAll: next === null,
  };
}

function countReasons(runs: readonly Pick<NamedRun, 'outcome' | 'why'>[]): HookDetail['skips'] {
  const counts = new Map<string, number>();
  for (const { outcome, why } of runs)
    if (outcome === 'skipped' && why !== undefined) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, count]) => ({ why, count })).toSorted((a, b) => b.count - a.count);
}
