import type { Decision, HookMessage, LifecycleName } from '@spec/hooks';
import type { Trial } from '../subject.ts';
import { type Break, broken, type HookCall, readSubject, replaceHook, stateWithExecution } from './break.ts';
import type { Fault } from './fault.ts';

const calls = ['before_tool_call', 'before_permission_request'] as const;
const decides: readonly LifecycleName[] = [...calls, 'before_user_message', 'before_compaction'];

/** Faults in what becomes of a hook's answer, and in what hooks and readers are told. */
export const answerFaults: readonly Fault[] = [
  {
    id: 'null_is_a_result',
    says: 'A null that keeps the result of a tool makes it an empty success.',
    foundBy: [
      'after_tool_call_success.null_uses_the_original_result',
      'after_tool_call_failure.null_uses_the_original_error',
    ],
    breaks: ['after_tool_call_success', 'after_tool_call_failure', 'tool_results', 'examples'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: replaceHook(
          ['after_tool_call_success', 'after_tool_call_failure'],
          async (call) => (await call.execute()) ?? { status: 'success', result: '' },
        ),
      })),
  },
  {
    id: 'chains_run_twice',
    says: 'The hooks of the system message, and those that see a message before it is created, run twice.',
    foundBy: [
      'after_system_message.runs_before_every_request',
      'messages.user_passes_the_create_chain_once',
      'before_create_message.is_called_for_every_message_of_a_turn',
    ],
    breaks: [
      ...['after_subagent_created', 'after_system_message', 'after_thread_created', 'before_create_message'],
      ...['before_stop', 'before_update_message', 'prefilter_llm_history.runs_before_every_request'],
      ...['crashes', 'invariants', 'ledger', 'lifecycle', 'messages', 'reopen', 'scope', 'shapes'],
      ...['streaming', 'subagents', 'timeouts'],
    ],
    breakIt: (good) =>
      broken(good, () => ({ hook: replaceHook(['after_system_message', 'before_create_message'], twice) })),
  },
  {
    id: 'mutation_leaks',
    says: 'What a failed hook had changed in place is what the next hook gets.',
    foundBy: ['before_create_message.a_subject_changed_in_place_by_a_hook_that_fails_stays'],
    breaks: [
      ...['*.a_subject_changed_in_place_by_a_hook_that_fails_stays', '*_failure_leaves_the_thread_usable'],
      ...['after_create_message.is_not_called_for_what_is_not_stored', 'ledger'],
      'messages.refused_result_is_not_sent_to_the_model',
      'timeouts.on_timeout_is_apart_from_on_error',
      ...['before_create_message.*_by_default', 'before_create_message.*_and_blocks'],
      'messages.injected_by_a_hook_is_not_stored_where_its_chain_fails',
    ],
    breakIt: (good) => broken(good, leakingMutations),
  },
  {
    id: 'tool_call_of_the_model_runs',
    says: 'The tool call that runs is the one that the model made, not the one that the hook returned.',
    foundBy: ['tools.call_that_a_hook_strips_does_not_run', 'tools.call_that_a_hook_changes_runs_as_changed'],
    breaks: ['tools'],
    breakIt: (good) => broken(good, runningTheModelsCalls),
  },
  {
    id: 'only_the_verdict_counts',
    says: 'Of a decision only allow, deny and ask are heard: not its reason, input, result, context and message.',
    foundBy: [
      'decisions.reason_goes_to_the_model',
      'decisions.rewritten_input_is_what_runs',
      'decisions.result_answers_the_call',
      'before_user_message.input_is_stored_and_sent',
      'before_user_message.contexts_are_one_message_behind_it',
      'before_tool_call.contexts_are_one_message_behind_all_results',
    ],
    breaks: [
      ...['before_permission_request', 'before_tool_call', 'before_user_message'],
      ...['crashes', 'decisions', 'invariants.decision_counts_as_it_was_given', 'ledger', 'subagents'],
      'after_notification.hears_what_hooks_tell_the_person',
      ...['messages.context_of_a_*', 'messages.denied_call_*', 'tools', '*.context*'],
    ],
    breakIt: (good) =>
      broken(good, () => ({
        hook: deciding(decides, ({ decision }) => (decision === undefined ? {} : { decision })),
      })),
  },
  {
    id: 'allow_beats_deny',
    says: 'A hook that allows a call silences the denials after it.',
    foundBy: ['decisions.allow_never_beats_a_later_deny'],
    breaks: ['decisions', 'tools.call_that_a_hook_allows_is_judged'],
    breakIt: (good) => broken(good, rememberingAllows),
  },
  {
    id: 'unanswered_ask_allows',
    says: 'A call that somebody must be asked about runs where nobody can be asked.',
    foundBy: ['decisions.ask_without_anybody_is_a_deny'],
    breaks: ['decisions', 'before_user_message', 'before_permission_request'],
    breakIt: (good) => broken(good, (setup) => ({ setup: { onAsk: 'allow', ...setup } })),
  },
  {
    id: 'text_streams_before_redaction',
    says: 'Text leaves before the hooks that may change it have seen it.',
    foundBy: ['streaming.text_is_held_back_from_a_hook_that_could_change_it'],
    breaks: ['streaming'],
    breakIt: (good) => broken(good, (setup) => ({ setup: { ...setup, stream: 'raw' } })),
  },
  {
    id: 'metadata_lost',
    says: 'Fields that the specification does not know are not stored.',
    foundBy: ['messages.metadata_is_kept_as_given', 'messages.unknown_fields_of_a_hook_are_kept'],
    breaks: [
      ...['messages.unknown_*', 'before_create_message', 'before_update_message.is_used_for_the_update'],
      ...['tools.*stored*', 'tool_results', 'examples.add_execution_metadata'],
      // A row that says how a turn ended is known by a field of its own.
      ...['timeouts.a_hook_that_must_answer_fails_when_it_hangs', '*.is_not_called_for_what_is_not_stored'],
    ],
    breakIt: (good) => broken(good, () => ({ trial: showing((messages) => messages.map(withKnownFields)) })),
  },
  {
    id: 'results_out_of_order',
    says: 'The results of parallel tool calls are stored as they come, not in the order of the calls.',
    foundBy: ['tools.results_are_stored_in_call_order'],
    breaks: [
      ...['tools', 'crashes', 'decisions', 'messages.calls_and_results_refer_to_each_other'],
      ...['after_tool_call_success.keeps_parallel_calls_apart', 'examples.alert_payment_failures'],
      'invariants.abort_while_a_tool_runs',
    ],
    breakIt: (good) => broken(good, () => ({ trial: showing(withResultsReversed) })),
  },
  {
    id: 'execution_is_made_up',
    says: 'Hooks are told step 0, side a and a new flow, whatever the turn is at.',
    foundBy: [
      'state.step_count_counts_model_calls',
      'state.a_turn_is_one_flow',
      'scope.each_side_has_the_hooks_of_its_prompt',
    ],
    breaks: ['state', 'scope', 'invariants.execution_*', 'examples.log_tool_calls'],
    breakIt: (good) => broken(good, makingExecutionUp),
  },
  {
    id: 'ledger_misses_failures',
    says: 'The runs of hooks that failed or were passed over are not in the ledger, and a change is called none.',
    foundBy: ['ledger.tells_failed', 'ledger.tells_skipped', 'ledger.tells_changed'],
    breaks: ['ledger'],
    breakIt: (good) =>
      broken(good, () => ({
        trial: (trial) => ({
          runs: async () =>
            ((await trial.runs?.()) ?? [])
              .filter(({ outcome }) => outcome !== 'failed' && outcome !== 'skipped')
              .map((run) => (run.outcome === 'changed' ? { ...run, outcome: 'ok', changed: false } : run)),
        }),
      })),
  },
];

async function twice(call: HookCall): Promise<unknown> {
  const once = await call.execute();
  return call.execute(once ?? readSubject(call));
}

function leakingMutations(): Break {
  const leaked = new Map<string, unknown>();
  return {
    hook: replaceHook('all', async (call) => {
      const { hook } = call.hook;
      const subject = leaked.get(hook) ?? readSubject(call);
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

/** Storage shows what the hook returned; what runs is what it was given. */
function runningTheModelsCalls(): Break {
  const shown = new Map<string, string | null>();
  return {
    hook: replaceHook(['before_create_message'], async (call) => {
      const before = readSubject<{ role?: string; tool_calls?: string }>(call).tool_calls;
      const after = (await call.execute()) as { role?: string; tool_calls?: string | null };
      if (before === undefined || before === null || after?.tool_calls === before) return after;
      shown.set(before, after.tool_calls ?? null);
      return { ...after, tool_calls: before };
    }),
    trial: showing((messages) =>
      messages.map((message) =>
        shown.has(message.tool_calls ?? '')
          ? { ...message, tool_calls: shown.get(message.tool_calls as string) ?? null }
          : message,
      ),
    ),
  };
}

/** Another decision in the place of each that a hook makes. */
function deciding(
  names: readonly LifecycleName[],
  change: (decision: Decision) => Decision,
): NonNullable<Break['hook']> {
  return replaceHook(names, async (call) => {
    const decision = (await call.execute()) as Decision | null | undefined;
    return typeof decision === 'object' && decision !== null ? change(decision) : decision;
  });
}

function rememberingAllows(): Break {
  const allowed = new Set<unknown>();
  return {
    hook: replaceHook(['before_tool_call'], async (call) => {
      const answer = (await call.execute()) as Decision | null;
      const { id } = readSubject(call);
      if (answer?.decision === 'allow') allowed.add(id);
      return answer?.decision === 'deny' && allowed.has(id) ? null : answer;
    }),
  };
}

function makingExecutionUp(): Break {
  let flow = 0;
  return {
    hook: replaceHook('all', async ({ state, executeWith }) =>
      executeWith(stateWithExecution(state, { stepCount: 0, currentSide: 'a', flowId: `flow-${flow++}` })),
    ),
  };
}

const storedFields: ReadonlySet<string> = new Set([
  ...['id', 'role', 'content', 'name', 'tool_calls', 'tool_call_id', 'created_at', 'parent_id', 'depth'],
]);

function withKnownFields(message: HookMessage): HookMessage {
  return Object.fromEntries(
    Object.entries(message).filter(([field]) => storedFields.has(field)),
  ) as unknown as HookMessage;
}

function showing(
  change: (messages: readonly HookMessage[]) => readonly HookMessage[],
): (trial: Trial) => Partial<Trial> {
  return (trial) => ({ messages: async () => change(await trial.messages()) });
}

function withResultsReversed(messages: readonly HookMessage[]): HookMessage[] {
  const shown: HookMessage[] = [];
  let batchStart = 0;
  for (const message of messages) {
    if (message.role !== 'tool') batchStart = shown.length + 1;
    shown.splice(message.role === 'tool' ? batchStart : shown.length, 0, message);
  }
  return shown;
}
