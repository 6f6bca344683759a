import { lifecycleRow, lifecycleTable } from '../lifecycle/table.ts';
import type { LifecycleName } from '../vocabulary/lifecycle.ts';
import type { AnyHook } from './define.ts';

/** A hook in a chain, with the policy, prompt or agent that named it. */
export interface ChainMember {
  readonly hook: AnyHook;
  /** `policy`, `prompt:<name>` or `agent:<name>`, followed by ` (file:line)` if that is known. */
  readonly source: string;
}

/** The chains that apply to one prompt and agent, by hook name. A name without hooks is absent. */
export type Scope = { readonly [K in LifecycleName]?: readonly ChainMember[] } & {
  /** The hooks that have a `restore`. Absent if there are none. */
  readonly restoring?: readonly ChainMember[];
  /** The hooks that have a `keeps`. Absent if there are none. */
  readonly keeping?: readonly ChainMember[];
};

/** The scope in which no hook applies. */
export const emptyScope: Scope = Object.freeze({});

/** The chains that process the texts which other hooks return. */
const REWRITING: readonly (keyof Scope)[] = [
  'restoring',
  ...(Object.keys(lifecycleTable) as LifecycleName[]).filter((name) => lifecycleRow(name).rewritesTexts),
];

/** Whether any hook in scope may change the texts that other hooks return. */
export function hasTextRewriters(scope: Scope): boolean {
  return REWRITING.some((name) => scope[name] !== undefined);
}

/** Sorts members into chains. Each list is sorted by priority, highest first, then the lists are joined in order. */
export function scopeOf(...lists: ReadonlyArray<readonly ChainMember[]>): Scope {
  const chains: Record<string, ChainMember[]> = {};
  for (const list of lists) {
    for (const member of list.toSorted(byPriority)) {
      chains[member.hook.hook] ??= [];
      chains[member.hook.hook]?.push(member);
      if (member.hook.restore !== undefined) chains.restoring = [...(chains.restoring ?? []), member];
      if (member.hook.keeps !== undefined) chains.keeping = [...(chains.keeping ?? []), member];
    }
  }
  return Object.freeze(chains) as Scope;
}

/** The hook in scope that keeps a value with the thread, if one does. */
export function findKeeper({ keeping = [] }: Scope, name: string): AnyHook | undefined {
  const isMeant = (kept: string): boolean =>
    kept.endsWith('*') ? name.startsWith(kept.slice(0, -1)) : name === kept;
  return keeping.find(({ hook }) => hook.keeps?.some(isMeant))?.hook;
}

function byPriority(a: ChainMember, b: ChainMember): number {
  return (b.hook.priority ?? 0) - (a.hook.priority ?? 0);
}
