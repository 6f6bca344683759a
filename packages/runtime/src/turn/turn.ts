// Turn: takes a turn from its message to its end, step by step. The runtime calls it; it never writes but by `writes`, and never runs a tool but by `tools`.

import type { NewMessage } from '@spec/hooks';
import { isAborted, placeError } from '../aborted.ts';
import type { TurnContext, TurnRequest } from '../engine/engine.ts';
import type { Ended, TurnResult } from '../engine/turn-result.ts';
import { forgetLeftAsks } from '../permission/stored-asks.ts';
import { refuseRuntimeFields } from '../stores/message-fields.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import type { Flow } from '../thread/flow.ts';
import { countStep, hasReachedLimit } from '../thread/sides.ts';
import { traceTurn } from '../tracing/spans.ts';
import { refuseTaken } from '../writes/commit.ts';
import { admitMessages, insertMessage } from '../writes/messages.ts';
import { type Admitted, admitMessage, deniedBy } from './admission.ts';
import { beginTurn, concludeTurn, emitTurnStarted, failTurn } from './commits.ts';
import { sendElsewhere } from './elsewhere.ts';
import { isDone } from './end.ts';
import { findProgress } from './progress.ts';
import { runStep } from './step.ts';

const MAX_KEPT_GOING = 8;

/** The step that was under way when the process died, and the next one: it may have begun, and have nothing in the thread that tells. */
const MAX_REPEATED = 2;

/** A turn that the thread has begun, and its result from the engine. */
export interface SubmittedTurn {
  readonly request: TurnRequest;
  readonly context: TurnContext;
}

/**
 * Admits a person's message and has the engine run a turn on it.
 *
 * @throws {RunError} where a hook, a model or the store fails; an error row tells of it
 */
export async function sendMessage(core: ThreadCore, flow: Flow, input: NewMessage): Promise<TurnResult> {
  core.refuseMessages();
  refuseRuntimeFields(input, {}, core.id);
  return traceTurn(core.state.in(flow), (view) =>
    core.engine.isRemote ? sendElsewhere(view, input) : admitAndSubmit(view, input),
  );
}

async function admitAndSubmit(view: ThreadView, input: NewMessage): Promise<TurnResult> {
  const { core, flow } = view;
  emitTurnStarted(view);
  const admitted = await inTurn(view, async (): Promise<Admitted | Ended> => {
    if (flow.isAborted) return { status: 'aborted', text: null };
    const entering = admitMessages(core);
    if (entering !== undefined) await entering;
    flow.pin(await core.lease.held());
    const finishing = core.turns.finishLeftBehind();
    if (finishing !== undefined) await finishing;
    const refusing = refuseTaken(view); // What another process made of this turn is not looked at as something else.
    if (refusing !== undefined) await refusing;
    const admission = await admitMessage(view, input);
    if (admission.refusal !== undefined) return deniedBy(admission);
    const refusingLate = refuseTaken(view); // An engine may keep what it is given.
    if (refusingLate !== undefined) await refusingLate;
    return admission;
  });
  if ('status' in admitted) return concludeTurn(view, admitted);
  const { messages, userMessage } = admitted;
  const { flowId: id, isNamed } = flow;
  const request = isNamed ? { id, messages, isNamed } : { id, messages };
  const result = await core.engine.submit(core.id, request);
  return userMessage === undefined ? result : { ...result, userMessage };
}

/**
 * Runs one turn to its end (design §7.1). After a crash it continues where the process died (§7.3).
 *
 * @throws {RunError} where a model or a blocking hook fails; an error row tells of it
 */
export function runTurn(
  core: ThreadCore,
  flow: Flow,
  { request, context }: SubmittedTurn,
): Promise<TurnResult> {
  flow.context = context;
  return traceTurn(core.state.in(flow), async (view) => {
    emitTurnStarted(view);
    const ended = await inTurn(view, async () => {
      const fence = await core.lease.held(); // An engine may run a turn that nobody has admitted here.
      flow.pin(fence);
      const refusing = refuseTaken(view);
      if (refusing !== undefined) await refusing;
      await beginTurn(view, request);
      if (flow.isRepeating) await forgetLeftAsks(core.store, core.id, fence);
      return runSteps(view);
    });
    return concludeTurn(view, ended);
  });
}

/** Runs a part of a turn under its lease: an abort ends the turn, an error fails it. */
async function inTurn<T>(view: ThreadView, run: () => Promise<T>): Promise<T | Ended> {
  const letGo = view.core.lease.hold();
  try {
    return await run();
  } catch (error) {
    if (view.flow.isAborted && isAborted(error)) return { status: 'aborted', text: null };
    const { core, flow } = view;
    placeError(error, { threadId: core.id, ...(flow.turnId === null ? {} : { turnId: flow.turnId }) });
    await failTurn(view.afterAbort(), error);
    throw error;
  } finally {
    letGo();
  }
}

/**
 * Step after step, of two sides in turn, until the turn is done and no hook keeps it going. The step that a process died in is gone
 * through although the turn was stopped meanwhile: its calls get their results, and nothing new begins in it.
 */
async function runSteps(view: ThreadView): Promise<Ended> {
  const { core, flow } = view;
  let text: string | null = null;
  if (flow.isRepeating) await findProgress(view);
  let mayOweResults = flow.isRepeating;
  const lastRepeated = flow.stepCount + MAX_REPEATED;
  for (;;) {
    if (!mayOweResults || flow.isGivenUp) {
      if (flow.isAborted) return { status: 'aborted', text: null };
      if (flow.stopped) return { status: 'stopped', text };
    }
    mayOweResults = false;
    if (hasReachedLimit(core.agent, flow.talk, flow.stepCount)) return { status: 'limit', text };
    flow.stepCount++;
    const step = await runStep(view);
    if (step === undefined) {
      flow.stepCount--;
      continue;
    }
    text = step.message.content;
    const done = !flow.stopped && isDone(view, step);
    const isOver = done instanceof Promise ? await done : done;
    if (isOver && !(mayGoOn(view) && (await keepTurnGoing(view)))) return { status: 'completed', text };
    countStep(core.agent, flow.talk, step.calls.length);
    flow.isRepeating &&= flow.stepCount < lastRepeated;
  }
}

/** Whether a turn that is done can go on, and there is a hook that may want that. */
function mayGoOn({ core, flow }: ThreadView): boolean {
  if (core.scope.before_stop === undefined || flow.keptGoing >= MAX_KEPT_GOING) return false;
  return !hasReachedLimit(core.agent, flow.talk, flow.stepCount);
}

/** Lets a hook keep the turn going. The hook's reason becomes the next message. */
async function keepTurnGoing(view: ThreadView): Promise<boolean> {
  const { core, flow } = view;
  const { runtime, scope } = core;
  const { keptGoing } = flow;
  const reason = await view.step('continue.asked', async (at) => {
    const verdict = await runtime.executor.run('before_stop', scope, at, { reason: 'completed', keptGoing });
    return verdict.decision === 'deny' ? verdict.reason : undefined;
  });
  if (reason === undefined) return false;
  flow.keptGoing++;
  await insertMessage(view.ofHooks(), 'continue', { role: 'user', content: reason });
  return true;
}
