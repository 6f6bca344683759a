import { type NewMessage, RunError } from '@spec/hooks';
import { placeError } from '../aborted.ts';
import type { TurnRequest } from '../engine/engine.ts';
import { makeOutcomeOfResult, outcomeKey } from '../engine/outcome.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import type { ThreadView } from '../thread/core.ts';
import { stopId } from '../thread/ids.ts';
import { pause } from '../time.ts';
import { markTold } from '../writes/contexts.ts';
import { type Admitted, admitMessage, deniedBy } from './admission.ts';
import { emitTurnStarted, makeResult, resultToKeep, tellEndElsewhere } from './commits.ts';

/**
 * Sends a message to an engine whose turns run in other processes. The message passes its hooks here, for the engine keeps it; nothing else of
 * the turn happens here, and the thread's lease is not taken.
 *
 * @throws {RunError} where a hook or the engine fails, and as the turn does
 */
export async function sendElsewhere(view: ThreadView, input: NewMessage): Promise<TurnResult> {
  const { core, flow } = view;
  emitTurnStarted(view);
  try {
    await readRecord(view);
    const result = flow.isAborted
      ? makeResult(view, { status: 'aborted', text: null })
      : await admit(view, input);
    await hearEnd(view);
    await tellEndElsewhere(core, flow, { result });
    return result;
  } catch (error) {
    placeError(error, { threadId: core.id, turnId: flow.flowId });
    await tellEndElsewhere(core, flow, { error });
    throw error;
  }
}

/** What a turn says elsewhere takes another way than its result: listeners hear its end last. */
async function hearEnd({ core, flow }: ThreadView): Promise<void> {
  if (core.runtime.signals === undefined || !core.events.hasListeners || !flow.heard.startElsewhere) return;
  for (let waited = 0; !flow.heard.end && waited < MOST_MS; waited += 10) await pause(10);
}

/** How long the end of a turn is waited for, after its result is there. */
const MOST_MS = 1_000;

/** Another process may have written the thread's record meanwhile. */
async function readRecord({ core }: ThreadView): Promise<void> {
  const head = await core.store.readHead(core.id);
  if (head === null)
    throw new RunError('not_found', `There is no thread ${core.id} in the store.`, { threadId: core.id });
  core.record = head.record;
  core.refuseMessages();
}

async function admit(view: ThreadView, input: NewMessage): Promise<TurnResult> {
  const { core, flow } = view;
  const admission = await admitMessage(view, input);
  if (admission.refusal !== undefined) return keepDenial(view, admission);
  const { messages, userMessage } = admission;
  const request: TurnRequest = { id: flow.flowId, messages, isNamed: true };
  const runs = core.runs.take();
  const result = await core.engine.submit(core.id, runs === undefined ? request : { ...request, runs });
  if (flow.telling !== undefined) markTold(view, flow.telling);
  return userMessage === undefined ? result : { ...result, userMessage };
}

/** Of a denied message the runs of hooks are stored, and what came of its turn where the caller chose the id; neither needs a lease. */
async function keepDenial(view: ThreadView, denied: Admitted): Promise<TurnResult> {
  const { core, flow } = view;
  const result = makeResult(view, deniedBy(denied));
  if (flow.isNamed) {
    const key = outcomeKey(flow.flowId);
    const value = makeOutcomeOfResult(await resultToKeep(view, result), flow.idOf('answer'));
    await core.store.setValuesIf(core.id, { key, value: undefined }, [{ key, value }]);
  }
  const runs = core.runs.take();
  // An item that asks a turn to stop which is over: the next turn drops it.
  const item = { id: stopId(flow.flowId), kind: 'stop', payload: { turnId: flow.flowId } } as const;
  if (runs !== undefined) await core.store.post(core.id, item, runs);
  return result;
}
