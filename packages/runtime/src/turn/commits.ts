import { type EndMark, type KeyedValue, RunError } from '@spec/hooks';
import { findRunCode } from '../aborted.ts';
import type { TurnRequest } from '../engine/engine.ts';
import { makeOutcomeOfError, makeOutcomeOfResult, outcomeKey, type TurnOutcome } from '../engine/outcome.ts';
import type { Ended, TurnEnding, TurnResult } from '../engine/turn-result.ts';
import { isText, readKept } from '../stores/kept-value.ts';
import type { Append, StoredMessage, ThreadChanges } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import type { Flow } from '../thread/flow.ts';
import { isThreadBusy } from '../thread/lease.ts';
import { mark } from '../thread/mark.ts';
import { hasFiles, storeAttachments } from '../writes/attached-files.ts';
import { commit, flushRuns, leavesTurnOpen } from '../writes/commit.ts';
import { leaveContexts, markTold } from '../writes/contexts.ts';
import { textToKeepIfAllowed } from '../writes/kept-text.ts';
import { announceMessage, insertMessage } from '../writes/messages.ts';
import { notifyEnd } from '../writes/notifications.ts';
import { closeLeftOpen, forgetBatch } from '../writes/open-batch.ts';
import { refuseTakenId } from './admission.ts';

/**
 * The commits that a turn begins and ends with. Between them the thread's record names the turn: what a crash leaves
 * behind can be found and resumed (design §7.3).
 */

/** Announces the start of the turn, once. */
export function emitTurnStarted({ core, flow }: ThreadView): void {
  if (flow.heard.start) return;
  flow.heard.start = true;
  core.events.emit({ type: 'turn_started', turnId: flow.flowId });
}

/** Stores what the turn begins with. After a crash it is already stored. */
export async function beginTurn(view: ThreadView, request: TurnRequest): Promise<void> {
  const { core, flow } = view;
  const { id, runs } = request;
  const messages = request.messages.some(hasFiles)
    ? await storeFilesInside(view, request.messages)
    : request.messages;
  if (runs !== undefined) core.runs.takeBack(runs);
  flow.begunAt = performance.now();
  flow.isRepeating = flow.context.attempt > 1;
  flow.isOfOlderForm = flow.isRepeating && (await isOfOlderForm(view));
  const turn = flow.isOfOlderForm ? { id } : { id, form: FORM };
  if (!flow.isRepeating || messages.length > 0) {
    const along: Append = { thread: { turn, ...startWithSideA(view) } };
    await view.step('begin', (at) => storeFirst(at, messages, along));
  }
  core.record.turn = turn;
  if (flow.telling !== undefined) markTold(view, flow.telling);
  flow.telling = undefined;
  for (const message of messages) {
    const announced = announceMessage(view, message);
    if (announced !== undefined) await announced;
  }
}

/** Messages that were sent from elsewhere have their files with them. */
function storeFilesInside(
  view: ThreadView,
  messages: readonly StoredMessage[],
): Promise<readonly StoredMessage[]> {
  return Promise.all(messages.map((message) => storeAttachments(view, message)));
}

/**
 * Stores what a turn begins with, once: what was deleted since is not written again. A message that was sent is a new one, whoever has put
 * one under its id into the thread or the queue since that was looked for.
 */
async function storeFirst(
  view: ThreadView,
  messages: readonly StoredMessage[],
  along: Append,
): Promise<void> {
  const { core, flow } = view;
  if (flow.isRepeating && core.record.turn?.id === flow.flowId) return commit(view, 'beginTurn', along);
  const newIds = messages.flatMap(({ id }) => (id.startsWith(flow.prefix) ? [] : [id]));
  // Not `...along` first: what is added to a spread has a hidden class of its own each time.
  const all = newIds.length === 0 ? { messages, ...along } : { messages, newIds, ...along };
  try {
    await commit(view, 'beginTurn', all);
  } catch (error) {
    if (findRunCode(error) === 'invalid_message') for (const id of newIds) await refuseTakenId(view, id);
    throw error;
  }
}

/** The form of turns whose ids are made of the place that writes. */
const FORM = 1;

/** Named the turn of that form in releases before {@link ThreadRecord.turn} told it. */
const FORM_KEY = 'runtime/ids';

/** A turn that was begun is finished under the ids that it was begun with. */
async function isOfOlderForm({ core, flow }: ThreadView): Promise<boolean> {
  const { turn } = core.record;
  if (turn?.id !== flow.flowId || turn.form !== undefined) return false;
  return (await readKept(core.store, { threadId: core.id, key: FORM_KEY }, isText)) !== flow.flowId;
}

/** Side `a` answers first, whoever spoke last. Returns the changes to commit for that. */
function startWithSideA({ core, flow }: ThreadView): ThreadChanges {
  if (core.agent.type !== 'dual_ai' || flow.isRepeating) return {};
  core.record.currentSide = 'a';
  return { currentSide: 'a' };
}

/** Makes the content of the turn's last commit, to be part of another commit. The turn is concluded when that commit is made. */
export function makeConclusion(view: ThreadView, ended: Ended): Append {
  return lastCommit(view, ended, () => makeOutcome(view, makeResult(view, ended)));
}

/** Makes the last commit unless another one included it, and announces how the turn ended. */
export async function concludeTurn(view: ThreadView, ended: Ended): Promise<TurnResult> {
  const { core, flow } = view;
  const result = makeResult(view, ended);
  core.events.write(undefined);
  leaveContexts(view, result.status);
  try {
    const closing = closeLeftOpen(view);
    if (closing !== undefined) await closing;
    if (flow.isConcluded) {
      const flushing = flushRuns(core);
      if (flushing !== undefined) await flushing;
    } else {
      const kept = flow.isNamed ? await resultToKeep(view, result) : result;
      await commitLast(
        view,
        lastCommit(view, result, () => makeOutcome(view, kept)),
      );
    }
    core.record.turn = null;
    forgetBatch(view);
  } catch (error) {
    emitTurnFailed(view, error);
    throw error;
  }
  await tellEnd(view, { result });
  return result;
}

/** Announces how a turn ended that another process ended. */
export function tellEndElsewhere(core: ThreadCore, flow: Flow, end: TurnEnding): Promise<void> {
  return tellEnd(core.state.in(flow), end);
}

/** Announces to listeners and the person how a turn ended, if they heard its start but not its end. */
async function tellEnd(view: ThreadView, end: TurnEnding): Promise<void> {
  const { heard, flowId: turnId } = view.flow;
  if (!heard.start || heard.end) return;
  if ('error' in end) {
    emitTurnFailed(view, end.error);
    return notifyEnd(view, { status: 'failed', code: findErrorCode(end.error) });
  }
  const { status, userMessage } = end.result;
  const forPerson = userMessage === undefined ? {} : { userMessage };
  heard.end = true;
  view.core.events.emit({ type: 'turn_ended', turnId, status, ...forPerson });
  await notifyEnd(view, { status });
}

function emitTurnFailed({ core, flow }: ThreadView, error: unknown): void {
  if (flow.heard.end || isAskedAnew(core, flow, error)) return;
  flow.heard.end = true;
  core.events.emit({ type: 'turn_ended', turnId: flow.flowId, status: 'failed', code: findErrorCode(error) });
}

/** Whether the line of turns will find out what became of the turn in the process that took the thread, and announce it. */
function isAskedAnew({ id }: ThreadCore, flow: Flow, error: unknown): boolean {
  return flow.isAskedAnew && isThreadBusy(error, id);
}

function findErrorCode(error: unknown): string {
  return findRunCode(error) ?? 'unexpected';
}

export function makeResult({ core, flow }: ThreadView, ended: Ended): TurnResult {
  const { flowId: turnId, stepCount: steps } = flow;
  return { turnId, steps, usage: core.tokens.ofTurn(turnId), ...ended };
}

/** The hooks' texts about the turn, in the form that is kept for callers who ask again. */
export async function resultToKeep(view: ThreadView, result: TurnResult): Promise<TurnResult> {
  const { reason, userMessage, ...rest } = result;
  const live = view.afterAbort();
  const [why, forPerson] = [
    await textToKeepIfAllowed(live, reason, { name: 'reason' }),
    await textToKeepIfAllowed(live, userMessage, { name: 'reason' }),
  ];
  return {
    ...rest,
    ...(why === undefined ? {} : { reason: why }),
    ...(forPerson === undefined ? {} : { userMessage: forPerson }),
  };
}

/** The last text is that of the current step's answer. */
function makeOutcome({ flow }: ThreadView, result: TurnResult): TurnOutcome {
  return makeOutcomeOfResult(result, flow.idOf('answer'));
}

/** @param outcome the kept result of a turn whose id its caller chose */
function lastCommit(
  view: ThreadView,
  { status, code }: Pick<EndMark, 'status' | 'code'>,
  outcome: () => TurnOutcome,
): Append {
  const { core, flow } = view;
  const ms = performance.now() - flow.begunAt;
  mark(view, { kind: 'end', ms, status, ...(code !== undefined && { code }) });
  const values: KeyedValue[] = [];
  if (core.record.turn !== null && core.record.turn.form === undefined)
    values.push({ key: FORM_KEY, value: undefined });
  if (flow.isNamed) values.push({ key: outcomeKey(flow.flowId), value: outcome() });
  return { thread: { turn: null }, values };
}

/** Skips the commit if the turn has stored nothing and has no outcome to keep. */
async function commitLast(view: ThreadView, last: Append): Promise<void> {
  const { core, flow } = view;
  if (core.record.turn === null && !flow.isNamed) return flushRuns(core);
  await view.step('end', (at) => commit(at, 'runs', last));
}

/** Stores a row that says that the turn failed, and ends the turn. The model never sees such rows. */
export async function failTurn(view: ThreadView, error: unknown): Promise<void> {
  const { core } = view;
  const code = findErrorCode(error);
  core.events.write(undefined);
  leaveContexts(view, 'failed');
  try {
    if (leavesTurnOpen(error) || view.flow.unanswered.isLeft) return;
    await closeLeftOpen(view)?.catch(() => {}); // It waits in the queue.
    view.flow.failedBy = error instanceof RunError ? error.id : undefined;
    await insertMessage(view, 'error', {
      role: 'assistant',
      content: `The turn ended with an error: ${code}.${view.flow.refusal === undefined ? '' : ` ${view.flow.refusal}`}`,
      error_code: code,
    }).catch(() => {}); // A hook that refuses this row too is in the ledger.
    await commitLast(
      view,
      lastCommit(view, { status: 'failed', code }, () => makeOutcomeOfError(error)),
    );
    core.record.turn = null;
    forgetBatch(view);
  } catch {
    // The error that ended the turn is the one the caller must see.
  } finally {
    if (!isAskedAnew(core, view.flow, error)) await tellEnd(view, { error });
  }
}
