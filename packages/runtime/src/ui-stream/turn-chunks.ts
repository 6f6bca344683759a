import type { EventOf, FamilyEvent, ThreadEvent, TurnEvent } from '../events/thread-event.ts';
import { readToolCalls } from '../history/exchanges.ts';
import type { UIMessageChunk } from './chunk.ts';
import { isStepAnswer } from './history.ts';
import { asJson, readInput, readOutput } from './json.ts';
import { describeFailure, type StreamFailure, type UIMessageStreamOptions } from './options.ts';
import { endOwnCall, refuseOwnCall, settleAsk } from './own-calls.ts';
import type { PageCall } from './page-calls.ts';
import { startState, type TurnState as Turn } from './turn-state.ts';

/** A turn on its way to a front end. */
export interface TurnChunks {
  /** Whether the turn has ended: nothing comes any more. */
  readonly isOver: boolean;
  /** What an event of the thread becomes. */
  take(event: ThreadEvent): UIMessageChunk[];
  /** Ends it, because no event comes any more. */
  cut(failure: StreamFailure): UIMessageChunk[];
}

type Chunks = Generator<UIMessageChunk, void>;

/**
 * Turns the events of one turn into the AI SDK's chunks: one assistant message, with the turn's id, for all its steps.
 *
 * U1 Nothing before `start`, nothing after `finish`, `abort` or `error`.
 * U2 A text part is begun before its pieces and ended after them; a tool's part is there before anything is said of it.
 * U3 What is sent was released by the thread, is stored, or is what a person is asked about; events of hooks are never sent.
 * U4 Of threads below this one no more is sent than what a person is asked there.
 */
export function turnChunks(options: UIMessageStreamOptions = {}): TurnChunks {
  const turn = startState(options);
  return {
    get isOver() {
      return turn.phase === 'over';
    },
    take: (event) =>
      isBelow(turn, event)
        ? [...askBelow(turn, event)]
        : isOfTurn(turn, event)
          ? [...makeChunks(turn, event)]
          : [],
    cut: (failure) => (turn.phase === 'over' ? [] : [...fail(turn, failure)]),
  };
}

function isBelow(turn: Turn, event: ThreadEvent | FamilyEvent): event is FamilyEvent {
  if (!('threadId' in event)) return false;
  turn.threadId ??= event.threadId;
  return event.threadId !== turn.threadId;
}

function isOfTurn(turn: Turn, event: ThreadEvent): boolean {
  if (turn.phase === 'over') return false;
  if (event.type === 'events_dropped') return true;
  if ('turnId' in event) return isItsOwn(turn, event);
  if (turn.otherTurn !== undefined) return false;
  if (turn.phase === 'waiting' && turn.options.turnId !== undefined) return false;
  turn.phase = 'running';
  return true;
}

/** While a turn waits for one that a crash left behind, that one runs inside of it. */
function isItsOwn(turn: Turn, { type, turnId }: TurnEvent): boolean {
  if (turn.otherTurn === undefined && turnId === (turn.turnId ?? turn.options.turnId ?? turnId)) {
    turn.turnId = turnId;
    turn.phase = 'running';
    return true;
  }
  if (type === 'turn_started') turn.otherTurn ??= turnId;
  if (type === 'turn_ended' && turnId === turn.otherTurn) turn.otherTurn = undefined;
  return false;
}

function* makeChunks(turn: Turn, event: ThreadEvent): Chunks {
  switch (event.type) {
    case 'turn_started':
      return yield* start(turn, event.turnId);
    case 'step_started':
      yield* start(turn);
      yield* giveNotices(turn);
      turn.isInStep = true;
      return yield { type: 'start-step' };
    case 'text':
      return yield* text(turn, event);
    case 'reasoning':
      return yield* reasoning(turn, event);
    case 'message':
      return yield* message(turn, event);
    case 'message_updated':
      return yield* edited(turn, event);
    case 'tool_called':
      return yield* called(turn, event);
    case 'tool_result':
      return yield* result(turn, event);
    case 'permission_asked':
      return yield* ask(turn, event);
    case 'permission_answered':
      return yield* settleAsk(turn.calls, event);
    case 'tool_ended':
      return yield* endOwnCall(turn.calls, event);
    case 'custom':
      return yield* custom(turn, event);
    case 'notification':
      return yield* notice(turn, event);
    case 'step_ended':
      return yield* endStep(turn);
    case 'turn_ended':
      return yield* end(turn, event);
    case 'events_dropped':
      return yield* fail(turn, { code: 'too_slow' });
  }
}

function* start(turn: Turn, messageId?: string): Chunks {
  if (turn.hasStarted) return;
  turn.hasStarted = true;
  yield messageId === undefined ? { type: 'start' } : { type: 'start', messageId };
}

/** A page that joins while a model answers has not heard of the step: ids of calls stand for those of one step. */
function* enterStep(turn: Turn, messageId: string): Chunks {
  if (turn.isInStep || turn.known.has(messageId) || !isStepAnswer(messageId)) return;
  yield* start(turn);
  turn.isInStep = true;
  yield { type: 'start-step' };
}

function* text(turn: Turn, event: EventOf<'text'>): Chunks {
  yield* enterStep(turn, event.messageId);
  if (!turn.known.has(event.messageId)) yield* tellText(turn, event);
}

function* tellText(turn: Turn, { messageId: id, text: delta }: Omit<EventOf<'text'>, 'type'>): Chunks {
  yield* start(turn);
  yield* endReasoning(turn);
  if (turn.openText !== id) {
    yield* endText(turn);
    yield { type: 'text-start', id };
  }
  turn.openText = id;
  turn.told.set(id, (turn.told.get(id) ?? '') + delta);
  yield { type: 'text-delta', id, delta };
}

/** Ids of parts are those of one answer. */
function* reasoning(turn: Turn, { messageId, partId, text: delta }: EventOf<'reasoning'>): Chunks {
  if (turn.options.sendReasoning === false || turn.known.has(messageId)) return;
  const id = `${messageId}.${partId}`;
  yield* start(turn);
  yield* enterStep(turn, messageId);
  if (turn.openReasoning !== id) {
    yield* endText(turn);
    yield { type: 'reasoning-start', id };
  }
  turn.openReasoning = id;
  yield { type: 'reasoning-delta', id, delta };
}

function* endReasoning(turn: Turn): Chunks {
  if (turn.openReasoning === undefined) return;
  yield { type: 'reasoning-end', id: turn.openReasoning };
  turn.openReasoning = undefined;
}

function* endText(turn: Turn): Chunks {
  yield* endReasoning(turn);
  if (turn.openText === undefined) return;
  yield { type: 'text-end', id: turn.openText };
  turn.openText = undefined;
}

/** An assistant message whose text was not released piece by piece is sent whole: hooks and the application write them. */
function* message(turn: Turn, { message: stored }: EventOf<'message'>): Chunks {
  if (stored.role !== 'assistant' || 'error_code' in stored) return;
  yield* enterStep(turn, stored.id);
  turn.calls.add(stored.id, readToolCalls(stored));
  if (stored.content && !turn.told.has(stored.id))
    yield* text(turn, { type: 'text', text: stored.content, messageId: stored.id });
  yield* endReasoning(turn);
  if (turn.openText === stored.id) yield* endText(turn);
}

/** A text that was sent follows once more, as it is now; a result takes the place of the one before. */
function* edited(turn: Turn, { message: now }: EventOf<'message_updated'>): Chunks {
  const { id, role, content } = now;
  const sent = turn.told.get(id);
  if (role === 'assistant' && content && sent !== undefined && sent !== content) {
    yield* endText(turn);
    turn.told.delete(id);
    yield* tellText(turn, { text: content, messageId: id });
    yield* endText(turn);
  }
  const { tool_call_id: toolCallId, status } = now as typeof now & { status?: unknown };
  if (role !== 'tool' || !toolCallId || !turn.calls.isAnsweredBy(toolCallId, id)) return;
  yield* start(turn);
  if (status === 'error') yield { type: 'tool-output-error', toolCallId, errorText: content ?? '' };
  else yield { type: 'tool-output-available', toolCallId, output: readOutput(content ?? '') };
}

/**
 * A call that a hook or a tool makes on its own is part of no message. What hooks made of the arguments stays with the
 * tool: a person who is asked has seen it by now.
 */
function* called(turn: Turn, { toolCallId, name, input, decision }: EventOf<'tool_called'>): Chunks {
  const call = turn.calls.of(toolCallId);
  if (call.stored === undefined) return yield* refuseOwnCall(call, decision);
  if (turn.options.input === 'decided') yield* showCall(turn, call, { name, input });
  else if (call.shown === undefined) yield* showCall(turn, call, { name, input: call.stored });
}

function* showCall(turn: Turn, call: PageCall, { name, input }: { name: string; input: string }): Chunks {
  const value = readInput(input);
  const text = JSON.stringify(value);
  if (call.shown === text) return;
  call.shown = text;
  yield* start(turn);
  yield { type: 'tool-input-available', toolCallId: call.id, toolName: name, input: value };
}

/** A person sees what would run: to allow something else than that would be no answer. */
function* ask(turn: Turn, event: EventOf<'permission_asked'>): Chunks {
  if (event.about !== 'tool_call') return;
  const { askId, toolCallId, tool: name, input } = event;
  const call = turn.calls.of(toolCallId);
  yield* start(turn);
  yield* showCall(turn, call, { name, input });
  call.asked = { askId, name };
  yield { type: 'tool-approval-request', approvalId: askId, toolCallId };
}

function* askBelow(turn: Turn, event: FamilyEvent): Chunks {
  if (turn.phase !== 'running' || turn.otherTurn !== undefined) return;
  const part = turn.asks.take(event);
  if (part === undefined) return;
  yield* start(turn);
  yield part;
}

function* result(turn: Turn, event: EventOf<'tool_result'>): Chunks {
  const { toolCallId, name, status, content, messageId } = event;
  const call = turn.calls.of(toolCallId);
  yield* start(turn);
  if (!event.isRefused) call.resultId = messageId;
  if (call.shown === undefined) yield* showCall(turn, call, { name, input: call.stored ?? '' });
  if (status === 'success') yield { type: 'tool-output-available', toolCallId, output: readOutput(content) };
  else if (event.isRefused) yield { type: 'tool-output-denied', toolCallId };
  else yield { type: 'tool-output-error', toolCallId, errorText: content };
}

function* custom(turn: Turn, event: EventOf<'custom'>): Chunks {
  const map = turn.options.custom ?? (({ name, data }) => ({ type: `data-${name}`, data }));
  const chunk = map(event);
  if (chunk === null) return;
  yield* start(turn);
  yield { ...chunk, data: asJson(chunk.data) };
}

/**
 * What a hook wants the person to read; the other kinds tell what the stream shows anyway. Between steps it waits: where the
 * turn is denied, its error says the same.
 */
function* notice(turn: Turn, { notification }: EventOf<'notification'>): Chunks {
  if (notification.kind !== 'notice') return;
  turn.notices.push(notification.message);
  if (turn.isInStep) yield* giveNotices(turn);
}

function* giveNotices(turn: Turn): Chunks {
  yield* start(turn);
  for (const text of turn.notices.splice(0)) yield { type: 'data-notice', data: { text } };
}

function* endStep(turn: Turn): Chunks {
  yield* endText(turn);
  if (turn.isInStep) yield { type: 'finish-step' };
  turn.isInStep = false;
}

const finishReasons = { completed: 'stop', limit: 'tool-calls', stopped: 'other' } as const;

function* end(turn: Turn, { status, code = 'unexpected', userMessage }: EventOf<'turn_ended'>): Chunks {
  const forPerson = userMessage === undefined ? {} : { userMessage };
  if (status === 'failed') return yield* fail(turn, { code, ...forPerson });
  if (status === 'denied') return yield* fail(turn, { code: status, ...forPerson });
  yield* giveNotices(turn);
  yield* endStep(turn);
  turn.phase = 'over';
  if (status === 'aborted') return yield { type: 'abort' };
  yield { type: 'finish', finishReason: finishReasons[status] };
}

function* fail(turn: Turn, failure: StreamFailure): Chunks {
  yield* start(turn);
  yield* endStep(turn);
  turn.phase = 'over';
  yield { type: 'error', errorText: (turn.options.errorText ?? describeFailure)(failure) };
}
