import { dialectTraits } from '../dialect-traits.ts';
import { isGate } from '../gates.ts';
import type { CommandEntry } from '../normal-form.ts';

/** Whether an entry can deny a tool call, a permission or a prompt: by a failure or, in formats whose answers decide, by its answer. */
export function isGuard({ event, effects, dialect, isAwaited }: CommandEntry): boolean {
  if (!isAwaited || !isGate(event)) return false;
  return (
    dialectTraits[dialect].answersInJson || Object.values(effects).some((effect) => effect !== 'continue')
  );
}
