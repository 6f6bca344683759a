import type { StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import type { OpenBatch } from '../thread/open-batch.ts';
import { announceDespiteAbort } from './messages.ts';
import { storeWaiting } from './waiting-messages.ts';

/**
 * While results of a batch are missing, what is injected waits (design §7.1): in the queue, so that a crash does not lose it, and in
 * memory for the batch's end. A batch that a dead process left open is open for whoever opens the thread next; one that a failed
 * commit ended stays open until its turn is over.
 */

/** Opens a batch, or continues the one that was left open. */
export function openBatch({ core, flow }: ThreadView): OpenBatch | Promise<OpenBatch> {
  const batch: OpenBatch = isOpenFor(flow.flowId, core.batch) ? core.batch : newBatch(flow.flowId);
  core.batch = batch;
  return flow.isRepeating ? withKept(core, batch) : batch;
}

/** With what waits in the queue since before the turn's process died. */
async function withKept(core: ThreadCore, batch: OpenBatch): Promise<OpenBatch> {
  const items = await core.store.listQueue(core.id);
  const kept = items.flatMap(({ kind, payload }) => (kind === 'inject' ? [payload as StoredMessage] : []));
  const isNew = ({ id }: StoredMessage): boolean => !batch.waiting.some(({ message }) => message.id === id);
  batch.waiting.unshift(...kept.filter(isNew).map((message) => ({ message, isKept: Promise.resolve(true) })));
  return batch;
}

function newBatch(turnId: string): OpenBatch {
  return { turnId, waiting: [], unstored: new Map() };
}

function isOpenFor(turnId: string, batch: OpenBatch | undefined): batch is OpenBatch {
  return batch?.turnId === turnId;
}

/** Stores what was injected meanwhile. If that fails, the batch stays open and the messages wait in the queue. */
export async function closeBatch(view: ThreadView, batch: OpenBatch): Promise<void> {
  const { core } = view;
  if (core.batch === batch) core.batch = undefined;
  const stored = new Set<string>();
  try {
    for (let next = batch.waiting[0]; next !== undefined; next = batch.waiting[0]) {
      if ((await next.isKept) && !stored.has(next.message.id)) {
        await storeOne(view, next.message);
        stored.add(next.message.id);
      }
      batch.waiting.shift();
    }
  } catch (error) {
    core.batch ??= batch;
    throw error;
  }
}

async function storeOne(view: ThreadView, message: StoredMessage): Promise<void> {
  const stored = await storeWaiting(view, message.id, message);
  if (stored !== undefined)
    await announceDespiteAbort(view, stored, `waiting.${view.flow.partOf(message.id)}`);
}

/** Call at the end of a turn: stores what waits for a batch of the turn that a crash or a failed commit left open. */
export function closeLeftOpen(view: ThreadView): Promise<void> | undefined {
  const { core, flow } = view;
  return isOpenFor(flow.flowId, core.batch) ? closeBatch(view.afterAbort(), core.batch) : undefined;
}

/** The turn is over: nothing waits for a batch of its any more. What could not be stored is in the queue, for the next step. */
export function forgetBatch({ core, flow }: ThreadView): void {
  if (isOpenFor(flow.flowId, core.batch)) core.batch = undefined;
}

/** The batch of a thread's turn whose process died before all results were stored. */
export async function batchLeftOpen({ store, id, record }: ThreadCore): Promise<OpenBatch | undefined> {
  if (record.turn === null) return undefined;
  const [pending, started] = await Promise.all([
    store.listToolCalls(id, { status: 'pending' }),
    store.listToolCalls(id, { status: 'started' }),
  ]);
  return pending.length + started.length > 0 ? newBatch(record.turn.id) : undefined;
}
