import type { AnyHook } from '@spec/hooks';
import type { Setup } from '../subject.ts';
import { broken, inPlaceOf, otherwise, subjectOf, without } from './break.ts';
import type { Fault } from './fault.ts';

/** Faults in which hooks run: the wrong ones, or in the wrong order. */
export const scopeFaults: readonly Fault[] = [
  {
    id: 'empty_list_falls_back',
    says: "A prompt that declares no hooks, with an empty array, gets the agent's.",
    foundBy: ['scope.an_empty_list_of_the_prompt_is_an_answer'],
    breaks: ['scope.*_turned_off_by_an_empty_list', '*.is_turned_off_by_an_empty_list'],
    breakIt: (good) =>
      broken(good, (setup) => ({
        setup: setup.promptHooks?.length === 0 ? without(setup, 'promptHooks') : setup,
      })),
  },
  {
    id: 'prompt_adds_to_agent',
    says: "The agent's hooks run beside the prompt's.",
    foundBy: ['scope.the_prompts_list_takes_the_agents_place'],
    breaks: ['scope', '*.is_scoped_to_the_prompt', '*.is_turned_off_by_an_empty_list'],
    breakIt: (good) =>
      broken(good, (setup) => {
        const { promptHooks, agentHooks = [] } = setup;
        if (promptHooks === undefined) return {};
        return { setup: { ...setup, promptHooks: [...new Set([...promptHooks, ...agentHooks])] } };
      }),
  },
  {
    id: 'registered_hooks_run_unnamed',
    says: 'Hooks run that neither the prompt nor the agent names.',
    foundBy: ['scope.without_any_list_no_hooks_run'],
    breaks: ['scope', 'invariants.without_a_hook_in_scope_nothing_runs'],
    breakIt: (good) =>
      broken(good, (setup) => {
        if (setup.promptHooks !== undefined || setup.agentHooks !== undefined) return {};
        return { setup: { ...setup, agentHooks: idsOf(setup.hooks) } };
      }),
  },
  {
    id: 'user_messages_skip_prompt_hooks',
    says: 'The messages of the user skip the hooks that the prompt names.',
    foundBy: ['scope.a_user_message_is_scoped_to_the_prompt', 'messages.user_passes_the_create_chain_once'],
    breaks: [
      'after_create_message',
      'after_notification',
      'after_thread_created',
      'after_tool_batch',
      'before_create_message',
      'before_stop',
      'before_update_message',
      'before_user_message',
      'crashes',
      'decisions',
      'definition',
      'examples',
      'lifecycle',
      'invariants',
      'ledger',
      'messages',
      'reopen',
      'scope',
      'state',
      'subagents',
      'timeouts',
      'tools',
    ],
    breakIt: (good) =>
      broken(good, ({ promptHooks = [] }) => ({
        hook: inPlaceOf(
          ['before_create_message', 'after_create_message', 'before_user_message'],
          async (call) => {
            const { role } = subjectOf(call);
            const isSkipped = role === 'user' && promptHooks.includes(call.hook.id) && !call.isPolicy;
            if (!isSkipped) return call.execute();
            return call.hook.hook === 'before_create_message' ? subjectOf(call) : null;
          },
        ),
      })),
  },
  {
    id: 'unknown_id_skipped',
    says: 'An id that nobody registered is passed over in silence.',
    foundBy: ['scope.a_prompt_with_an_unknown_id_is_refused', 'scope.an_agent_with_an_unknown_id_is_refused'],
    breaks: ['scope.*'],
    breakIt: (good) => broken(good, (setup) => ({ setup: withKnownIds(setup) })),
  },
  {
    id: 'priority_ignored',
    says: 'Hooks run as they are listed, whatever their priority.',
    foundBy: ['scope.priority_orders_policies_and_scoped_hooks_apart'],
    breaks: ['scope'],
    breakIt: (good) => broken(good, () => ({ hook: (hook) => otherwise(hook, { priority: 0 }) })),
  },
  {
    id: 'hooks_in_reverse',
    says: 'Hooks of equal rank run in the reverse of their order.',
    foundBy: ['before_create_message.three_hooks_run_in_the_order_of_the_list'],
    breaks: [
      'after_create_message',
      'after_subagent_created',
      'after_system_message',
      'after_thread_created',
      'after_tool_batch',
      'after_tool_call_failure',
      'after_tool_call_success',
      'after_update_message',
      'before_create_message',
      'before_stop',
      'before_store_tool_result',
      'before_tool_call',
      'before_update_message',
      'before_user_message',
      'decisions',
      'lifecycle',
      'filter_messages',
      'invariants',
      'ledger',
      'prefilter_llm_history',
      'scope',
      'timeouts',
      'tool_results',
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
    says: 'Policies run behind the hooks that prompts and agents name.',
    foundBy: ['scope.policies_run_first_with_a_list'],
    breaks: [
      'streaming.text_of_a_subagent_*',
      'ledger.runs_inside_*',
      'scope',
      '*.runs_as_a_policy_first',
      'subagents',
      'after_subagent_created',
      'tools.call_in_a_subagent_is_judged',
      'after_session_started.runs_for_a_subagent',
      'ledger.tells_policies_from_scoped_hooks',
    ],
    breakIt: (good) =>
      broken(good, (setup) => ({
        setup: withPoliciesLast(setup),
        hook: (hook) => (setup.policies?.includes(hook) ? otherwise(hook, { priority: -1_000_000 }) : hook),
      })),
  },
  {
    id: 'subagent_escapes_policies',
    says: 'Policies do not apply inside a subagent.',
    foundBy: ['scope.policies_run_in_subagents', 'subagents.policies_judge_their_tools'],
    breaks: [
      'streaming.text_of_a_subagent_*',
      'ledger.runs_inside_*',
      'subagents',
      'after_subagent_created',
      'tools.call_in_a_subagent_is_judged',
      'after_session_started.runs_for_a_subagent',
    ],
    breakIt: (good) =>
      broken(good, () => ({
        hook: inPlaceOf('all', async (call) => {
          if (!call.isPolicy || (await call.state.getParentThread()) === null) return call.execute();
          return isTransform.has(call.hook.hook) ? subjectOf(call) : null;
        }),
      })),
  },
  {
    id: 'matchers_ignored',
    says: 'A hook with a matcher runs for every tool call.',
    foundBy: ['before_store_tool_result.match_keeps_it_from_other_tools'],
    breaks: [
      '*.match*',
      '*_is_judged',
      'subagents.policies_judge_their_tools',
      'decisions.*matchers*',
      'ledger.tells_skipped',
    ],
    breakIt: (good) => broken(good, () => ({ hook: (hook) => otherwise(hook, { matcher: undefined }) })),
  },
  {
    id: 'sides_share_hooks',
    says: "The other side of an agent with two runs the first one's hooks.",
    foundBy: ['scope.each_side_has_the_hooks_of_its_prompt'],
    breaks: ['scope'],
    breakIt: (good) =>
      broken(good, (setup) => {
        const { otherSide, promptHooks } = setup;
        if (otherSide === undefined || promptHooks === undefined) return {};
        return { setup: { ...setup, otherSide: { ...otherSide, promptHooks } } };
      }),
  },
];

const isTransform: ReadonlySet<string> = new Set([
  ...['filter_messages', 'prefilter_llm_history', 'before_create_message', 'before_update_message'],
  'before_store_tool_result',
]);

function idsOf(hooks: readonly AnyHook[] = []): string[] {
  return hooks.map(({ id }) => id);
}

function withKnownIds(setup: Setup): Setup {
  const known = new Set(idsOf([...(setup.hooks ?? []), ...(setup.policies ?? [])]));
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
  const last = (ids: readonly string[] = []): string[] => [...new Set([...ids, ...idsOf(policies)])];
  return {
    ...without(setup, 'policies'),
    hooks: [...new Set([...hooks, ...policies])],
    ...(promptHooks === undefined ? {} : { promptHooks: last(promptHooks) }),
    ...(promptHooks === undefined || agentHooks !== undefined ? { agentHooks: last(agentHooks) } : {}),
  };
}
