import type { Decision, HookToolCall, LifecycleName, PermissionRequest } from '@spec/hooks';
import type { SendResult, Setup } from '../subject.ts';
import { type Break, broken, type HookCall, inPlaceOf, subjectOf } from './break.ts';
import type { Fault } from './fault.ts';

const calls = ['before_tool_call', 'before_permission_request'] as const;
const decides: readonly LifecycleName[] = [...calls, 'before_user_message', 'before_compaction'];

/** Faults in decisions, and in what follows from them. */
export const decisionFaults: readonly Fault[] = [
  {
    id: 'allow_beats_deny',
    says: 'A hook that allows a call silences the denials after it.',
    foundBy: ['decisions.allow_never_beats_a_later_deny'],
    breaks: ['decisions', 'tools.call_that_a_hook_allows_is_judged'],
    breakIt: (good) => broken(good, rememberingAllows),
  },
  {
    id: 'first_decision_wins',
    says: 'The hooks after the first one with a decision are not asked.',
    foundBy: ['decisions.allow_never_beats_a_later_deny'],
    breaks: [
      'decisions',
      'tools.call_that_a_hook_allows_is_judged',
      'before_permission_request.rewrite_is_decided_on_anew',
      'ledger.rewrites_are_recorded_with_their_hook',
    ],
    breakIt: (good) => broken(good, rememberingDecisions),
  },
  {
    id: 'rewrite_not_shown_again',
    says: 'A hook that has decided is not asked again when another one rewrites the input.',
    foundBy: ['decisions.rewritten_input_is_shown_again'],
    breaks: [
      'crashes.retry_is_decided_again',
      'decisions',
      'before_permission_request.rewrite_is_decided_on_anew',
    ],
    breakIt: (good) => broken(good, rememberingAnswers),
  },
  {
    id: 'rewrite_ignored',
    says: 'The input that a hook rewrites is not the one that runs.',
    foundBy: ['decisions.rewritten_input_is_what_runs', 'before_user_message.input_is_stored_and_sent'],
    breaks: [
      'decisions',
      '*.denies_when_it_answers_nonsense',
      'tools.rewritten_call_is_judged',
      'before_user_message',
      'before_tool_call',
      'before_permission_request',
      'invariants.decision_counts_as_it_was_given',
      'ledger.rewrites_are_recorded_with_their_hook',
    ],
    breakIt: (good) => broken(good, () => ({ hook: deciding(decides, ({ input: _, ...rest }) => rest) })),
  },
  {
    id: 'answer_ignored',
    says: 'The tool runs, though a hook had answered the call.',
    foundBy: ['decisions.result_answers_the_call'],
    breaks: ['decisions.result_*', 'before_permission_request', 'before_tool_call'],
    breakIt: (good) => broken(good, () => ({ hook: deciding(calls, ({ result: _, ...rest }) => rest) })),
  },
  {
    id: 'deny_without_reason',
    says: 'The model is not told why its call was denied.',
    foundBy: ['decisions.reason_goes_to_the_model'],
    breaks: [
      'tools.restored_call_is_what_is_decided_on',
      'crashes.retry_is_decided_again',
      'decisions',
      'messages.denied_call_*',
      'tools.*_is_judged',
      'before_tool_call',
      'before_permission_request',
      'subagents.policies_judge_their_tools',
    ],
    breakIt: (good) =>
      broken(good, () => ({
        hook: deciding(calls, ({ reason, ...rest }) =>
          rest.decision === 'deny' ? rest : { ...rest, ...(reason === undefined ? {} : { reason }) },
        ),
      })),
  },
  {
    id: 'context_dropped',
    says: 'What a decision adds to the conversation is lost.',
    foundBy: [
      'before_user_message.contexts_are_one_message_behind_it',
      'before_tool_call.contexts_are_one_message_behind_all_results',
    ],
    breaks: ['messages.context_of_a_*', '*.context*', '*.denies_when_it_answers_nonsense'],
    breakIt: (good) => broken(good, () => ({ hook: deciding(decides, ({ context: _, ...rest }) => rest) })),
  },
  {
    id: 'denied_call_runs',
    says: 'The tool runs, though its call was denied.',
    foundBy: ['before_tool_call.denied_call_has_a_result_and_the_model_goes_on'],
    breaks: [
      'crashes.retry_is_decided_again',
      'tools',
      'before_tool_call',
      'before_permission_request',
      'decisions',
      'subagents.policies_judge_their_tools',
    ],
    breakIt: (good) => broken(good, runningDeniedCalls),
  },
  {
    id: 'decider_fails_open',
    says: 'A hook that fails instead of deciding lets the call pass.',
    foundBy: ['before_tool_call.denies_when_it_fails', 'before_user_message.denies_when_it_fails'],
    breaks: ['*.denies_when_it_fails', 'decisions.on_*'],
    breakIt: (good) =>
      broken(good, () => ({ hook: inPlaceOf(decides, async (call) => call.execute().catch(() => null)) })),
  },
  {
    id: 'unanswered_ask_allows',
    says: 'A call that somebody must be asked about runs where nobody can be asked.',
    foundBy: ['decisions.ask_without_anybody_is_a_deny'],
    breaks: ['decisions', 'before_user_message', 'before_permission_request'],
    breakIt: (good) => broken(good, (setup) => ({ setup: { onAsk: 'allow', ...setup } })),
  },
  {
    id: 'permission_hooks_not_asked',
    says: 'No before_permission_request hook is called.',
    foundBy: ['before_permission_request.runs_where_a_hook_asks'],
    breaks: ['before_permission_request'],
    breakIt: (good) =>
      broken(good, () => ({ hook: inPlaceOf(['before_permission_request'], async () => null) })),
  },
  {
    id: 'stop_without_cap',
    says: 'Hooks may keep a turn going without end.',
    foundBy: ['before_stop.is_heard_at_most_eight_times'],
    breaks: ['before_stop'],
    breakIt: (good) => broken(good, keepingOn),
  },
  {
    id: 'batch_context_dropped',
    says: 'What after_tool_batch hooks say does not reach the model.',
    foundBy: ['after_tool_batch.texts_are_one_message_behind_all_results'],
    breaks: ['after_tool_batch', 'messages.context_of_a_batch_*', 'before_tool_call.contexts_*'],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf(['after_tool_batch'], async (call) => {
          await call.execute();
          return null;
        }),
      })),
  },
];

/** Another decision in the place of each that a hook makes. */
function deciding(
  names: readonly LifecycleName[],
  change: (decision: Decision) => Decision,
): NonNullable<Break['hook']> {
  return inPlaceOf(names, async (call) => {
    const decision = (await call.execute()) as Decision | null | undefined;
    return typeof decision === 'object' && decision !== null ? change(decision) : decision;
  });
}

/** The call that a hook decides on. */
function toolCallOf(call: HookCall): HookToolCall {
  const subject = subjectOf<HookToolCall | PermissionRequest>(call);
  return 'toolCall' in subject ? subject.toolCall : subject;
}

function rememberingAllows(): Break {
  const allowed = new Set<string>();
  return {
    hook: inPlaceOf(['before_tool_call'], async (call) => {
      const answer = (await call.execute()) as Decision | null;
      const { id } = toolCallOf(call);
      if (answer?.decision === 'allow') allowed.add(id);
      return answer?.decision === 'deny' && allowed.has(id) ? null : answer;
    }),
  };
}

function rememberingDecisions(): Break {
  const decided = new Set<string>();
  return {
    hook: inPlaceOf(['before_tool_call'], async (call) => {
      const { id } = toolCallOf(call);
      if (decided.has(id)) return null;
      const answer = (await call.execute()) as Decision | null;
      if (answer?.decision !== undefined) decided.add(id);
      return answer;
    }),
  };
}

function rememberingAnswers(): Break {
  const answers = new Map<string, Decision | null>();
  return {
    hook: inPlaceOf(['before_tool_call'], async (call) => {
      const asked = `${call.hook.id} ${toolCallOf(call).id}`;
      const known = answers.get(asked);
      if (known !== undefined) return known;
      const answer = (await call.execute()) as Decision | null;
      const { input: _, ...decision } = answer ?? {};
      answers.set(asked, answer === null || typeof answer !== 'object' ? null : decision);
      return answer;
    }),
  };
}

function runningDeniedCalls({ tools = [] }: Setup): Break {
  return {
    hook: inPlaceOf(['before_tool_call'], async (call) => {
      const answer = (await call.execute()) as Decision | null;
      const { name, arguments: json } = toolCallOf(call).function;
      if (answer?.decision === 'deny')
        await tools.find((tool) => tool.name === name)?.run(JSON.parse(json) as never, call.state);
      return answer;
    }),
  };
}

/** How often a turn that hooks keep going is taken up again. */
const ENOUGH = 20;

function keepingOn(): Break {
  let wanted: string | undefined;
  return {
    hook: inPlaceOf(['before_stop'], async (call) => {
      const answer = (await call.execute()) as { keepGoing: string } | null;
      wanted = answer?.keepGoing;
      return answer;
    }),
    trial: (trial) => ({
      async send(content) {
        let result: SendResult = await trial.send(content);
        for (let again = 0; again < ENOUGH && wanted !== undefined; again++)
          result = await trial.send(wanted);
        return result;
      },
    }),
  };
}
