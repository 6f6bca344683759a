import { toolCallsOf } from './messages.ts';
import { writerOf } from './permit.ts';
import type { StoredMessage } from './store.ts';
import type { ThreadCore, ThreadView } from './thread-core.ts';

/** A message that may have been written before the turn's process died. */
export interface SettledMessage {
  /** What is stored or queued already, else what is to be, under an id that is free. */
  readonly message: StoredMessage;
  readonly isThere: boolean;
}

/**
 * Finds out whether a hook or tool that runs again has written a message before. It may write less this time, or in another
 * order: what it wrote is known by its place and by what it says, never by its number alone.
 */
export async function settleRepeated(view: ThreadView, message: StoredMessage): Promise<SettledMessage> {
  const { core, place, permit } = view;
  if (place === undefined || !place.mayRepeat || place.sharesCounter) return { message, isThere: false };
  const start = place.startOf(writerOf(permit), 'i');
  const written = await writtenBefore(core, start);
  // Nothing is waited for from here on: of two that the writer writes at once, each takes another id.
  const there = written.find((one) => isSame(one, message) && place.claim(core.id, one.id));
  if (there !== undefined) return { message: there, isThere: true };
  const taken = new Set(written.map(({ id }) => id));
  for (let number = 1; ; number++) {
    const id = `${start}${number}`;
    if (!taken.has(id) && place.claim(core.id, id)) return { message: { ...message, id }, isThere: false };
  }
}

/** Writes that were under way side by side may have left so many ids out. */
const MAX_GAP = 8;

async function writtenBefore({ store, id: threadId }: ThreadCore, start: string): Promise<StoredMessage[]> {
  const queue = await store.listQueue(threadId);
  const written: StoredMessage[] = [];
  for (let number = 1, last = 0; number <= last + MAX_GAP; number++) {
    const id = `${start}${number}`;
    const waiting = queue.find((item) => item.id === id)?.payload as StoredMessage | undefined;
    const there = waiting ?? (await store.getMessage(threadId, id));
    if (there === null) continue;
    written.push(there);
    last = number;
  }
  return written;
}

function isSame(one: StoredMessage, other: StoredMessage): boolean {
  return one.role === other.role && one.content === other.content && callsOf(one) === callsOf(other);
}

function callsOf(message: StoredMessage): string {
  return JSON.stringify(toolCallsOf(message).map(({ function: called }) => called));
}
