import {
  DefinitionError,
  type HookArgs,
  type HookMessage,
  isRecord,
  type LifecycleName,
  type LLMMessage,
  type ModelCall,
  type ModelRequest,
  type SessionInfo,
  type ThreadState,
} from '@spec/hooks';
import { modelCall, modelRequest } from '@spec/hooks/testing';
import { type Fields, firstField, type Payload, parsePayload, textIn } from './payload.ts';
import { batchIn, toolCallIn, toolResultIn } from './tools.ts';

/** Where the arguments are for. */
export interface ArgumentSource {
  readonly payload: Payload;
  readonly state: ThreadState;
  /** The thread of a subagent, for the hook that is told of one. */
  readonly child: () => Promise<ThreadState>;
}

type Make<K extends LifecycleName> = (source: ArgumentSource) => HookArgs<K> | Promise<HookArgs<K>>;

/** How each hook's arguments are read from a payload: there is no other place. */
const makers: { readonly [K in LifecycleName]: Make<K> } = {
  after_thread_created: () => [],
  after_subagent_created: async ({ child }) => [await child()],
  after_system_message: ({ payload }) => [systemIn(payload)],
  filter_messages: ({ payload }) => [messagesIn(payload).map(stored)],
  prefilter_llm_history: ({ payload }) => [messagesIn(payload) as unknown as LLMMessage[]],
  before_create_message: ({ payload }) => [messageIn(payload)],
  after_create_message: ({ payload }) => [messageIn(payload)],
  before_update_message: ({ payload }) => updateIn(payload),
  after_update_message: ({ payload }) => [stored(messageIn(payload), 0)],
  before_store_tool_result: ({ payload }) => [
    { ...toolCallIn(payload) },
    { ...toolResultIn(payload, false) },
  ],
  after_tool_call_success: ({ payload }) => [toolCallIn(payload), toolResultIn(payload, false)],
  after_tool_call_failure: ({ payload }) => [toolCallIn(payload), toolResultIn(payload, true)],
  before_user_message: ({ payload }) => [userMessageIn(payload)],
  before_tool_call: ({ payload }) => [toolCallIn(payload)],
  before_permission_request: ({ payload }) => {
    const reason = textIn(payload.fields, 'reason');
    return [{ toolCall: toolCallIn(payload), ...(reason === undefined ? {} : { reason }) }];
  },
  before_model_call: ({ payload: { fields } }) => [modelRequest(fields as Partial<ModelRequest>)],
  after_model_call: ({ payload: { fields } }) => [modelCall(fields as Partial<ModelCall>)],
  after_tool_batch: ({ payload }) => [batchIn(payload)],
  before_stop: ({ payload: { fields } }) => [
    {
      reason: (textIn(fields, 'stopReason', 'stop_reason', 'reason') ?? 'completed') as 'completed',
      keptGoing: countIn(fields, 'keptGoing') ?? (fields.stop_hook_active === true ? 1 : 0),
    },
  ],
  before_compaction: ({ payload: { fields } }) => [
    {
      trigger: textIn(fields, 'trigger') === 'auto' ? 'auto' : 'manual',
      messageCount: countIn(fields, 'messageCount', 'message_count') ?? 0,
    },
  ],
  after_session_started: async ({ payload, state }) => [await sessionIn(payload, state)],
  after_session_ended: async ({ payload, state }) => [await sessionIn(payload, state)],
  after_notification: ({ payload: { fields } }) => [
    {
      kind: textIn(fields, 'kind', 'notification_type') ?? 'notice',
      message: textIn(fields, 'message') ?? '',
    },
  ],
};

/**
 * What a hook is given after the state.
 *
 * @throws {DefinitionError} `bad_definition`, naming the place and what is missing
 */
export async function hookArguments(
  hook: LifecycleName,
  source: ArgumentSource,
): Promise<readonly unknown[]> {
  return await makers[hook](source);
}

function systemIn({ value, fields, place }: Payload): string {
  const text =
    typeof value === 'string' ? value : textIn(fields, 'systemMessage', 'system_message', 'content');
  if (text !== undefined) return text;
  throw missing(place, '"systemMessage", a text');
}

function messagesIn({ value, fields, place }: Payload): Fields[] {
  const list = Array.isArray(value) ? value : fields.messages;
  if (Array.isArray(list) && list.every(isRecord)) return [...list];
  throw missing(place, '"messages", a list of messages such as { "role": "user", "content": "…" }');
}

function messageIn({ fields, place }: Payload): Record<string, unknown> {
  const message = isRecord(fields.message) ? fields.message : fields;
  if (typeof message.role === 'string') return { ...message };
  throw missing(place, 'a message such as { "role": "user", "content": "…" }');
}

function userMessageIn({ value, fields, place }: Payload): HookArgs<'before_user_message'>[0] {
  const message = isRecord(fields.message) ? fields.message : fields;
  if (typeof message.role === 'string')
    return messageIn(parsePayload(message, place)) as { role: 'user'; content: string };
  const content = typeof value === 'string' ? value : textIn(fields, 'prompt', 'content', 'message');
  if (content === undefined) throw missing(place, '"prompt", the text that the user sent');
  return { role: 'user', content };
}

function updateIn({ value, fields, place }: Payload): HookArgs<'before_update_message'> {
  const [id, updates] = Array.isArray(value)
    ? value
    : [firstField(fields, 'messageId', 'message_id', 'id'), fields.updates];
  if (typeof id === 'string' && isRecord(updates)) return [id, { ...updates }];
  throw missing(place, '"messageId" and "updates", the fields that change');
}

/** A message as a store has it. */
function stored(message: Fields, position: number): HookMessage {
  return {
    id: `message_${position + 1}`,
    content: null,
    created_at: position + 1,
    ...message,
  } as HookMessage;
}

async function sessionIn({ fields }: Payload, state: ThreadState): Promise<SessionInfo> {
  const { threadId, agentId } = state;
  const source = textIn(fields, 'source') ?? 'created';
  const known: readonly string[] = ['created', 'opened', 'resumed'];
  return {
    sessionId: textIn(fields, 'sessionId', 'session_id') ?? threadId,
    source: (known.includes(source) ? source : (sources[source] ?? 'created')) as SessionInfo['source'],
    agentId,
    parentId: textIn(fields, 'parentId') ?? (await state.getParentThread())?.threadId ?? null,
  };
}

/** How a session began, in the words of the formats. */
const sources: Readonly<Record<string, SessionInfo['source']>> = {
  startup: 'created',
  clear: 'created',
  resume: 'opened',
  compact: 'opened',
};

function countIn(fields: Fields, ...names: readonly string[]): number | undefined {
  const value = firstField(fields, ...names);
  return typeof value === 'number' ? value : undefined;
}

function missing(place: string, what: string): DefinitionError {
  return new DefinitionError('bad_definition', `${place} does not hold what this event needs: ${what}.`);
}
