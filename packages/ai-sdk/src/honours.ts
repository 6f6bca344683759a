import type { HonourTable } from '@spec/hooks/host';

const ofApplication = 'the AI SDK has no threads: your application makes, stores and changes its messages.';

/** The hooks that the AI SDK never comes to. */
export type NeverRun =
  | 'after_thread_created'
  | 'after_subagent_created'
  | 'before_update_message'
  | 'after_update_message'
  | 'before_stop'
  | 'before_compaction'
  | 'after_session_started'
  | 'after_session_ended';

/** The hooks that the AI SDK runs in part. */
export type PartlyRun =
  | 'before_create_message'
  | 'after_create_message'
  | 'after_tool_call_failure'
  | 'after_notification';

/** What the AI SDK lets hooks do. */
export const honours: HonourTable<NeverRun, PartlyRun> = {
  after_thread_created: { no: ofApplication },
  after_subagent_created: { no: 'an agent that calls another is a tool like any other to the AI SDK.' },
  after_system_message: 'whole',
  filter_messages: 'whole',
  prefilter_llm_history: 'whole',
  before_create_message: {
    partly:
      'models and the AI SDK get what it makes of texts and calls. Your application stores messages itself: what a user said as it was said, and no other field. With a store it runs whole.',
  },
  after_create_message: {
    partly: 'it is told before your application has stored the message. With a store it runs whole.',
  },
  before_update_message: { no: ofApplication },
  after_update_message: { no: ofApplication },
  before_store_tool_result: 'whole',
  after_tool_call_success: 'whole',
  after_tool_call_failure: {
    partly:
      'a call of an unknown tool, or whose arguments the model got wrong, the AI SDK answers by itself: it is told of that when the model is called again, and not where the turn ends before.',
  },
  before_user_message: 'whole',
  before_tool_call: 'whole',
  before_permission_request: 'whole',
  before_model_call: 'whole',
  after_model_call: 'whole',
  after_tool_batch: 'whole',
  before_stop: { no: 'the AI SDK ends its loop by itself.' },
  before_compaction: { no: 'the AI SDK compacts nothing.' },
  after_session_started: { no: 'the AI SDK has no sessions.' },
  after_session_ended: { no: 'the AI SDK has no sessions.' },
  after_notification: {
    partly: 'it is told what hooks have for a person; the AI SDK itself notifies nobody.',
  },
};

/** The same where a store of ours keeps the messages. */
export const honoursWithStore: HonourTable<
  NeverRun,
  Exclude<PartlyRun, 'before_create_message' | 'after_create_message'>
> = {
  ...honours,
  before_create_message: 'whole',
  after_create_message: 'whole',
};
