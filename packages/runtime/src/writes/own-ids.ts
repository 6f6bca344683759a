import { isRecord } from '@spec/hooks';
import { isText, readKept } from '../stores/kept-value.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { globalId, idPart, isDerivedId } from '../thread/ids.ts';
import { nameWriter } from '../thread/permit.ts';
import { mayBeWrittenAgain } from './first-versions.ts';

/**
 * Who has written a message under an id of their own choice (I4), which says nothing of its place. Where the message is deleted in the
 * turn, or becomes one of another role, its writers are kept with the thread: one that runs again after a crash has written it before.
 */
interface Writer {
  /** The id of the message. */
  readonly id: string;
  /** The role that the message had. */
  readonly role: string;
  /** The place that it was written from; the prefix of a turn stands for all in that turn. */
  readonly place: string;
  /** How often it was written from there; absent where that is not known. */
  readonly count?: number;
}

const KEY = 'runtime/own-ids';

/** The place of a writer, as the start of the ids that it would be given. */
function identifyPlace({ place, permit }: ThreadView): string | undefined {
  return place?.sharesCounter === false ? place.startOf(nameWriter(permit), 'i') : undefined;
}

/**
 * Notes in memory that a hook or tool writes a message, also where the message is there already.
 *
 * @returns how often it did so from its place; 0 where that is in no turn
 */
export function noteWriter(view: ThreadView, id: string): number {
  const place = identifyPlace(view);
  if (place === undefined) return 0;
  const { writers } = view.core;
  const known = writers.get(id) ?? new Map<string, number>();
  const count = (known.get(place) ?? 0) + 1;
  writers.set(id, known.set(place, count));
  return count;
}

/**
 * Finds the role of a message that a writer which runs again had written under its own id, before it was deleted or got another role.
 *
 * @param count how often the writer wrote it from its place up to now
 */
export async function findWritten(view: ThreadView, id: string, count: number): Promise<string | undefined> {
  const { core } = view;
  const place = identifyPlace(view);
  if (place === undefined || !view.place?.mayRepeat) return undefined;
  const kept = await readWriters(core);
  return kept?.find((one) => one.id === id && count <= (one.count ?? count) && covers(core, one, place))
    ?.role;
}

function covers({ id }: ThreadCore, { place }: Writer, other: string): boolean {
  if (!place.endsWith('.')) return other === place;
  return other.startsWith(place) || other.startsWith(globalId(id, place));
}

function readWriters({ store, id: threadId }: ThreadCore): Promise<readonly Writer[] | undefined> {
  return readKept(store, { threadId, key: KEY }, areWriters);
}

function areWriters(value: unknown): value is readonly Writer[] {
  return Array.isArray(value) && value.every(isWriter);
}

function isWriter(value: unknown): value is Writer {
  if (!isRecord(value) || ![value.id, value.role, value.place].every(isText)) return false;
  return value.count === undefined || Number.isSafeInteger(value.count);
}

/** Call before a message is deleted or gets another role: keeps its writers. */
export async function keepWriters(view: ThreadView, { id, role }: StoredMessage): Promise<void> {
  const { core } = view;
  if (isDerivedId(id)) return;
  const places = [...(core.writers.get(id) ?? []), ...placesUnseen(view)];
  const writers = places.map(([place, count]) => withCount({ id, role, place }, count));
  if (writers.length === 0) return;
  for (;;) {
    const value = await readWriters(core);
    const next = mergeWriters(await stillNeeded(core, value ?? []), writers);
    if (await core.store.setValuesIf(core.id, { key: KEY, value }, [{ key: KEY, value: next }])) return;
  }
}

function withCount(writer: Writer, count: number | undefined): Writer {
  return count === undefined ? writer : { ...writer, count };
}

/** What a process that died has written nobody knows: the application may mean any of it. A hook that runs again means what it finds. */
function placesUnseen({ core, place }: ThreadView): [string, undefined][] {
  const { turn } = core.record;
  if (turn === null || place !== undefined) return [];
  const isUnseen = core.turns.find(turn.id)?.isRepeating !== false;
  return isUnseen ? [[`${idPart(turn.id)}.`, undefined]] : [];
}

/** The role that was kept first stays. */
function mergeWriters(kept: readonly Writer[], writers: readonly Writer[]): Writer[] {
  const merged = [...kept];
  for (const writer of writers) {
    const at = merged.findIndex(({ id, place }) => id === writer.id && place === writer.place);
    const before = merged[at];
    if (before === undefined) merged.push(writer);
    else merged[at] = withCount(before, writer.count);
  }
  return merged;
}

async function stillNeeded(core: ThreadCore, writers: readonly Writer[]): Promise<Writer[]> {
  const needed: Writer[] = [];
  for (const writer of writers) if (await mayRunAgain(core, writer)) needed.push(writer);
  return needed;
}

async function mayRunAgain(core: ThreadCore, { place }: Writer): Promise<boolean> {
  const { turn } = core.record;
  if (place.endsWith('.')) return turn !== null && place === `${idPart(turn.id)}.`;
  return mayBeWrittenAgain(core, `${place}1`);
}

/**
 * Whether the first version of a message is to be kept when it is deleted. A hook that runs again deletes what it finds, and who wrote that
 * and has not run again yet will write it after that, as before.
 */
export function isWrittenBefore({ core, flow, place }: ThreadView, id: string): boolean {
  return place === undefined || !flow.isRepeating || core.writers.has(id);
}
