import type { StoredMessage } from './store.ts';
import type { OpenBatch, ThreadCore, ThreadView } from './thread-core.ts';
import { storeWaiting } from './waiting-messages.ts';
import { announceDespiteAbort } from './writes.ts';

/**
 * While results of a batch are missing, what is injected waits (design §7.1): in the queue, so that a crash does not lose it, and in
 * memory for the batch's end. A batch that a dead process left open is open for whoever opens the thread next.
 */

/** Opens a batch, or goes on with the one that was left open. */
export async function openBatch({ core, flow }: ThreadView): Promise<OpenBatch> {
  const batch: OpenBatch = core.batch ?? { waiting: [] };
  core.batch = batch;
  if (!flow.isRepeating) return batch;
  const items = await core.store.listQueue(core.id);
  const kept = items.flatMap(({ kind, payload }) => (kind === 'inject' ? [payload as StoredMessage] : []));
  const isNew = ({ id }: StoredMessage): boolean => !batch.waiting.some((waiting) => waiting.id === id);
  batch.waiting.unshift(...kept.filter(isNew));
  return batch;
}

/** Stores what was injected meanwhile. Where that fails, it waits in the queue for the next step. */
export async function closeBatch(view: ThreadView, batch: OpenBatch): Promise<void> {
  const { core } = view;
  if (core.batch === batch) core.batch = undefined;
  for (const message of batch.waiting) {
    const stored = await storeWaiting(view, message.id, message);
    await announceDespiteAbort(view, stored, `waiting.${view.flow.partOf(message.id)}`);
  }
}

/** The batch of a thread's turn whose process died before all results were stored. */
export async function batchLeftOpen({ store, id, record }: ThreadCore): Promise<OpenBatch | undefined> {
  if (record.turn === null) return undefined;
  const [pending, started] = await Promise.all([
    store.listToolCalls(id, { status: 'pending' }),
    store.listToolCalls(id, { status: 'started' }),
  ]);
  return pending.length + started.length > 0 ? { waiting: [] } : undefined;
}
