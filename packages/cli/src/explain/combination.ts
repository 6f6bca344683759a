import { type AnyHookKind, type LifecycleName, lifecycleTable } from '@spec/hooks';
import type { Project } from '../project/load-project.ts';
import type { Explained } from './explained.ts';

/** How what hooks say is put together. */
export interface Combination {
  readonly kind: AnyHookKind;
  readonly how: string;
  /** What rules alone make certain, as the input stands. */
  readonly decision: 'allow' | 'deny' | null;
  readonly by: string | null;
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
export function combinationOf(
  explained: readonly Explained[],
  project: Project,
  hook: LifecycleName,
): Combination {
  const { kind } = lifecycleTable[hook];
  const certain = kind === 'decide' ? certainRule(explained, project) : undefined;
  return { kind, how: ways[kind], decision: certain?.action ?? null, by: certain?.id ?? null };
}

/** A rule that denies settles it; one that allows does where no other hook could say otherwise. */
function certainRule(
  explained: readonly Explained[],
  { rules }: Project,
): { readonly id: string; readonly action: 'allow' | 'deny' } | undefined {
  const running = explained.filter(({ runs }) => runs !== false);
  const actionOf = (id: string): string | undefined => rules?.rules.find((rule) => rule.id === id)?.action;
  const denying = running.find(({ from, id }) => from === 'rules' && actionOf(id) === 'deny');
  if (denying !== undefined) return { id: denying.id, action: 'deny' };
  const isPlain = running.every(({ from, id }) => from === 'rules' && actionOf(id) !== 'script');
  const allowing = isPlain ? running.find(({ id }) => actionOf(id) === 'allow') : undefined;
  return allowing && { id: allowing.id, action: 'allow' };
}

/** What comes after a rule that denies is not asked. */
export function afterDeny(
  explained: readonly Explained[],
  project: Project,
  hook: LifecycleName,
): readonly Explained[] {
  const certain = lifecycleTable[hook].kind === 'decide' ? certainRule(explained, project) : undefined;
  const at = certain?.action === 'deny' ? explained.findIndex(({ id }) => id === certain.id) : -1;
  if (at === -1) return explained;
  return explained.map((one, position) =>
    position > at && one.runs !== false
      ? { ...one, runs: false, why: `the rule "${certain?.id}" denies before` }
      : one,
  );
}
