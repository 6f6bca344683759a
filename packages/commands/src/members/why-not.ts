import type { CompiledEntry, Occasion } from '../normal-form.ts';

/** Why an entry is not for an occasion: names of tools, fields and patterns, never values. `undefined`: it is. */
export function whyNot(compiled: CompiledEntry, occasion: Occasion): string | undefined {
  const { only } = compiled.entry;
  if (only === 'main' && occasion.isSubagent) return 'it is for threads that are no subagents';
  if (only === 'subagent' && !occasion.isSubagent) return 'it is for subagents';
  return mismatch(compiled, occasion);
}

/** Where its matcher cannot be tested, such as on a text that is too long, the entry runs: a guard then decides for itself. */
export function mismatch(compiled: CompiledEntry, occasion: Occasion): string | undefined {
  try {
    return compiled.mismatch(occasion);
  } catch {
    return undefined;
  }
}
