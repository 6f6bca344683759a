import type { NewMessage } from '@spec/hooks';
import type { TurnResult } from '../engine/turn-result.ts';
import { pause } from '../time.ts';
import type { Flow, Heard, NewTurn } from './flow.ts';
import { isThreadBusy } from './lease.ts';
import type { TurnOwner } from './turn-owner.ts';

/** How often a named turn that lost its thread to another process is looked up again. */
const MAX_ATTEMPTS = 3;

/** Where turns stand one after another. */
interface Line {
  enter<T>(turn: NewTurn, run: (flow: Flow) => Promise<T>): Promise<T>;
}

/** A message under the id of the turn that its caller chose. */
interface NamedMessage {
  readonly id: string;
  readonly input: NewMessage;
}

/**
 * Where another process took the thread meanwhile, as from one that was asleep, it asks anew what came of the turn. Listeners hear of
 * one turn, however often it is asked.
 */
export async function sendNamed(
  core: TurnOwner,
  line: Line,
  { id, input }: NamedMessage,
): Promise<TurnResult> {
  const heard: Heard = { start: false, end: false };
  for (let attempt = 1; ; attempt++) {
    let flow: Flow | undefined;
    const run = (entered: Flow): Promise<TurnResult> => {
      flow = entered;
      flow.heard = heard;
      return findOrRun(core, flow, input);
    };
    try {
      return await line.enter({ id, isNamed: true }, run);
    } catch (error) {
      if (flow === undefined) throw error;
      if (attempt < MAX_ATTEMPTS && core.isOpen && (await hasLost(core, flow, error)) && core.isOpen)
        continue;
      flow.isAskedAnew = false;
      await core.tellEnd(flow, { error });
      throw error;
    }
  }
}

async function findOrRun(core: TurnOwner, flow: Flow, input: NewMessage): Promise<TurnResult> {
  const { flowId: id } = flow;
  const { engine, id: threadId } = core;
  const found = engine.isRemote ? await engine.find(threadId, id) : await findOrTakeLease(core, id);
  if (found !== null && typeof found !== 'number') {
    await core.tellEnd(flow, { result: found });
    return found;
  }
  if (found !== null) {
    flow.pin(found);
    flow.isAskedAnew = true;
  }
  return runNamed(core, flow, input);
}

async function runNamed(core: TurnOwner, flow: Flow, input: NewMessage): Promise<TurnResult> {
  const { flowId: id } = flow;
  const { engine, store, record, id: threadId } = core;
  const { turn } = engine.isRemote ? ((await store.getThread(threadId)) ?? record) : record;
  return turn?.id === id ? engine.resume(threadId, id) : core.begin(flow, input);
}

/** Whether another process took the thread from a turn that was admitted. */
async function hasLost(core: TurnOwner, flow: Flow, error: unknown): Promise<boolean> {
  const { lease, id } = core;
  if (!flow.isPinned || !isThreadBusy(error, id)) return false;
  try {
    return !flow.keepsFence(await lease.take());
  } catch (refusal) {
    return isThreadBusy(refusal);
  }
}

/** What came of a turn, also in another process, which is waited for; where there is none, the fence under which this one may run it. */
async function findOrTakeLease(core: TurnOwner, turnId: string): Promise<TurnResult | number> {
  const { runtime, engine, id: threadId } = core;
  const find = (): Promise<TurnResult | null> => engine.find(threadId, turnId);
  for (;;) {
    const result = await find();
    if (result !== null) return result;
    let fence: number;
    try {
      fence = await takeLeaseFor(core, turnId);
    } catch (error) {
      if (!isThreadBusy(error)) throw error;
      if (await runsElsewhere(core, turnId)) {
        await pause(runtime.leaseMs / 20);
        continue;
      }
      const ended = await find();
      if (ended === null) throw error;
      return ended;
    }
    return (await find()) ?? fence; // It may have ended just before.
  }
}

/** If the lease is held and no hook runs before, the turn's first commit names the turn, which saves a commit for the lease. */
function takeLeaseFor(core: TurnOwner, turnId: string): Promise<number> | number {
  const { lease, scope } = core;
  const isFirst = scope.before_user_message === undefined && scope.before_create_message === undefined;
  return (isFirst ? lease.fence : undefined) ?? lease.takeFor(turnId);
}

/** Whether another process runs the turn, or has let go of the thread meanwhile. Its record names the turn that has begun, its lease one that is about to. */
async function runsElsewhere(core: TurnOwner, turnId: string): Promise<boolean> {
  const { store, id } = core;
  const lease = await store.getLease(id);
  if (lease === null || lease.turnId === turnId) return true;
  return (await store.getThread(id))?.turn?.id === turnId;
}
