import { dialectTraits } from '../dialect-traits.ts';
import type { CommandEntry } from '../normal-form.ts';

/** Whether an entry could deny a tool call, a permission or a prompt: by a failure, or in the formats whose answers decide by its answer. */
export function guards({ event, effects, dialect, isAwaited }: CommandEntry): boolean {
  if (!isAwaited || !GUARDED.has(event)) return false;
  return (
    dialectTraits[dialect].answersInJson || Object.values(effects).some((effect) => effect !== 'continue')
  );
}

const GUARDED: ReadonlySet<string> = new Set([
  'before_tool_call',
  'before_permission_request',
  'before_user_message',
]);
