import type { AnyHook } from './define.ts';

const reasons = new WeakMap<AnyHook, string>();

/**
 * Says that hooks are of use in `@spec/runtime` alone: a place in somebody else's loop refuses them with the reason when it is set up,
 * unless `allowPartial` names them.
 *
 * @param why what is missing elsewhere, as a sentence that goes on after "never runs: "
 * @returns the hooks
 */
export function keepToRuntime<Given extends readonly AnyHook[]>(hooks: Given, why: string): Given {
  for (const hook of hooks) reasons.set(hook, why);
  return hooks;
}

/** Why a hook is of no use elsewhere; nothing where it is. */
export function findWhyRuntimeOnly(hook: AnyHook): string | undefined {
  return reasons.get(hook);
}
