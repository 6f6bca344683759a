import { type Break, broken, type HookCall, inPlaceOf, otherwise, subjectOf } from './break.ts';
import type { Fault } from './fault.ts';

/** Faults in what becomes of a hook's answer. */
export const answerFaults: readonly Fault[] = [
  {
    id: 'null_deletes_the_result',
    says: "A null from after_tool_call_success deletes the call's result.",
    foundBy: ['after_tool_call_success.null_uses_the_original_result'],
    breaks: ['after_tool_call_success', 'tool_results', 'examples.log_tool_calls'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf(
          ['after_tool_call_success'],
          async (call) => (await call.execute()) ?? { status: 'success', result: '' },
        ),
      })),
  },
  {
    id: 'null_forgives_the_failure',
    says: 'A null from after_tool_call_failure makes the failure a success.',
    foundBy: ['after_tool_call_failure.null_uses_the_original_error'],
    breaks: ['after_tool_call_failure', 'examples.alert_payment_failures'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf(
          ['after_tool_call_failure'],
          async (call) => (await call.execute()) ?? { status: 'success', result: '' },
        ),
      })),
  },
  {
    id: 'empty_text_is_no_answer',
    says: 'An empty system message from a hook counts as none.',
    foundBy: ['after_system_message.an_empty_text_counts'],
    breaks: [],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf(['after_system_message'], async (call) => (await call.execute()) || null),
      })),
  },
  {
    id: 'missing_answer_keeps_the_subject',
    says: 'A transform hook that returns nothing keeps the subject, instead of failing.',
    foundBy: ['before_create_message.returns_nothing_by_default'],
    breaks: ['*.returns_nothing_*', '*.returns_null_*', 'errors'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf(transforms, async (call) => (await call.execute()) ?? subjectOf(call)),
      })),
  },
  {
    id: 'system_hooks_run_twice',
    says: 'The hooks of the system message run twice.',
    foundBy: ['after_system_message.runs_before_every_request'],
    breaks: [
      'after_system_message',
      'prefilter_llm_history.runs_before_every_request',
      'ledger.every_run_is_recorded_once',
      'lifecycle',
    ],
    breakIt: (good) => broken(good, () => ({ hook: inPlaceOf(['after_system_message'], twice) })),
  },
  {
    id: 'create_chain_runs_twice',
    says: 'The hooks that see a message before it is created run twice.',
    foundBy: [
      'messages.user_passes_the_create_chain_once',
      'before_create_message.is_called_for_every_message_of_a_turn',
    ],
    breaks: [
      'after_subagent_created',
      'after_thread_created',
      'before_create_message',
      'before_stop',
      'before_update_message',
      'crashes',
      'lifecycle',
      'invariants',
      'ledger',
      'messages',
      'reopen',
      'scope',
      'shapes',
      'streaming',
      'subagents',
      'timeouts',
    ],
    breakIt: (good) => broken(good, () => ({ hook: inPlaceOf(['before_create_message'], twice) })),
  },
  {
    id: 'changes_not_enforced',
    says: 'A hook may change fields that its `changes` does not list.',
    foundBy: ['before_create_message.changes_refuses_other_fields'],
    breaks: ['*.changes_refuses_other_fields', 'streaming'],
    breakIt: (good) => broken(good, () => ({ hook: (hook) => otherwise(hook, { changes: undefined }) })),
  },
  {
    id: 'schema_not_checked',
    says: 'A hook runs on a subject that its schema refuses.',
    foundBy: ['prefilter_llm_history.a_schema_keeps_the_hook_from_unexpected_input'],
    breaks: ['*.fails_its_schema_*', 'ledger.tells_invalid_input', 'errors.*schema*'],
    breakIt: (good) => broken(good, () => ({ hook: (hook) => otherwise(hook, { schema: undefined }) })),
  },
  {
    id: 'attachments_stripped',
    says: 'The attachments of a tool result are gone when a hook gets it.',
    foundBy: ['tool_results.attachments_reach_the_hooks'],
    breaks: ['tool_results', 'tools.attachments_*'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf(resultHooks, async (call) => {
          const { attachments: _, ...rest } = subjectOf(call);
          return call.execute(rest);
        }),
      })),
  },
  {
    id: 'mutation_leaks',
    says: 'What a failed hook had changed in place is what the next hook gets.',
    foundBy: ['before_create_message.a_subject_changed_in_place_by_a_hook_that_fails_stays'],
    breaks: [
      '*.a_subject_changed_in_place_by_a_hook_that_fails_stays',
      '*_failure_leaves_the_thread_usable',
      'after_create_message.is_not_called_for_what_is_not_stored',
      'messages.refused_result_is_not_sent_to_the_model',
      'timeouts.on_timeout_is_apart_from_on_error',
      'ledger',
    ],
    breakIt: (good) => broken(good, leakingMutations),
  },
  {
    id: 'last_to_finish_wins',
    says: 'The hooks of a chain run at the same time on the same subject, and the slowest has the last word.',
    foundBy: ['before_create_message.three_hooks_run_in_the_order_of_the_list'],
    breaks: [
      'after_system_message',
      'after_tool_call_failure',
      'after_tool_call_success',
      'before_create_message',
      'before_store_tool_result',
      'before_update_message',
      'crashes',
      'lifecycle',
      'filter_messages',
      'prefilter_llm_history',
      'scope',
      'streaming',
      'subagents',
      'timeouts',
      'tool_results',
    ],
    breakIt: (good) =>
      broken(good, () => ({ hook: inPlaceOf([...transforms, ...replaces], onTheFirstSubject()) })),
  },
  {
    id: 'tool_call_of_the_model_runs',
    says: 'The tool call that runs is the one that the model made, not the one that the hook returned.',
    foundBy: ['tools.call_that_a_hook_strips_does_not_run', 'tools.call_that_a_hook_changes_runs_as_changed'],
    breaks: ['tools'],
    breakIt: (good) => broken(good, runningTheModelsCalls),
  },
];

const transforms = [
  'filter_messages',
  'prefilter_llm_history',
  'before_create_message',
  'before_update_message',
  'before_store_tool_result',
] as const;
const replaces = ['after_system_message', 'after_tool_call_success', 'after_tool_call_failure'] as const;
const resultHooks = [
  'before_store_tool_result',
  'after_tool_call_success',
  'after_tool_call_failure',
] as const;

async function twice(call: HookCall): Promise<unknown> {
  const once = await call.execute();
  return call.execute(once ?? subjectOf(call));
}

function leakingMutations(): Break {
  const leaked = new Map<string, unknown>();
  return {
    hook: inPlaceOf('all', async (call) => {
      const { hook } = call.hook;
      const subject = leaked.get(hook) ?? subjectOf(call);
      leaked.delete(hook);
      try {
        return await call.execute(subject);
      } catch (error) {
        leaked.set(hook, subject);
        throw error;
      }
    }),
  };
}

/** Every hook of a chain gets the subject that its first one got, and the one that took longest is the one that counts. */
function onTheFirstSubject(): (call: HookCall) => Promise<unknown> {
  const chains = new Map<
    string,
    { readonly asked: Set<string>; readonly subject: unknown; ms: number; last: unknown }
  >();
  return async (call) => {
    const { hook, id } = call.hook;
    const known = chains.get(hook);
    const isNew = known === undefined || known.asked.has(id);
    const chain = isNew
      ? { asked: new Set<string>(), subject: structuredClone(subjectOf(call)), ms: -1, last: null }
      : known;
    chains.set(hook, chain);
    chain.asked.add(id);
    const started = performance.now();
    const answer = await call.execute(structuredClone(chain.subject));
    const ms = performance.now() - started;
    if (ms >= chain.ms) Object.assign(chain, { ms, last: answer });
    return chain.last;
  };
}

/** Storage shows what the hook returned; what runs is what it was given. */
function runningTheModelsCalls(): Break {
  const shown = new Map<string, string | null>();
  return {
    hook: inPlaceOf(['before_create_message'], async (call) => {
      const before = subjectOf<{ role?: string; tool_calls?: string }>(call).tool_calls;
      const after = (await call.execute()) as { role?: string; tool_calls?: string | null };
      if (before === undefined || before === null || after?.tool_calls === before) return after;
      shown.set(before, after.tool_calls ?? null);
      return { ...after, tool_calls: before };
    }),
    trial: (trial) => ({
      messages: async () =>
        (await trial.messages()).map((message) =>
          shown.has(message.tool_calls ?? '')
            ? { ...message, tool_calls: shown.get(message.tool_calls as string) ?? null }
            : message,
        ),
    }),
  };
}
