import type { AnyHook } from './define.ts';

const places = new WeakMap<AnyHook, string>();

/** Where a hook is written, such as `hooks/redact.ts:4`; known of hooks that were loaded from a folder. */
export function findHookPlace(hook: AnyHook): string | undefined {
  return places.get(hook);
}

/** Notes where a hook is written; the first place counts. */
export function notePlace(hook: AnyHook, place: string): void {
  if (!places.has(hook)) places.set(hook, place);
}
