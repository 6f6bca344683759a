import { defineTrigger, type Trigger } from '../trigger.ts';

const MESSAGE = `All tasks have been completed. Consider updating the following files with any new or updated information from this session:
- CLAUDE.md - Project conventions, commands, architecture changes
- README.md - User-facing documentation, setup instructions, feature descriptions`;

/** Whether the answer of `update_plan` says that every task is done (system hooks, "Plan Completion Hook"). */
export function isPlanComplete(value: unknown): boolean {
  const { success, summary } = (value ?? {}) as {
    success?: unknown;
    summary?: { total?: unknown; completed?: unknown };
  };
  if (success !== true || typeof summary?.total !== 'number') return false;
  return summary.total > 0 && summary.total === summary.completed;
}

/** Reminds of the documentation when all tasks of a plan are done. */
export function planCompletion(): Trigger<'tool_result'> {
  return defineTrigger({
    id: 'plan_completion',
    on: 'tool_result',
    match: 'update_plan',
    when: ({ use }) => isPlanComplete(use.value),
    message: MESSAGE,
  });
}
