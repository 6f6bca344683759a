import type { HookToolCall } from '@spec/hooks';
import type { ToolEvent } from '../events/thread-event.ts';
import type { DecidedCall } from '../permission/decide.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';

type Decision = Extract<ToolEvent, { type: 'tool_called' }>['decision'];

/** Tells of a call that hooks and persons have decided on. */
export function tellDecided(view: ThreadView, decided: DecidedCall, isKnown: boolean): void {
  const { core } = view;
  const { call } = decided;
  const { name, arguments: input } = call.function;
  const decision = decisionOn(decided, isKnown);
  core.events.emit({ type: 'tool_called', toolCallId: call.id, name, input, decision });
}

function decisionOn({ refusal, result }: DecidedCall, isKnown: boolean): Decision {
  if (refusal !== undefined) return 'denied';
  if (result !== undefined) return 'answered';
  return isKnown ? 'run' : 'unknown';
}

/** Tells of a result, as its row was stored. */
export function tellResult({ core }: ThreadView, call: HookToolCall, row: StoredMessage): void {
  if (!core.events.hasListeners) return;
  const { id: messageId, content } = row;
  const about = { toolCallId: call.id, name: call.function.name, messageId };
  const status = row.status === 'error' ? 'error' : 'success';
  const refused = row.refused_by === 'person' ? ({ isRefused: true } as const) : {};
  core.events.emit({ type: 'tool_result', ...about, status, content: content ?? '', ...refused });
}
