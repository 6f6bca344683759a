import type { HookToolCall } from '@spec/hooks';
import type { StoredMessage } from './store.ts';
import type { ToolEvent } from './thread-event.ts';
import type { ThreadView } from './thread-view.ts';

type Decision = Extract<ToolEvent, { type: 'tool_called' }>['decision'];

/** Tells of a call that hooks and persons have decided on. */
export function tellDecided({ core }: ThreadView, call: HookToolCall, decision: Decision): void {
  const { name, arguments: input } = call.function;
  core.events.emit({ type: 'tool_called', toolCallId: call.id, name, input, decision });
}

/** Tells of a result, as its row was stored. */
export function tellResult({ core }: ThreadView, call: HookToolCall, row: StoredMessage): void {
  const { id: messageId, content } = row;
  const about = { toolCallId: call.id, name: call.function.name, messageId };
  const status = row.status === 'error' ? 'error' : 'success';
  core.events.emit({ type: 'tool_result', ...about, status, content: content ?? '' });
}
