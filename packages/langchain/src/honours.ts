import type { HonourTable } from '@spec/hooks/host';

const noThreads = 'LangGraph makes a thread when it writes its first checkpoint, and asks nobody.';
const noUpdates = 'any node of a graph may change the messages in its state; LangGraph asks nobody.';
const noSessions = 'LangChain has no sessions.';

/** The hooks that LangChain never comes to. */
export type NeverRun =
  | 'after_thread_created'
  | 'after_subagent_created'
  | 'before_update_message'
  | 'after_update_message'
  | 'before_compaction'
  | 'after_session_started'
  | 'after_session_ended';

/** The hooks that LangChain runs in part. */
export type PartlyRun =
  | 'before_create_message'
  | 'after_create_message'
  | 'before_user_message'
  | 'after_notification';

/** What LangChain lets hooks do. */
export const honours: HonourTable<NeverRun, PartlyRun> = {
  after_thread_created: { no: noThreads },
  after_subagent_created: { no: 'an agent in a tool or in a node has a middleware of its own, or none.' },
  after_system_message: 'whole',
  filter_messages: 'whole',
  prefilter_llm_history: 'whole',
  before_create_message: {
    partly:
      'texts and calls are kept as it changes them, and no other fields. Callbacks, tracers and streamEvents see what a model said before it does, and the checkpoint of the input holds what a user said. A store holds what it made of them, and every field.',
  },
  after_create_message: {
    partly: 'it is told before LangGraph stores the message in its state. With a store it runs whole.',
  },
  before_update_message: { no: noUpdates },
  after_update_message: { no: noUpdates },
  before_store_tool_result: 'whole',
  after_tool_call_success: 'whole',
  after_tool_call_failure: 'whole',
  before_user_message: {
    partly:
      'LangGraph stores the input before any middleware runs: with a checkpointer, the checkpoint of the input holds what was denied or rewritten. The state, later checkpoints and models do not.',
  },
  before_tool_call: 'whole',
  before_permission_request: 'whole',
  before_model_call: 'whole',
  after_model_call: 'whole',
  after_tool_batch: 'whole',
  before_stop: 'whole',
  before_compaction: { no: 'summaries are made by another middleware, which asks nobody.' },
  after_session_started: { no: noSessions },
  after_session_ended: { no: noSessions },
  after_notification: {
    partly: 'it is told what hooks have for a person; LangChain itself notifies nobody.',
  },
};

/** The same where a store of ours keeps the messages. */
export const honoursWithStore: HonourTable<NeverRun, Exclude<PartlyRun, 'after_create_message'>> = {
  ...honours,
  after_create_message: 'whole',
};
