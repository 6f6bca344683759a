import type { CommandEntry } from '../normal-form.ts';

/** Whether an entry could deny a tool call or a prompt: by a failure, or in the formats whose answers decide by its answer. */
export function guards({ event, effects, dialect, isAwaited }: CommandEntry): boolean {
  if (!isAwaited || (event !== 'before_tool_call' && event !== 'before_user_message')) return false;
  return ANSWERS_DECIDE.has(dialect) || Object.values(effects).some((effect) => effect !== 'continue');
}

const ANSWERS_DECIDE: ReadonlySet<string> = new Set(['service', 'claude']);
