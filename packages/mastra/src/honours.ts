import type { HonourTable } from '@spec/hooks/host';

const byMemory = 'the memory of Mastra makes threads and stores their messages by itself.';
const noSessions = 'Mastra has no sessions.';

/** The hooks that Mastra never comes to. */
export type NeverRun =
  | 'after_thread_created'
  | 'after_subagent_created'
  | 'before_update_message'
  | 'after_update_message'
  | 'before_stop'
  | 'before_compaction'
  | 'after_session_started'
  | 'after_session_ended';

/** The hooks that Mastra runs in part. */
export type PartlyRun =
  | 'before_create_message'
  | 'after_create_message'
  | 'after_tool_call_failure'
  | 'after_notification';

/** What Mastra lets hooks do. */
export const honours: HonourTable<NeverRun, PartlyRun> = {
  after_thread_created: { no: byMemory },
  after_subagent_created: {
    no: 'an agent of an agent is a tool like any other, and has a processor of its own, or none.',
  },
  after_system_message: 'whole',
  filter_messages: 'whole',
  prefilter_llm_history: 'whole',
  before_create_message: {
    partly:
      'texts and calls are streamed and kept as it changes them. Other fields are not: the memory of Mastra stores messages by itself. With a store it runs whole.',
  },
  after_create_message: {
    partly: 'it is told before the memory of Mastra stores the message. With a store it runs whole.',
  },
  before_update_message: { no: byMemory },
  after_update_message: { no: byMemory },
  before_store_tool_result: 'whole',
  after_tool_call_success: 'whole',
  after_tool_call_failure: {
    partly:
      'a call of an unknown tool, or whose arguments the model got wrong, Mastra answers by itself: it is told of that when the model is called again, and not where the run ends before.',
  },
  before_user_message: 'whole',
  before_tool_call: 'whole',
  before_permission_request: 'whole',
  before_model_call: {
    stricter:
      'a processor cannot choose another model, settings or tools for a request that is made: what a hook rewrites is denied.',
  },
  after_model_call: 'whole',
  after_tool_batch: 'whole',
  before_stop: { no: 'Mastra ends its loop by itself.' },
  before_compaction: { no: 'Mastra compacts nothing; its memory chooses what it gives to the model.' },
  after_session_started: { no: noSessions },
  after_session_ended: { no: noSessions },
  after_notification: { partly: 'it is told what hooks have for a person; Mastra itself notifies nobody.' },
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
