import { onAbort } from '@spec/hooks';
import type { Engine } from '../engine/engine.ts';
import { findOutcome, outcomeKey } from '../engine/outcome.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import type { ThreadCore } from '../thread/core.ts';
import type { Flow } from '../thread/flow.ts';
import { NO_USAGE } from '../usage.ts';
import { tellOthers } from './signalled.ts';
import { runTurn, type SubmittedTurn } from './turn.ts';

/**
 * Runs a turn for an engine that runs one turn of a thread at a time, in whatever process: takes the thread over, finds out how far the turn
 * got, and goes on there. An attempt at it that still runs in this process is given up.
 *
 * @param here runs what another engine has left behind on the thread
 * @throws {RunError} as the turn does; `thread_busy` where the attempt was given up
 */
export function runExclusive(core: ThreadCore, turn: SubmittedTurn, here: Engine): Promise<TurnResult> {
  const { id, isNamed = false, messages } = turn.request;
  core.turns.find(id)?.giveUp();
  if (messages.length > 0) core.turns.countAnew();
  return core.turns.enter({ id, isNamed }, async (flow) => {
    const endings = [onAbort(turn.context.givenUp, () => flow.giveUp()), tellOthers(core, flow)];
    try {
      return await takeUp(core, flow, { turn, here });
    } finally {
      for (const end of endings) end();
    }
  });
}

interface Taken {
  readonly turn: SubmittedTurn;
  readonly here: Engine;
}

async function takeUp(core: ThreadCore, flow: Flow, { turn, here }: Taken): Promise<TurnResult> {
  const { request, context } = turn;
  const { id } = request;
  const head = await core.lease.takeOver([outcomeKey(id)]);
  flow.pin(await core.lease.held());
  const ended = request.isNamed ? await findOutcome(core.store, head, id) : null;
  if (ended !== null) return ended;
  await core.turns.finishLeftBehind(here);
  if (core.record.turn?.id === id)
    return runTurn(core, flow, {
      request: { ...request, messages: [] },
      context: { ...context, attempt: 2 },
    });
  if (request.messages.length === 0 && !(await core.turns.hasWork())) return doneNothing(id);
  return runTurn(core, flow, { request, context: { ...context, attempt: 1 } });
}

/** What waited in the queue has been taken by an earlier turn. */
function doneNothing(turnId: string): TurnResult {
  return { turnId, status: 'completed', text: null, steps: 0, usage: NO_USAGE };
}
