import { createExecutor, type Executor, type Registry } from '@spec/hooks';
import type { ThreadView } from '../thread/core.ts';
import { checkRewrittenInput } from '../tools/rewritten-input.ts';
import { traceHookRun } from '../tracing/spans.ts';
import { refuseHookIfTaken } from '../writes/commit.ts';
import { HookWarnings } from './hook-warnings.ts';
import type { RuntimeOptions } from './options.ts';

/** The executor of a runtime's threads, which records every run. */
export function createThreadExecutor(
  { timeout, environment, onRunValues, warnings }: RuntimeOptions,
  registry: Registry,
): Executor<ThreadView> {
  const hookWarnings = warnings === 'off' ? undefined : new HookWarnings(registry);
  return createExecutor<ThreadView>({
    ...(timeout === undefined ? {} : { timeout }),
    ...(environment === undefined ? {} : { environment }),
    view: (state, permit) => state.for(permit),
    admit: refuseHookIfTaken,
    checkInput: (_hook, subject, state) => checkRewrittenInput(state, subject),
    onRun(run, details) {
      const { state, before, after, error, decision } = details;
      state.core.recordRun(run, state.flow, details);
      traceHookRun(state, run);
      hookWarnings?.noteRun(run);
      if (onRunValues === undefined) return;
      try {
        const { hook, id, outcome } = run;
        const entry = 'entryOf' in details ? { entryOf: details.entryOf } : {};
        const decided = decision === undefined ? {} : { decision };
        onRunValues({
          threadId: state.threadId,
          hook,
          id,
          outcome,
          before,
          after,
          error,
          ...decided,
          ...entry,
        });
      } catch {
        // Whoever watches must not change what happens.
      }
    },
  });
}
