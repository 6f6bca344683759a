import type { EventOf } from '../events/thread-event.ts';
import type { UIMessageChunk } from './chunk.ts';
import type { PageCall, PageCalls } from './page-calls.ts';

type Chunks = Generator<UIMessageChunk, void>;

/** Once a call is allowed nobody is asked any more, on whichever page the answer was given. */
export function* settleAsk(
  calls: PageCalls,
  { askId, toolCallId, allowed }: EventOf<'permission_answered'>,
): Chunks {
  const call = toolCallId === undefined ? undefined : calls.of(toolCallId);
  if (call?.asked?.askId !== askId) return;
  const { name: toolName } = call.asked;
  delete call.asked;
  if (!allowed) return;
  yield {
    type: 'tool-input-available',
    toolCallId: call.id,
    toolName,
    input: JSON.parse(call.shown ?? '{}'),
  };
}

/** What a call that is part of no message gave goes to its caller alone: a page that was asked about it learns that it is over. */
export function* endOwnCall(calls: PageCalls, { toolCallId, status }: EventOf<'tool_ended'>): Chunks {
  const { stored, shown } = calls.of(toolCallId);
  if (stored !== undefined || shown === undefined) return;
  if (status === 'success') yield { type: 'tool-output-available', toolCallId, output: null };
  else yield { type: 'tool-output-error', toolCallId, errorText: 'The tool failed.' };
}

/** Ends a call that is part of no message, that a person was asked about, and that does not run. */
export function* refuseOwnCall(
  { id: toolCallId, shown }: PageCall,
  decision: EventOf<'tool_called'>['decision'],
): Chunks {
  if (shown === undefined || decision === 'run') return;
  if (decision === 'denied') yield { type: 'tool-output-denied', toolCallId };
  else yield { type: 'tool-output-available', toolCallId, output: null };
}
