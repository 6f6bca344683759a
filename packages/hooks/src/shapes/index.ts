// Shapes: checks, copies and measures the data that hooks get and return. The lifecycle table and the executor call it; it never runs a hook.

import type {
  CompactionInfo,
  ModelAnswer,
  ModelCall,
  ModelRequest,
  NotificationInfo,
  PermissionRequest,
  SessionInfo,
  StopInfo,
  StoredToolResult,
} from '../vocabulary/control.ts';
import type { HookMessage, HookToolCall, HookToolResult, LLMMessage } from '../vocabulary/messages.ts';
import type { NewMessage, ThreadState } from '../vocabulary/state.ts';
import {
  checkLLMMessage,
  checkMessage,
  checkMessageDraft,
  checkModelAnswer,
  checkModelRequest,
  checkNothing,
  checkToolCall,
  checkToolResult,
  checkUpdates,
} from './checks.ts';
import { listShape } from './list.ts';
import { ShapeProblem } from './problem.ts';
import { nameSortOfValue, type RecordCheck, recordShape } from './record.ts';
import { resultToJson } from './result.ts';
import type { Held, Shape } from './shape.ts';

export { ShapeProblem } from './problem.ts';

type Row = Record<string, unknown>;

/** What a hook without arguments carries. */
export const nothing: Held<undefined> = {
  value: undefined,
  size: 0,
  lend: () => undefined,
  adopt: () => nothing,
};

/** A text. */
export const text: Shape<string> = { name: 'text', hold: holdText };

function holdText(value: string): Held<string> {
  return {
    value,
    size: value.length,
    lend: () => value,
    adopt(returned) {
      if (typeof returned !== 'string')
        throw new ShapeProblem(`expected a string, got ${nameSortOfValue(returned)}`);
      return returned === value ? this : holdText(returned);
    },
  };
}

/** Another thread's state; lent as a view that ends with the hook, as the hook's own state does (C5). */
export const thread: Shape<ThreadState> = {
  name: 'thread',
  hold: (value) => ({
    value,
    size: 0,
    lend: (borrower) => borrower.view(value),
    adopt() {
      return this;
    },
  }),
};

export const message: Shape<HookMessage> = recordShape('message', checkMessage);
export const draft: Shape<Row> = recordShape('message', checkMessageDraft);
export const newMessage: Shape<NewMessage> = recordShape('message', checkMessageDraft);
export const updates: Shape<Row> = recordShape('set of updates', checkUpdates);
export const messages: Shape<HookMessage[]> = listShape('message', checkMessage);
export const llmMessages: Shape<LLMMessage[]> = listShape('model message', checkLLMMessage);
export const hookToolCall: Shape<HookToolCall> = recordShape('tool call', checkToolCall);
export const toolCallRow: Shape<Row> = recordShape('tool call', checkToolCall);
export const hookToolResult: Shape<HookToolResult> = recordShape('tool result', checkToolResult, {
  toJson: resultToJson,
});
export const toolResultRow: Shape<Row> = recordShape('tool result', checkToolResult, {
  toJson: resultToJson,
});

const checkPermissionRequest: RecordCheck = (request) => {
  const broken = checkToolCall((request.toolCall ?? {}) as Row);
  return broken === undefined ? undefined : `toolCall.${broken}`;
};
const checkStoredToolResult: RecordCheck = ({ toolCall: call, result }) =>
  checkToolCall((call ?? {}) as Row) ?? checkToolResult((result ?? {}) as Row);

export const permissionRequest: Shape<PermissionRequest> = recordShape(
  'permission request',
  checkPermissionRequest,
);
export const storedToolResults: Shape<StoredToolResult[]> = listShape(
  'stored tool result',
  checkStoredToolResult,
);
export const requestToModel: Shape<ModelRequest> = recordShape('model request', checkModelRequest);
export const callOfModel: Shape<ModelCall> = recordShape('model call', checkNothing);
/** What answers a model call in the model's place. */
export const answerOfModel: Shape<ModelAnswer> = recordShape('model answer', checkModelAnswer);
export const stopInfo: Shape<StopInfo> = recordShape('stop', checkNothing);
export const compactionInfo: Shape<CompactionInfo> = recordShape('compaction', checkNothing);
export const sessionInfo: Shape<SessionInfo> = recordShape('session', checkNothing);
export const notification: Shape<NotificationInfo> = recordShape('notification', checkNothing);
