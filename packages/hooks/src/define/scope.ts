import type { LifecycleName } from '../vocabulary/lifecycle.ts';
import type { AnyHook } from './define.ts';

/** A hook where it applies, and who said so. */
export interface ChainMember {
  readonly hook: AnyHook;
  /** `policy`, `prompt:<name>` or `agent:<name>`, followed by ` (file:line)` where that is known. */
  readonly source: string;
}

/** The chains that apply at one place, by hook name; a name without hooks is absent (C11). */
export type Scope = { readonly [K in LifecycleName]?: readonly ChainMember[] } & {
  /** Those of the hooks that have a `restore`; absent where none has. */
  readonly restoring?: readonly ChainMember[];
};

/** The scope in which no hook applies. */
export const emptyScope: Scope = Object.freeze({});

/** The chains that what hooks give goes through afterwards. */
const REWRITING = [
  'restoring',
  'before_create_message',
  'before_store_tool_result',
  'prefilter_llm_history',
] as const;

/** Whether hooks change texts that other hooks give. */
export function hasTextRewriters(scope: Scope): boolean {
  return REWRITING.some((name) => scope[name] !== undefined);
}

/** Sorts members into chains: each list by priority (higher first), equal ones as given, the lists one after the other. */
export function scopeOf(...lists: ReadonlyArray<readonly ChainMember[]>): Scope {
  const chains: Record<string, ChainMember[]> = {};
  for (const list of lists) {
    for (const member of list.toSorted(byPriority)) {
      chains[member.hook.hook] ??= [];
      chains[member.hook.hook]?.push(member);
      if (member.hook.restore !== undefined) chains.restoring = [...(chains.restoring ?? []), member];
    }
  }
  return Object.freeze(chains) as Scope;
}

function byPriority(a: ChainMember, b: ChainMember): number {
  return (b.hook.priority ?? 0) - (a.hook.priority ?? 0);
}
