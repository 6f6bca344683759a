import type { AnyHook } from '@spec/hooks';
import type { Setup } from '../subject.ts';
import { broken, otherwise, readSubject, replaceHook, without } from './break.ts';
import type { Fault } from './fault.ts';

/** Faults in which hooks run, and in what they may say of themselves. */
export const optionFaults: readonly Fault[] = [
  {
    id: 'prompt_adds_to_agent',
    says: "The agent's hooks run beside the prompt's.",
    foundBy: [
      'scope.the_prompts_list_takes_the_agents_place',
      'scope.an_empty_list_of_the_prompt_is_an_answer',
    ],
    breaks: ['scope', '*.is_scoped_to_the_prompt', '*.is_turned_off_by_an_empty_list'],
    breakIt: (good) =>
      broken(good, (setup) => {
        const { promptHooks, agentHooks = [] } = setup;
        if (promptHooks === undefined) return {};
        return { setup: { ...setup, promptHooks: [...new Set([...promptHooks, ...agentHooks])] } };
      }),
  },
  {
    id: 'unknown_id_skipped',
    says: 'An id that nobody registered is passed over in silence.',
    foundBy: ['scope.a_prompt_with_an_unknown_id_is_refused', 'scope.an_agent_with_an_unknown_id_is_refused'],
    breaks: ['scope'],
    breakIt: (good) => broken(good, (setup) => ({ setup: withKnownIds(setup) })),
  },
  {
    id: 'hooks_in_reverse',
    says: 'Hooks of equal rank run in the reverse of their order.',
    foundBy: ['before_create_message.three_hooks_run_in_the_order_of_the_list'],
    breaks: [
      ...['after_*', 'before_*', 'filter_messages', 'prefilter_llm_history', 'tool_results'],
      ...['decisions', 'invariants', 'ledger', 'scope', 'timeouts'],
    ],
    breakIt: (good) =>
      broken(good, (setup) => ({
        setup: {
          ...setup,
          ...(setup.policies === undefined ? {} : { policies: setup.policies.toReversed() }),
          ...(setup.promptHooks === undefined ? {} : { promptHooks: setup.promptHooks.toReversed() }),
          ...(setup.agentHooks === undefined ? {} : { agentHooks: setup.agentHooks.toReversed() }),
        },
      })),
  },
  {
    id: 'policies_after_scoped_hooks',
    says: 'Policies are hooks like those of prompts and agents: they run behind them, and not in subagents.',
    foundBy: ['scope.policies_run_first_with_a_list', 'scope.policies_run_in_subagents'],
    breaks: [
      ...['scope', 'subagents', '*.runs_as_a_policy_first', 'after_subagent_created'],
      ...['streaming.text_of_a_subagent_*', 'tools.call_in_a_subagent_is_judged'],
      ...['after_session_started.runs_for_a_subagent', 'ledger.runs_inside_*', 'ledger.tells_policies_*'],
    ],
    breakIt: (good) =>
      broken(good, (setup) => ({
        setup: withPoliciesLast(setup),
        hook: (hook) => (setup.policies?.includes(hook) ? otherwise(hook, { priority: -1_000_000 }) : hook),
      })),
  },
  {
    id: 'user_messages_skip_prompt_hooks',
    says: 'The messages of the user skip the hooks that the prompt names.',
    foundBy: ['scope.a_user_message_is_scoped_to_the_prompt', 'messages.user_passes_the_create_chain_once'],
    breaks: [
      ...['after_create_message', 'after_notification', 'after_thread_created', 'after_tool_batch'],
      ...['before_create_message', 'before_stop', 'before_update_message', 'before_user_message'],
      ...['crashes', 'decisions', 'definition', 'examples', 'invariants', 'ledger', 'lifecycle', 'messages'],
      ...['reopen', 'scope', 'state', 'subagents', 'timeouts', 'tools'],
    ],
    breakIt: (good) =>
      broken(good, ({ promptHooks = [] }) => ({
        hook: replaceHook(
          ['before_create_message', 'after_create_message', 'before_user_message'],
          async (call) => {
            const { role } = readSubject(call);
            const isSkipped = role === 'user' && promptHooks.includes(call.hook.id) && !call.isPolicy;
            if (!isSkipped) return call.execute();
            return call.hook.hook === 'before_create_message' ? readSubject(call) : null;
          },
        ),
      })),
  },
  {
    id: 'options_ignored',
    says: 'What a hook says of itself counts for nothing: its matcher, schema, changes, priority and policy for failures.',
    foundBy: [
      'before_store_tool_result.match_keeps_it_from_other_tools',
      'prefilter_llm_history.a_schema_keeps_the_hook_from_unexpected_input',
      'before_create_message.changes_refuses_other_fields',
      'scope.priority_orders_policies_and_scoped_hooks_apart',
      'before_create_message.throws_and_continues',
      'after_tool_call_success.throws_and_blocks',
      'timeouts.on_timeout_is_apart_from_on_error',
    ],
    breaks: [
      ...['*.match*', '*.changes_*', '*_and_continues', '*_and_blocks', '*.fails_its_schema_*', 'streaming'],
      ...['*_is_judged', 'subagents', 'decisions', 'scope', 'timeouts', 'errors', 'ledger', 'invariants'],
      ...['*.a_subject_changed_in_place_by_a_hook_that_fails_stays', 'after_tool_batch'],
      '*.a_value_changed_after_it_was_returned_stays',
    ],
    breakIt: (good) => broken(good, () => ({ hook: (hook) => otherwise(hook, noOptions) })),
  },
];

const noOptions = {
  ...{ matcher: undefined, schema: undefined, changes: undefined },
  ...{ priority: 0, onError: undefined, onTimeout: undefined },
};

function listIds(hooks: readonly AnyHook[] = []): string[] {
  return hooks.map(({ id }) => id);
}

function withKnownIds(setup: Setup): Setup {
  const known = new Set(listIds([...(setup.hooks ?? []), ...(setup.policies ?? [])]));
  const { promptHooks, agentHooks } = setup;
  return {
    ...setup,
    ...(promptHooks === undefined ? {} : { promptHooks: promptHooks.filter((id) => known.has(id)) }),
    ...(agentHooks === undefined ? {} : { agentHooks: agentHooks.filter((id) => known.has(id)) }),
  };
}

function withPoliciesLast(setup: Setup): Setup {
  const { hooks = [], policies = [], promptHooks, agentHooks } = setup;
  if (policies.length === 0) return setup;
  const last = (ids: readonly string[] = []): string[] => [...new Set([...ids, ...listIds(policies)])];
  return {
    ...without(setup, 'policies'),
    hooks: [...new Set([...hooks, ...policies])],
    ...(promptHooks === undefined ? {} : { promptHooks: last(promptHooks) }),
    ...(promptHooks === undefined || agentHooks !== undefined ? { agentHooks: last(agentHooks) } : {}),
  };
}
