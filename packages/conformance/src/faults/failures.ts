import { type LifecycleName, requireText, type ThreadState } from '@spec/hooks';
import type { Trial } from '../subject.ts';
import {
  type Break,
  broken,
  type HookCall,
  otherwise,
  readSubject,
  replaceHook,
  stateWith,
  stateWithExecution,
} from './break.ts';
import type { Fault } from './fault.ts';

const transforms: readonly LifecycleName[] = [
  ...(['filter_messages', 'prefilter_llm_history', 'before_create_message'] as const),
  ...(['before_update_message', 'before_store_tool_result'] as const),
];

/** Faults in what happens when a hook fails, hangs or is too late. */
export const failureFaults: readonly Fault[] = [
  {
    id: 'hooks_fail_open',
    says: 'A hook that throws is as if it were not there: messages, updates and results pass as they are, and calls are allowed.',
    foundBy: [
      'before_store_tool_result.throws_by_default',
      'before_update_message.failure_prevents_the_update',
      'before_create_message.failure_prevents_the_answer',
      'messages.user_is_not_stored_where_its_chain_fails',
      'filter_messages.throws_by_default',
      'before_tool_call.denies_when_it_fails',
      'before_user_message.denies_when_it_fails',
    ],
    breaks: [
      ...['after_create_message', 'before_create_message', 'before_store_tool_result', 'filter_messages'],
      ...['before_update_message', 'prefilter_llm_history', '*.denies_when_it_fails', 'decisions.on_*'],
      ...['errors', 'invariants', 'ledger', 'messages', 'secrets', 'streaming', 'subagents', 'timeouts'],
    ],
    breakIt: (good) =>
      broken(good, () => ({
        hook: replaceHook(
          [...transforms, 'before_tool_call', 'before_permission_request', 'before_user_message'],
          orNothing,
        ),
      })),
  },
  {
    id: 'observer_fails_the_turn',
    says: 'Where an after_create_message hook throws, the caller gets the error.',
    foundBy: ['after_create_message.failure_leaves_the_message_and_the_turn'],
    breaks: ['after_create_message', 'secrets'],
    breakIt: (good) => broken(good, failingWithObservers),
  },
  {
    id: 'no_timeout',
    says: 'A hook may take as long as it likes, and is told of no end.',
    foundBy: [
      'timeouts.the_runtimes_timeout_ends_a_hook_that_hangs',
      'before_create_message.is_told_of_its_timeout',
    ],
    breaks: [
      ...['timeouts', '*.hangs_*', '*.answers_late_*', '*.cannot_write_once_it_timed_out'],
      ...['*.is_told_of_its_timeout', '*.denies_when_it_hangs', '*where_its_chain_fails', '*.failure_*'],
      ...['*.that_waits_for_a_dead_service_stops_nothing', 'decisions.on_*', 'errors.*hangs*'],
      ...['subagents.hooks_of_creation_that_fail_stop_nothing', 'streaming.refused_answer_never_leaves'],
      ...['invariants.late_*', 'invariants.*_begun_*', 'ledger.tells_timed_out'],
      'tools.call_whose_restore_fails_does_not_run',
    ],
    breakIt: (good) =>
      broken(good, (setup) => ({
        setup: { ...setup, hookTimeout: FOREVER },
        hook: (hook) => otherwise(hook, { timeout: FOREVER }),
      })),
  },
  {
    id: 'thread_abort_not_told',
    says: "A hook's abort signal does not fire when the thread is aborted.",
    foundBy: ['before_create_message.abort_beats_continue'],
    breaks: ['*.abort_beats_continue', 'subagents.stop_of_the_parent_reaches_them'],
    breakIt: (good) => broken(good, () => ({ hook: replaceHook('all', hearingTimeoutsOnly) })),
  },
  {
    id: 'late_write_lands',
    says: 'A message that a hook writes after its end is stored.',
    foundBy: [
      'before_create_message.cannot_write_once_it_settled',
      'invariants.late_inject_message_is_refused',
    ],
    breaks: ['*.cannot_write_once_it_*', 'invariants.late_*', 'invariants.*_begun_*'],
    breakIt: (good) => broken(good, landingLateWrites),
  },
  {
    id: 'secrets_in_errors',
    says: "The text of what a hook threw stands in the runtime's error and in its events.",
    foundBy: [
      'secrets.an_error_does_not_say_what_a_hook_threw',
      'secrets.a_record_does_not_say_what_a_hook_threw',
    ],
    breaks: ['*tells_no_secrets', 'errors'],
    breakIt: (good) => broken(good, quotingCauses),
  },
];

/** Milliseconds: longer than any case waits. */
const FOREVER = 600_000;

/** Hooks that give a subject on keep it, and hooks that decide have no opinion. */
async function orNothing(call: HookCall): Promise<unknown> {
  try {
    return await call.execute();
  } catch {
    return transforms.includes(call.hook.hook) ? readSubject(call) : null;
  }
}

function failingWithObservers(): Break {
  let failed: unknown;
  return {
    hook: replaceHook(['after_create_message'], async (call) => {
      try {
        return await call.execute();
      } catch (error) {
        failed = error;
        throw error;
      }
    }),
    trial: (trial) => ({
      async send(content) {
        const result = await trial.send(content);
        if (failed !== undefined) throw new Error('a hook failed');
        return result;
      },
    }),
  };
}

/** Passes on no abort but that of the hook's own timeout. */
async function hearingTimeoutsOnly(call: HookCall): Promise<unknown> {
  const heard = new AbortController();
  const { abortSignal } = call.state.execution;
  const hear = (): void => {
    const reason = abortSignal.reason as { readonly name?: string } | undefined;
    if (reason?.name === 'TimeoutError') heard.abort(reason);
  };
  if (abortSignal.aborted) hear();
  abortSignal.addEventListener('abort', hear, { once: true });
  return call.executeWith(stateWithExecution(call.state, { abortSignal: heard.signal }));
}

/** Whoever is refused because it is too late takes the way from outside. */
function landingLateWrites(): Break {
  let outside: Trial | undefined;
  const orFromOutside = async <T>(
    write: Promise<T>,
    again: () => Promise<unknown> | undefined,
  ): Promise<T> => {
    try {
      return await write;
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'late_write') throw error;
      return (await again()) as T;
    }
  };
  return {
    hook: replaceHook('all', async (call) => {
      const { state } = call;
      const others: Partial<ThreadState> = {
        injectMessage: (message) =>
          orFromOutside(state.injectMessage(message), () => outside?.inject?.(requireText(message))),
        queueMessage: (message) =>
          orFromOutside(state.queueMessage(message), () => outside?.queue?.(requireText(message))),
        updateMessage: (id, updates) =>
          orFromOutside(state.updateMessage(id, updates), () => outside?.update?.(id, updates)),
      };
      return call.executeWith(stateWith(state, others));
    }),
    trial: (trial) => {
      outside = trial;
      return {};
    },
  };
}

function quotingCauses(): Break {
  const causes: string[] = [];
  return {
    hook: replaceHook('all', async (call) => {
      try {
        return await call.execute();
      } catch (error) {
        causes.push(String(error));
        throw error;
      }
    }),
    trial: (trial) => ({
      async send(content) {
        try {
          return await trial.send(content);
        } catch (error) {
          if (error instanceof Error) error.message += ` Cause: ${causes.join(', ')}`;
          throw error;
        }
      },
      told: async () => `${await trial.told?.()}\n${causes.join('\n')}`,
    }),
  };
}
