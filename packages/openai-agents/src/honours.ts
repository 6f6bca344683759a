import type { HonourTable } from '@spec/hooks/host';

const noThreads =
  'the OpenAI Agents SDK has no threads: a session is a list of items that belongs to your application.';
const noSessions = 'a session of the OpenAI Agents SDK is a list of items, which neither begins nor ends.';
const noUpdates = 'the OpenAI Agents SDK changes no item that is in a session.';

/** The hooks that the OpenAI Agents SDK never comes to. */
export type NeverRun =
  | 'after_thread_created'
  | 'after_subagent_created'
  | 'before_update_message'
  | 'after_update_message'
  | 'before_stop'
  | 'before_compaction'
  | 'after_session_started'
  | 'after_session_ended';

/** The hooks that the OpenAI Agents SDK runs in part. */
export type PartlyRun =
  | 'before_create_message'
  | 'after_create_message'
  | 'after_tool_call_failure'
  | 'after_notification';

/** What the OpenAI Agents SDK lets hooks do. */
export const honours: HonourTable<NeverRun, PartlyRun> = {
  after_thread_created: { no: noThreads },
  after_subagent_created: {
    no: 'a handoff goes on in the same run, and an agent as a tool is a tool like any other.',
  },
  after_system_message: 'whole',
  filter_messages: 'whole',
  prefilter_llm_history: 'whole',
  before_create_message: {
    partly:
      'texts and calls are kept as it changes them. Other fields are not: the items of the SDK have no place for them. With a store it runs whole.',
  },
  after_create_message: {
    partly: 'it is told before the SDK stores the message in its session. With a store it runs whole.',
  },
  before_update_message: { no: noUpdates },
  after_update_message: { no: noUpdates },
  before_store_tool_result: 'whole',
  after_tool_call_success: 'whole',
  after_tool_call_failure: {
    partly:
      'it sees the text that the errorFunction of the tool made of the error. Of a call whose arguments are no JSON it is told when the model is called again, and of one of a tool that is not there never: that ends the run.',
  },
  before_user_message: 'whole',
  before_tool_call: 'whole',
  before_permission_request: 'whole',
  before_model_call: 'whole',
  after_model_call: 'whole',
  after_tool_batch: 'whole',
  before_stop: {
    no: 'the OpenAI Agents SDK ends its runs by itself. Run it again with the text that it is to go on with.',
  },
  before_compaction: { no: 'sessions compact by themselves, some of them at the provider.' },
  after_session_started: { no: noSessions },
  after_session_ended: { no: noSessions },
  after_notification: {
    partly: 'it is told what hooks have for a person; the OpenAI Agents SDK itself notifies nobody.',
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
