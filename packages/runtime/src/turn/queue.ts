import { readToolCalls } from '../history/exchanges.ts';
import { areTexts, isStepOfTurn, readKept } from '../stores/kept-value.ts';
import type { QueueItem, StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { globalId } from '../thread/ids.ts';
import { runToolBatch, type ToolBatch } from '../tools/calls.ts';
import { announceMessage } from '../writes/messages.ts';
import { queuedFrom, readQueuedMessage } from '../writes/queued-items.ts';
import { leaveQueue, storeWaiting } from '../writes/waiting-messages.ts';

/**
 * Stores what waited for this step, then makes the calls that did. What was queued passed its chain when it was queued
 * (design §7.4).
 */
export function drainQueue(view: ThreadView): Promise<void> | undefined {
  const { isQueueEmpty, isRepeating } = view.flow;
  return isQueueEmpty && !isRepeating ? undefined : drain(view);
}

async function drain(view: ThreadView): Promise<void> {
  const { core } = view;
  const begun = view.flow.isRepeating ? [...(await finishQueuedCalls(view))] : [];
  const items = (await core.store.listQueue(core.id)).filter((item) => !isOfThisStep(view, item));
  if (items.length === 0) return;
  for (const item of items) {
    if (item.kind === 'message' || item.kind === 'inject') await storeQueued(view, item);
    else if (item.kind === 'stop') await takeStop(view, item);
  }
  const { flowId: turnId, stepCount: step } = view.flow;
  for (const { id, kind, payload } of items) {
    if (kind !== 'tool') continue;
    const name = `queued.${begun.push(id) - 1}`;
    const value: BegunCalls = { turnId, step, ids: [...begun] };
    const along = { dequeue: [id], values: [{ key: BEGUN, value }] };
    await runQueued(view, { name, message: payload as StoredMessage, isStored: false, along });
  }
}

/** The queued calls that a step has begun to make: a crash may come before they are answered. */
interface BegunCalls {
  readonly turnId: string;
  readonly step: number;
  /** The ids of their messages. */
  readonly ids: readonly string[];
}

const BEGUN = 'runtime/queued-calls';

/** What the last step with queued calls had begun when the process died. */
export async function begunCalls({ core, flow }: ThreadView): Promise<BegunCalls | undefined> {
  const kept = await readKept(core.store, { threadId: core.id, key: BEGUN }, areBegunCalls);
  return kept?.turnId === flow.flowId ? kept : undefined;
}

function areBegunCalls(value: unknown): value is BegunCalls {
  return isStepOfTurn(value) && 'ids' in value && areTexts(value.ids);
}

/** What the step itself queued before its process died waits for the next step. */
function isOfThisStep({ core, flow }: ThreadView, item: QueueItem): boolean {
  if (!flow.isRepeating || item.kind === 'inject') return false;
  const from = queuedFrom(item);
  return from.startsWith(flow.idOf('')) || from.startsWith(globalId(core.id, flow.idOf('')));
}

/** Answers the queued calls that were under way when the turn's process died. Gives the ids of the messages of all that had begun. */
async function finishQueuedCalls(view: ThreadView): Promise<readonly string[]> {
  const { core, flow } = view;
  const kept = await begunCalls(view);
  if (kept?.step !== flow.stepCount) return [];
  // They are made one after another: those before the last are over, and what waits in the queue waits for the last.
  const position = kept.ids.length - 1;
  const message = await core.store.getMessage(core.id, kept.ids[position] ?? '');
  if (message !== null) await runQueued(view, { name: `queued.${position}`, message, isStored: true });
  return kept.ids;
}

type QueuedBatch = Pick<ToolBatch, 'name' | 'message' | 'isStored' | 'along'>;

async function runQueued(view: ThreadView, queued: QueuedBatch): Promise<void> {
  const calls = readToolCalls(queued.message);
  await runToolBatch(view, { ...queued, calls, offered: view.toolNames() });
}

async function storeQueued(view: ThreadView, item: QueueItem): Promise<void> {
  const { id } = item;
  const name = `queue.${view.flow.partOf(id)}`;
  const stored = await view.step(name, (at) => storeWaiting(at, id, readQueuedMessage(item)));
  if (stored !== undefined) await announceMessage(view, stored, name);
}

/** Another process asked for this turn's end. A request for a turn that is over no longer counts. */
async function takeStop(view: ThreadView, { id, payload }: QueueItem): Promise<void> {
  if (payload.turnId === view.flow.turnId) view.flow.stop();
  await leaveQueue(view, id);
}
