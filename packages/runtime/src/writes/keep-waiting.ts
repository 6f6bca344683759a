import type { Append, StoredMessage } from '../stores/store.ts';
import type { OpenBatch } from '../thread/core.ts';

/**
 * Has a message wait for the end of a batch. Gives what is to be committed for that.
 *
 * @param keeping gives that commit once it is under way
 */
export function keepWaiting(
  batch: OpenBatch,
  message: StoredMessage,
  keeping: () => Promise<unknown>,
): Append {
  const isKept = Promise.resolve()
    .then(keeping)
    .then(
      () => true,
      () => false,
    );
  batch.waiting.push({ message, isKept });
  return { enqueue: [{ id: message.id, kind: 'inject', payload: message }] };
}
