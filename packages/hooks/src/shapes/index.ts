import type { CompactionInfo, NotificationInfo, PermissionRequest, SessionInfo, StopInfo, StoredToolResult } from '../control.ts';
import type { HookMessage, HookToolCall, HookToolResult, LLMMessage } from '../messages.ts';
import type { NewMessage, ThreadState } from '../state.ts';
import {
  checkLLMMessage,
  checkMessage,
  checkMessageDraft,
  checkNothing,
  checkToolCall,
  checkToolResult,
  checkUpdates,
} from './checks.ts';
import { ShapeProblem } from './problem.ts';
import { listShape, nameOfSort, type RecordCheck, recordShape } from './record.ts';
import type { Shape } from './shape.ts';

export { ShapeProblem } from './problem.ts';
export type { Loan, Shape } from './shape.ts';

type Row = Record<string, unknown>;

/** A text. */
export const text: Shape<string> = {
  name: 'text',
  lend: (kept) => kept,
  adopt: (returned) => {
    if (typeof returned === 'string') return returned;
    throw new ShapeProblem(`expected a string, got ${nameOfSort(returned)}`);
  },
  size: (value) => value.length,
};

/** Another thread's state; lent as a view that ends with the hook, as the hook's own state does (C5). */
export const thread: Shape<ThreadState> = {
  name: 'thread',
  lend: (kept) => kept,
  adopt: (_returned, { kept }) => kept,
  size: () => 0,
};

export const message: Shape<HookMessage> = recordShape('message', checkMessage);
export const draft: Shape<Row> = recordShape('message', checkMessageDraft);
export const newMessage: Shape<NewMessage> = recordShape('message', checkMessageDraft);
export const updates: Shape<Row> = recordShape('set of updates', checkUpdates);
export const messages: Shape<HookMessage[]> = listShape('message', checkMessage);
export const llmMessages: Shape<LLMMessage[]> = listShape('model message', checkLLMMessage);
export const toolCall: Shape<HookToolCall> = recordShape('tool call', checkToolCall);
export const toolCallRow: Shape<Row> = recordShape('tool call', checkToolCall);
export const toolResult: Shape<HookToolResult> = recordShape('tool result', checkToolResult);
export const toolResultRow: Shape<Row> = recordShape('tool result', checkToolResult);

const checkPermissionRequest: RecordCheck = (request) => {
  const broken = checkToolCall((request.toolCall ?? {}) as Row);
  return broken === undefined ? undefined : `toolCall.${broken}`;
};
const checkStoredToolResult: RecordCheck = ({ toolCall: call, result }) =>
  checkToolCall((call ?? {}) as Row) ?? checkToolResult((result ?? {}) as Row);

export const permissionRequest: Shape<PermissionRequest> = recordShape('permission request', checkPermissionRequest);
export const storedToolResults: Shape<StoredToolResult[]> = listShape('stored tool result', checkStoredToolResult);
export const stopInfo: Shape<StopInfo> = recordShape('stop', checkNothing);
export const compactionInfo: Shape<CompactionInfo> = recordShape('compaction', checkNothing);
export const sessionInfo: Shape<SessionInfo> = recordShape('session', checkNothing);
export const notification: Shape<NotificationInfo> = recordShape('notification', checkNothing);
