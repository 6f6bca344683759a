import type { Honour, Honours } from '@spec/hooks/host';

const ITS_OWN_MESSAGES = 'the agent keeps its messages to itself.';

/** What every agent with command hooks does; `own` says what differs in one agent. */
export function commandHonours(own: Honours): Honours {
  const shared: Honours = {
    after_thread_created: { no: 'the agent tells of sessions alone: use after_session_started.' },
    after_subagent_created: { no: 'the agent tells of subagents as sessions: use after_session_started.' },
    after_system_message: { no: ITS_OWN_MESSAGES },
    filter_messages: { no: ITS_OWN_MESSAGES },
    prefilter_llm_history: { no: ITS_OWN_MESSAGES },
    before_create_message: { no: ITS_OWN_MESSAGES },
    after_create_message: { no: ITS_OWN_MESSAGES },
    before_update_message: { no: ITS_OWN_MESSAGES },
    after_update_message: { no: ITS_OWN_MESSAGES },
    before_model_call: { no: 'the agent calls its model without a word.' },
    after_model_call: { no: 'the agent calls its model without a word.' },
    before_user_message: NO_NEW_PROMPT,
    before_stop: 'whole',
    after_session_started: 'whole',
  };
  return { ...shared, ...own };
}

const NO_NEW_PROMPT: Honour = {
  stricter: 'the agent sends a prompt as it was typed, so a rewrite is a deny.',
};

/** For hooks that can change arguments but cannot answer in place of a tool. */
export const NO_ANSWER: Honour = {
  stricter: 'a result that a hook gives in place of the tool is a deny with its text.',
};

/** For agents that cannot ask a person. */
export const NO_ASK_HERE = 'the agent asks nobody for a hook, so an ask is a deny';
