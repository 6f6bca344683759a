import { lifecycleTable, nearest } from '@spec/hooks';
import { type KnownHook, knownHooks } from '../project/known-hooks.ts';
import type { Project } from '../project/load-project.ts';

/** Something that can deny, and whether a case shows that it does. */
export interface Gate extends Pick<KnownHook, 'id' | 'hook' | 'source'> {
  readonly isProven: boolean;
}

/**
 * The gates of a project.
 *
 * @param refusing the ids of what denied or asked in a case that passed
 * @param neverDenies ids of hooks that could deny, and never shall
 */
export function findGates(
  project: Project,
  refusing: ReadonlySet<string>,
  neverDenies: readonly string[],
): readonly Gate[] {
  return knownHooks(project)
    .filter((known) => canDeny(known, project) && !neverDenies.includes(known.id))
    .map(({ id, hook, source }) => ({ id, hook, source, isProven: refusing.has(id) }));
}

/** A hook in code may do anything; an entry denies by its exit code or its answer, a rule by its action. */
function canDeny({ id, hook, from, effects }: KnownHook, { settings, rules }: Project): boolean {
  if (lifecycleTable[hook].kind !== 'decide' || from === 'triggers') return false;
  if (from === 'module') return true;
  if (from === 'rules')
    return ['deny', 'script'].includes(rules?.rules.find((rule) => rule.id === id)?.action ?? '');
  const isAwaited = settings?.entries.find((entry) => entry.id === id)?.isAwaited === true;
  return isAwaited && Object.values(effects ?? {}).some((effect) => effect !== 'continue');
}

/** Names in "neverDenies" that no hook has, a sentence each. */
export function unknownNames(project: Project, neverDenies: readonly string[]): string[] {
  const known = knownHooks(project).map(({ id }) => id);
  const unknown = [...new Set(neverDenies)].filter((id) => !known.includes(id));
  return unknown.map((id) => {
    const meant = nearest(id, known);
    const hint = meant === undefined ? 'Remove it, or correct it.' : `Did you mean "${meant}"?`;
    return `"neverDenies" names ${id}, and there is no such hook. ${hint}`;
  });
}

/** What is wrong with the gates, a sentence each. */
export function describeGates(
  gates: readonly Gate[],
  refused: readonly string[],
  neverDenies: readonly string[],
): string[] {
  const unproven = gates
    .filter(({ isProven }) => !isProven)
    .map(({ id, hook, source }) => {
      const where = source === null ? '' : `, ${source}`;
      return `${id} (${hook}${where}) can deny, and no case shows that it does: add one, or name it in "neverDenies".`;
    });
  const liars = neverDenies
    .filter((id) => refused.includes(id))
    .map((id) => `${id} is named in "neverDenies", and denied in a case.`);
  return [...unproven, ...liars];
}
