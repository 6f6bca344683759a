import { type AnyHookKind, type LifecycleName, lifecycleRow, lifecycleTable } from '@spec/hooks';
import type { Explained } from './explained.ts';
import { type Opinion, silent } from './outlook.ts';

/** How what hooks say is put together. */
export interface Combination {
  readonly kind: AnyHookKind;
  readonly how: string;
  /** What is certain without running any, as the input stands. */
  readonly decision: Opinion['decision'];
  /** The hook, entry or rule whose decision it is; `null` also where one that only running it would tell may decide the same before. */
  readonly by: string | null;
  readonly reason: string | null;
}

const ways: Readonly<Record<AnyHookKind, string>> = {
  observe: 'Each is told, one after another; what it returns does not count.',
  replace:
    'One after another; each may put another value in the place of what those before it left, or leave it.',
  transform: 'One after another; each gets what the one before it returned, and must return the next value.',
  collect: 'One after another; all texts are gathered, in this order.',
  decide:
    'One after another: deny > ask > allow > no opinion, whatever the order. A deny ends it; an allow never beats a later deny. ' +
    'After a rewritten input, those that had decided are asked again, at most three times. A failure does what "on error" says.',
};

/** How the answers of hooks would combine for an event of this hook. */
export function combineExplained(explained: readonly Explained[], hook: LifecycleName): Combination {
  const { kind } = lifecycleTable[hook];
  const decider = kind === 'decide' ? findCombinedDecider(explained) : undefined;
  const { decision, reason } = decider?.opinion ?? { decision: null, reason: null };
  const combination: Combination = { kind, how: ways[kind], decision, by: null, reason: null };
  if (decider === undefined || isOpenBefore(decider, explained)) return combination;
  const { id } = decider.known;
  return { ...combination, by: id, reason: mayBeOneOfSeveral(decider, explained) ? null : reason };
}

/** The hook, entry or rule that makes a decision certain, where nobody decides before it. */
export function deciderAtLatest(explained: readonly Explained[], hook: LifecycleName): string | null {
  if (lifecycleTable[hook].kind !== 'decide') return null;
  return findCombinedDecider(explained)?.known.id ?? null;
}

/** Whether one that only running it would tell is asked before. */
function isOpenBefore(decider: Explained, explained: readonly Explained[]): boolean {
  return explained.slice(0, explained.indexOf(decider)).some(({ opinion }) => opinion === 'open');
}

/** Entries that run at the same time give one reason together. */
function mayBeOneOfSeveral(decider: Decider, explained: readonly Explained[]): boolean {
  if (decider.strategy !== 'parallel') return false;
  const { decision } = decider.opinion;
  return explained.some(
    (one) =>
      one !== decider &&
      one.known.runsIn === decider.known.runsIn &&
      (one.opinion === 'open' || one.opinion.decision === decision),
  );
}

type Decider = Explained & { readonly opinion: Opinion };

/** Any deny settles it; what is less strict does where no other could say otherwise. */
function findCombinedDecider(explained: readonly Explained[]): Decider | undefined {
  const first = (decision: Opinion['decision']): Decider | undefined =>
    explained.find(
      (one): one is Decider =>
        one.opinion !== 'open' && one.opinion.decision === decision && !isForestalled(one, explained),
    );
  const isOpen = explained.some(({ opinion }) => opinion === 'open');
  return first('deny') ?? (isOpen ? undefined : (first('ask') ?? first('allow')));
}

/** In some formats the first entry of a file that decides ends it for those behind. */
function isForestalled(one: Explained, explained: readonly Explained[]): boolean {
  if (one.strategy !== 'first-decision') return false;
  const before = explained.slice(0, explained.indexOf(one));
  return before.some(
    ({ known, opinion }) =>
      known.runsIn === one.known.runsIn && (opinion === 'open' || opinion.decision !== null),
  );
}

const nouns = { module: 'hook', settings: 'entry', rules: 'rule', triggers: 'trigger' } as const;

/** What comes after a certain deny is not asked; what was started with it is. */
export function afterDeny(explained: readonly Explained[], hook: LifecycleName): readonly Explained[] {
  const decider = lifecycleTable[hook].kind === 'decide' ? findCombinedDecider(explained) : undefined;
  if (decider === undefined || decider.opinion.decision !== 'deny') return explained;
  const { known, strategy } = decider;
  const at = explained.indexOf(decider);
  const why = `the ${nouns[known.from]} "${known.id}" denies before`;
  // One after another, entries go on after one that only keeps a turn going.
  const goesOn =
    strategy === 'parallel' || (strategy === 'serial' && lifecycleRow(hook).decide?.keepsGoing === true);
  return explained.map((one, i) => {
    const isAsked = goesOn && one.known.runsIn === known.runsIn;
    return i > at && one.runs !== false && !isAsked ? { ...one, runs: false, why, opinion: silent } : one;
  });
}
