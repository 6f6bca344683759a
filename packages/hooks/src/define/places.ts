import type { AnyHook } from './define.ts';

const places = new WeakMap<AnyHook, string>();

/** Where a hook is written, such as `hooks/redact.ts:4`. Known only for hooks that were loaded from a folder. */
export function findHookPlace(hook: AnyHook): string | undefined {
  return places.get(hook);
}

/** Notes where a hook is written. Only the first place is kept. */
export function notePlace(hook: AnyHook, place: string): void {
  if (!places.has(hook)) places.set(hook, place);
}
