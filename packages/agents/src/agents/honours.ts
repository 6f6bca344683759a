import type { Honour, Honours } from '@spec/hooks/host';

const ITS_OWN_MESSAGES = 'the agent keeps its messages to itself.';

/** Of agents that show their messages to plugins, in a form that hooks are not given yet. */
export const MESSAGES_OF_ITS_OWN =
  'its messages have a form of their own, in which hooks do not get them yet.';

/** What every agent with command hooks does; `own` says what differs in one agent. */
export function commandHonours(own: Honours): Honours {
  const shared: Honours = {
    before_user_message: NO_NEW_PROMPT,
    before_stop: 'whole',
    after_session_started: 'whole',
  };
  return ownMessages(ITS_OWN_MESSAGES, { ...shared, ...own });
}

/** What no agent does for hooks on messages, and why; `own` says what differs in one agent. */
export function ownMessages(why: string, own: Honours): Honours {
  const shared: Honours = {
    after_thread_created: { no: 'the agent tells of sessions alone: use after_session_started.' },
    after_subagent_created: { no: 'the agent tells of subagents as sessions: use after_session_started.' },
    after_system_message: { no: why },
    filter_messages: { no: why },
    prefilter_llm_history: { no: why },
    before_create_message: { no: why },
    after_create_message: { no: why },
    before_update_message: { no: why },
    after_update_message: { no: why },
    before_model_call: { no: 'the agent calls its model without a word.' },
    after_model_call: { no: 'the agent calls its model without a word.' },
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
