import type { HookSums, Records } from '@spec/hooks';
import type { HookDetail, HookList, HookRow, KnownHookCard, NamedRun } from '../api.ts';
import type { SumCache } from './cache-sums.ts';
import { isAbout, type ListProject } from './list-project.ts';
import { nameRuns } from './read-runs.ts';

/** Runs of a hook that are looked at for reasons and times. */
const runsLooked = 500;
const slowestShown = 5;

/** Every hook of the project and of the ledger. */
export async function readHooks(cache: SumCache, listProject: ListProject): Promise<HookList> {
  const [made, known] = await Promise.all([cache.read(), listProject()]);
  const sums = made ?? [];
  const { hooks, problems, findings } = known;
  const ofProject = hooks.map((hook) =>
    makeRow(hook, {
      sums: sums.find((one) => isSame(one, hook)) ?? null,
      findings: findings.filter((one) => isAbout(one, hook)),
    }),
  );
  const others = sums.filter((one) => !hooks.some((hook) => isSame(one, hook)));
  return {
    hooks: [...ofProject, ...others.map(makeLedgerRow)],
    problems: problems.filter((problem) => !findings.some(({ message }) => message === problem)),
    findings: findings.filter((one) => !hooks.some((hook) => isAbout(one, hook))),
    isCounting: made === null,
  };
}

interface HookName {
  readonly hook: string;
  readonly id: string;
}

function isSame(one: HookName, other: HookName): boolean {
  return one.id === other.id && one.hook === other.hook;
}

function makeRow(
  { hook, id, source, matcher }: KnownHookCard,
  found: Pick<HookRow, 'sums' | 'findings'>,
): HookRow {
  return { hook, id, source, matcher, ...found };
}

function makeLedgerRow(sums: HookSums): HookRow {
  const { hook, id, source } = sums;
  return { hook, id, source, matcher: null, sums, findings: [] };
}

/** One hook; `null` where neither the project nor the ledger has it. */
export async function readHook(
  records: Records,
  name: HookName,
  { cache, listProject }: { readonly cache: SumCache; readonly listProject: ListProject },
): Promise<HookDetail | null> {
  const [made, known, { items, next }] = await Promise.all([
    cache.read(),
    listProject(),
    records.runs({ ...name, order: 'newest', size: runsLooked }),
  ]);
  const sums = made?.find((one) => isSame(one, name));
  const card = known.hooks.find((hook) => isSame(hook, name)) ?? null;
  if (made !== null && sums === undefined && card === null) return null;
  return {
    ...name,
    known: card,
    findings: card === null ? [] : known.findings.filter((one) => isAbout(one, card)),
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
  for (const { outcome, why = '' } of runs)
    if (outcome === 'skipped') counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, count]) => ({ why, count })).toSorted((a, b) => b.count - a.count);
}
