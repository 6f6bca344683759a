import type { StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { nameWriter } from '../thread/permit.ts';
import { findReach, MAX_GAP } from './far-writes.ts';
import { digestText, firstVersions, saidBy } from './first-versions.ts';
import { findWritten } from './own-ids.ts';
import { findById } from './taken-ids.ts';

/** A message that may have been written before the turn's process died. */
export interface SettledMessage {
  /** The stored or queued message, or else the one to store, under a free id. */
  readonly message: StoredMessage;
  readonly isThere: boolean;
}

/**
 * Finds out whether a hook or tool that runs again has written a message before. It may write less this time, or in another
 * order: what it wrote is known by its place and by what it said when it was written, never by its number alone.
 *
 * @param chosen the id that the writer gave it
 */
export async function settleRepeated(
  view: ThreadView,
  message: StoredMessage,
  chosen: string | undefined,
): Promise<SettledMessage> {
  const { core, place, permit } = view;
  if (place === undefined || !place.mayRepeat || place.sharesCounter) return { message, isThere: false };
  if (chosen !== undefined)
    return message.id === chosen ? { message, isThere: false } : settleRenamed(view, message);
  const start = place.startOf(nameWriter(permit), 'i');
  const written = await writtenBefore(core, start);
  // Nothing is waited for from here on: of two that the writer writes at once, each takes another id.
  const earlier = written.find((one) => isSame(one, message) && place.claim(core.id, one.id));
  if (earlier !== undefined)
    return { message: earlier.message ?? { ...message, id: earlier.id }, isThere: true };
  const taken = new Set(written.map(({ id }) => id));
  for (let number = 1; ; number++) {
    const id = `${start}${number}`;
    if (!taken.has(id) && place.claim(core.id, id)) return { message: { ...message, id }, isThere: false };
  }
}

/** A hook gave the message an id of its choice, which it was not refused: there is none under it, or the same one. */
async function settleRenamed(view: ThreadView, message: StoredMessage): Promise<SettledMessage> {
  if ((await findWritten(view, message.id, 1)) !== undefined) return { message, isThere: true };
  const known = await findById(view.core, message.id);
  return { message: known?.message ?? message, isThere: known !== undefined };
}

/** What a writer wrote at its place before the process died. */
interface Written {
  readonly id: string;
  /** The digest of its first version, if it was edited or deleted since. */
  readonly version: string | undefined;
  /** The current message; `undefined` if it was deleted, and it stays deleted. */
  readonly message: StoredMessage | undefined;
}

async function writtenBefore(core: ThreadCore, start: string): Promise<Written[]> {
  const { store, id: threadId } = core;
  const [queue, first, far] = await Promise.all([
    store.listQueue(threadId),
    firstVersions(core),
    findReach(core, start),
  ]);
  const written: Written[] = [];
  for (let number = 1, last = 0; number <= Math.max(last + MAX_GAP, far); number++) {
    const id = `${start}${number}`;
    const waiting = queue.find((item) => item.id === id)?.payload as StoredMessage | undefined;
    const message = waiting ?? (await store.getMessage(threadId, id)) ?? undefined;
    const version = first[id];
    if (message === undefined && version === undefined) continue;
    written.push({ id, version, message });
    last = number;
  }
  return written;
}

function isSame({ version, message }: Written, other: StoredMessage): boolean {
  const said = saidBy(other);
  return version === undefined
    ? message !== undefined && saidBy(message) === said
    : version === digestText(said);
}
