import type { LifecycleName } from '@spec/hooks';
import type { Honour } from '@spec/hooks/host';

const itsMessages = 'an MCP client keeps its conversation to itself.';
const itsModel = 'an MCP client calls its model without a word.';
const itsSessions = 'an MCP client does not tell of the sessions of its agent.';

/** The hooks that a client of MCP never comes to. */
export type NeverRun =
  | 'after_thread_created'
  | 'after_subagent_created'
  | 'after_system_message'
  | 'filter_messages'
  | 'prefilter_llm_history'
  | 'before_create_message'
  | 'after_create_message'
  | 'before_update_message'
  | 'after_update_message'
  | 'before_user_message'
  | 'before_model_call'
  | 'after_model_call'
  | 'after_tool_batch'
  | 'before_stop'
  | 'before_compaction'
  | 'after_session_started'
  | 'after_session_ended';

/** What hooks can do between a client and the servers of MCP. */
export const honours: { readonly [K in NeverRun]: Extract<Honour, { no: string }> } & {
  readonly [K in Exclude<LifecycleName, NeverRun>]?: Exclude<Honour, { no: string }>;
} = {
  after_thread_created: { no: itsMessages },
  after_subagent_created: { no: itsSessions },
  after_system_message: { no: itsMessages },
  filter_messages: { no: itsMessages },
  prefilter_llm_history: { no: itsMessages },
  before_create_message: { no: itsMessages },
  after_create_message: { no: itsMessages },
  before_update_message: { no: itsMessages },
  after_update_message: { no: itsMessages },
  before_store_tool_result: 'whole',
  after_tool_call_success: 'whole',
  after_tool_call_failure: 'whole',
  before_user_message: { no: itsMessages },
  before_tool_call: {
    stricter: 'what a hook asks about is denied if the client cannot ask a person (elicitation).',
  },
  before_permission_request: 'whole',
  before_model_call: { no: itsModel },
  after_model_call: { no: itsModel },
  after_tool_batch: { no: 'an MCP client does not tell which calls belong together.' },
  before_stop: { no: 'an MCP client does not tell when its agent stops.' },
  before_compaction: { no: itsMessages },
  after_session_started: { no: itsSessions },
  after_session_ended: { no: itsSessions },
  after_notification: { partly: 'it is told what hooks have for a person; the client itself tells nothing.' },
};
