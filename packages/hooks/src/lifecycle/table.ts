// Lifecycle: one row for each hook name. `define` and the executor read it; it never runs a hook and asks for none by name.

import * as shapes from '../shapes/index.ts';
import type { ControlHookName, PermissionRequest } from '../vocabulary/control.ts';
import type { LifecycleName } from '../vocabulary/lifecycle.ts';
import type { HookToolCall, HookToolResult } from '../vocabulary/messages.ts';
import type { HookName } from '../vocabulary/signatures.ts';
import {
  overCompaction,
  overModelRequest,
  overPermission,
  overStop,
  overToolCall,
  overUserMessage,
} from './decisions.ts';
import type { AnyRow, HookRow } from './row.ts';

const readCall = ([call]: readonly [HookToolCall, ...unknown[]]): HookToolCall => call;
const readId = ([message]: readonly [{ readonly id?: unknown }]): unknown => message.id;
const readCallOfRow = ([call]: readonly [object, ...unknown[]]): HookToolCall => call as HookToolCall;
const readCallOfRequest = ([request]: readonly [PermissionRequest]): HookToolCall => request.toolCall;

const withheld = (by: string): HookToolResult => ({
  status: 'error',
  error: `The result of this tool call was withheld, because the hook "${by}" that must see it first did not succeed.`,
});

const stepFails = 'the step fails before the model is called';
const recorded = 'recorded, goes on';

type Table<Names extends LifecycleName> = { readonly [K in Names]: HookRow<K> };

/** The 12 hooks of the specification. */
export const specificationTable: Table<HookName> = {
  after_thread_created: {
    kind: 'observe',
    onFailure: 'continue',
    args: [],
    trigger: 'After thread creation, before execution',
    purpose: 'Initialize thread state',
    failure: recorded,
    section: '§1.1',
  },
  after_subagent_created: {
    kind: 'observe',
    onFailure: 'continue',
    args: [shapes.thread],
    trigger: 'On parent after child thread creation',
    purpose: 'Track or initialize child relationships',
    failure: recorded,
    section: '§1.1',
  },
  after_system_message: {
    kind: 'replace',
    onFailure: 'block',
    args: [shapes.text],
    trigger: 'After system message render',
    purpose: 'Transform the request system message',
    failure: stepFails,
    section: '§1.1',
  },
  filter_messages: {
    kind: 'transform',
    onFailure: 'block',
    args: [shapes.messages],
    trigger: 'Before LLM context assembly',
    purpose: 'Filter/transform message history',
    failure: stepFails,
    section: '§3.1',
    seesHistory: true,
  },
  prefilter_llm_history: {
    kind: 'transform',
    onFailure: 'block',
    args: [shapes.llmMessages],
    trigger: 'After context assembly',
    purpose: 'Final adjustments before LLM request',
    failure: stepFails,
    section: '§3.2',
    rewritesTexts: true,
  },
  before_create_message: {
    kind: 'transform',
    onFailure: 'block',
    args: [shapes.draft],
    messageId: readId,
    trigger: 'Before message insert',
    purpose: 'Transform message before storage',
    failure: 'nothing is inserted; the caller gets the error',
    section: '§4.1',
    rewritesTexts: true,
    streamable: true,
  },
  after_create_message: {
    kind: 'observe',
    onFailure: 'continue',
    args: [shapes.draft],
    messageId: readId,
    trigger: 'After message insert',
    purpose: 'Side effects after storage',
    failure: recorded,
    section: '§4.2',
  },
  before_update_message: {
    kind: 'transform',
    onFailure: 'block',
    args: [shapes.text, shapes.updates],
    messageId: ([id]) => id,
    trigger: 'Before message update',
    purpose: 'Transform update data',
    failure: 'nothing is updated; the caller gets the error',
    section: '§4.3',
  },
  after_update_message: {
    kind: 'observe',
    onFailure: 'continue',
    args: [shapes.message],
    messageId: readId,
    trigger: 'After message update',
    purpose: 'Side effects after update',
    failure: recorded,
    section: '§4.4',
  },
  before_store_tool_result: {
    kind: 'transform',
    onFailure: 'block',
    args: [shapes.toolCallRow, shapes.toolResultRow],
    trigger: 'Before tool result storage',
    purpose: 'Transform tool results',
    failure: 'the raw result is withheld; an error result saying so is stored in its place',
    section: '§5.1',
    rewritesTexts: true,
    toolCall: readCallOfRow,
    withhold: (by) => ({ ...withheld(by) }),
  },
  after_tool_call_success: {
    kind: 'replace',
    onFailure: 'continue',
    args: [shapes.hookToolCall, shapes.hookToolResult],
    trigger: 'After successful tool call',
    purpose: 'Post-process success results',
    failure: 'recorded, the value so far is kept',
    section: '§5.2',
    toolCall: readCall,
    withhold: withheld,
  },
  after_tool_call_failure: {
    kind: 'replace',
    onFailure: 'continue',
    args: [shapes.hookToolCall, shapes.hookToolResult],
    trigger: 'After failed tool call',
    purpose: 'Handle/recover from errors',
    failure: 'recorded, the value so far is kept',
    section: '§5.3',
    toolCall: readCall,
    withhold: withheld,
  },
};

/** The control hooks. */
export const controlTable: Table<ControlHookName> = {
  before_user_message: {
    kind: 'decide',
    onFailure: 'block',
    args: [shapes.newMessage],
    messageId: readId,
    trigger: 'When a user message arrives, before anything is stored',
    purpose: 'Refuse, rewrite or annotate what the user sent',
    failure: 'denied',
    section: 'design §4.2',
    decide: overUserMessage,
  },
  before_tool_call: {
    kind: 'decide',
    onFailure: 'block',
    args: [shapes.hookToolCall],
    trigger: 'Before a tool call runs',
    purpose: 'Allow, deny, ask, rewrite the arguments, or answer the call',
    failure: 'denied',
    section: 'design §4.2',
    toolCall: readCall,
    decide: overToolCall,
    restorable: true,
  },
  before_permission_request: {
    kind: 'decide',
    onFailure: 'block',
    args: [shapes.permissionRequest],
    trigger: 'When a call needs permission, before a person is asked',
    purpose: 'Answer for the person',
    failure: 'denied',
    section: 'design §4.2',
    toolCall: readCallOfRequest,
    decide: overPermission,
  },
  before_model_call: {
    kind: 'decide',
    onFailure: 'block',
    args: [shapes.requestToModel],
    trigger: 'Before each attempt to call a model, and before each fallback',
    purpose: 'Allow, deny, ask, answer the call, or rewrite model, settings and tools',
    failure: 'denied: the turn fails with `model_denied`',
    section: 'design §4.2',
    decide: overModelRequest,
  },
  after_model_call: {
    kind: 'observe',
    onFailure: 'continue',
    args: [shapes.callOfModel],
    trigger: 'After each attempt to call a model, answered, failed or denied',
    purpose: 'Count tokens, time and errors',
    failure: recorded,
    section: 'design §4.2',
  },
  after_tool_batch: {
    kind: 'collect',
    onFailure: 'continue',
    args: [shapes.storedToolResults],
    trigger: 'After all results of a batch of tool calls are stored',
    purpose: 'Add context for the model',
    failure: recorded,
    section: 'design §4.2',
    toolCalls: ([results]) => results.map(({ toolCall }) => toolCall),
  },
  before_stop: {
    kind: 'decide',
    onFailure: 'continue',
    args: [shapes.stopInfo],
    trigger: 'Before a turn ends',
    purpose: 'Keep the turn going',
    failure: 'the turn ends',
    section: 'design §4.2',
    decide: overStop,
  },
  before_compaction: {
    kind: 'decide',
    onFailure: 'continue',
    args: [shapes.compactionInfo],
    trigger: 'Before the history is compacted',
    purpose: 'Refuse the compaction or add to it',
    failure: 'the compaction happens',
    section: 'design §4.2',
    decide: overCompaction,
  },
  after_session_started: {
    kind: 'collect',
    onFailure: 'continue',
    args: [shapes.sessionInfo],
    trigger: 'After a thread was created or opened',
    purpose: 'Add context for the session',
    failure: recorded,
    section: 'design §4.2',
  },
  after_session_ended: {
    kind: 'observe',
    onFailure: 'continue',
    args: [shapes.sessionInfo],
    trigger: 'After a thread was closed',
    purpose: 'Clean up',
    failure: recorded,
    section: 'design §4.2',
  },
  after_notification: {
    kind: 'observe',
    onFailure: 'continue',
    args: [shapes.notification],
    trigger: 'When the runtime has something to tell a person',
    purpose: 'Pass it on',
    failure: recorded,
    section: 'design §4.2',
  },
};

/** Every hook name with its row. */
export const lifecycleTable: Table<LifecycleName> = { ...specificationTable, ...controlTable };

/** The row of any hook name. */
export function lifecycleRow(name: LifecycleName): AnyRow {
  return lifecycleTable[name] as unknown as AnyRow;
}

/** Whether a string is a hook name. */
export function isLifecycleName(name: unknown): name is LifecycleName {
  return typeof name === 'string' && Object.hasOwn(lifecycleTable, name);
}
