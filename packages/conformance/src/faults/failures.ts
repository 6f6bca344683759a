import type { ThreadState } from '@spec/hooks';
import type { Trial } from '../subject.ts';
import {
  type Break,
  broken,
  type HookCall,
  inPlaceOf,
  otherwise,
  stateWith,
  stateWithExecution,
  subjectOf,
} from './break.ts';
import type { Fault } from './fault.ts';

/** Faults in what happens when a hook fails, hangs or is too late. */
export const failureFaults: readonly Fault[] = [
  {
    id: 'redaction_fails_open',
    says: 'Where a before_store_tool_result hook throws, the raw result is stored.',
    foundBy: ['before_store_tool_result.throws_by_default'],
    breaks: ['before_store_tool_result', 'errors', 'messages.withheld_result_*'],
    breakIt: (good) => broken(good, () => ({ hook: inPlaceOf(['before_store_tool_result'], orTheSubject) })),
  },
  {
    id: 'update_fails_open',
    says: 'Where a before_update_message hook throws, the message is updated all the same.',
    foundBy: ['before_update_message.failure_prevents_the_update'],
    breaks: ['before_update_message', 'errors'],
    breakIt: (good) => broken(good, () => ({ hook: inPlaceOf(['before_update_message'], orTheSubject) })),
  },
  {
    id: 'create_fails_open',
    says: 'Where a before_create_message hook throws, the message is created all the same.',
    foundBy: [
      'before_create_message.failure_prevents_the_answer',
      'messages.user_is_not_stored_where_its_chain_fails',
    ],
    breaks: [
      'before_create_message',
      'after_create_message',
      'messages.*where_its_chain_fails',
      'messages.refused_*',
      'timeouts',
      'secrets',
      'subagents.refused_first_message_is_a_failed_call',
      'invariants.hooks_within_hooks_come_to_an_end',
      'ledger',
      'errors',
      'streaming.refused_answer_never_leaves',
    ],
    breakIt: (good) => broken(good, () => ({ hook: inPlaceOf(['before_create_message'], orTheSubject) })),
  },
  {
    id: 'filter_fails_open',
    says: 'Where a filter_messages hook throws, the model is sent the whole history.',
    foundBy: ['filter_messages.throws_by_default'],
    breaks: ['filter_messages', 'errors'],
    breakIt: (good) => broken(good, () => ({ hook: inPlaceOf(['filter_messages'], orTheSubject) })),
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
    says: 'A hook may take as long as it likes.',
    foundBy: ['timeouts.the_runtimes_timeout_ends_a_hook_that_hangs'],
    breaks: [
      'timeouts',
      '*.hangs_*',
      '*.answers_late_*',
      '*.cannot_write_once_it_timed_out',
      '*.is_told_of_its_timeout',
      '*.denies_when_it_hangs',
      '*where_its_chain_fails',
      '*.failure_*',
      '*.that_waits_for_a_dead_service_stops_nothing',
      'decisions.on_*',
      'subagents.hooks_of_creation_that_fail_stop_nothing',
      'streaming.refused_answer_never_leaves',
      'invariants.late_*',
      'ledger.tells_timed_out',
      'tools.call_whose_restore_fails_does_not_run',
      'errors.*hangs*',
      'invariants.*_begun_*',
    ],
    breakIt: (good) =>
      broken(good, (setup) => ({
        setup: { ...setup, hookTimeout: FOREVER },
        hook: (hook) => otherwise(hook, { timeout: FOREVER }),
      })),
  },
  {
    id: 'own_timeout_ignored',
    says: "A hook's own timeout counts for nothing; the runtime's holds for all.",
    foundBy: ['timeouts.a_hooks_own_timeout_beats_the_runtimes'],
    breaks: [
      'tools.call_whose_restore_fails_does_not_run',
      'timeouts',
      '*.answers_late_*',
      '*.hangs_*',
      '*.cannot_write_once_it_timed_out',
      '*.is_told_of_its_timeout',
      '*.denies_when_it_hangs',
      'messages.*where_its_chain_fails',
      '*.failure_*',
      'decisions.on_*',
      'subagents.hooks_of_creation_that_fail_stop_nothing',
      'streaming.refused_answer_never_leaves',
      'ledger.tells_timed_out',
      'errors.*hangs*',
      '*.that_waits_for_a_dead_service_stops_nothing',
      'invariants.late_*',
      'invariants.*_begun_*',
    ],
    breakIt: (good) => broken(good, () => ({ hook: (hook) => otherwise(hook, { timeout: undefined }) })),
  },
  {
    id: 'timeout_without_abort',
    says: "A hook's abort signal does not fire at its timeout.",
    foundBy: ['before_create_message.is_told_of_its_timeout'],
    breaks: ['*.is_told_of_its_timeout'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf(
          'all',
          hearingAborts((reason) => reason?.name !== 'TimeoutError'),
        ),
      })),
  },
  {
    id: 'thread_abort_not_told',
    says: "A hook's abort signal does not fire when the thread is aborted.",
    foundBy: ['before_create_message.abort_beats_continue'],
    breaks: ['*.abort_beats_continue', 'subagents.stop_of_the_parent_reaches_them'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf(
          'all',
          hearingAborts((reason) => reason?.name === 'TimeoutError'),
        ),
      })),
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
    id: 'on_error_ignored',
    says: 'What a hook says of its failures counts for nothing; the default of its kind holds.',
    foundBy: ['before_create_message.throws_and_continues', 'after_tool_call_success.throws_and_blocks'],
    breaks: [
      '*_and_continues',
      '*_and_blocks',
      '*.a_subject_changed_in_place_by_a_hook_that_fails_stays',
      'after_tool_batch.on_error_block_fails_the_step',
      'decisions.on_*',
      '*.a_value_changed_after_it_was_returned_stays',
    ],
    breakIt: (good) => broken(good, () => ({ hook: (hook) => otherwise(hook, { onError: undefined }) })),
  },
  {
    id: 'on_timeout_ignored',
    says: 'What a hook says of its timeouts counts for nothing; what it says of its failures holds.',
    foundBy: ['timeouts.on_timeout_is_apart_from_on_error'],
    breaks: ['timeouts', 'decisions.on_timeout_is_apart_from_on_error', 'invariants.*_begun_*'],
    breakIt: (good) => broken(good, () => ({ hook: (hook) => otherwise(hook, { onTimeout: undefined }) })),
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

async function orTheSubject(call: HookCall): Promise<unknown> {
  try {
    return await call.execute();
  } catch {
    return subjectOf(call);
  }
}

function failingWithObservers(): Break {
  let failed: unknown;
  return {
    hook: inPlaceOf(['after_create_message'], async (call) => {
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

/** Passes on an abort where its reason is one that is heard. */
function hearingAborts(
  isHeard: (reason: { readonly name?: string } | undefined) => boolean,
): (call: HookCall) => Promise<unknown> {
  return async (call) => {
    const heard = new AbortController();
    const { abortSignal } = call.state.execution;
    const hear = (): void => {
      if (isHeard(abortSignal.reason as { readonly name?: string } | undefined))
        heard.abort(abortSignal.reason);
    };
    if (abortSignal.aborted) hear();
    abortSignal.addEventListener('abort', hear, { once: true });
    return call.executeWith(stateWithExecution(call.state, { abortSignal: heard.signal }));
  };
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
    hook: inPlaceOf('all', async (call) => {
      const { state } = call;
      const others: Partial<ThreadState> = {
        injectMessage: (message) =>
          orFromOutside(state.injectMessage(message), () => outside?.inject?.(message)),
        queueMessage: (message) =>
          orFromOutside(state.queueMessage(message), () => outside?.queue?.(message)),
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
    hook: inPlaceOf('all', async (call) => {
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
