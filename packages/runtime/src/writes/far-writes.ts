import { isRecord } from '@spec/hooks';
import { readKept } from '../stores/kept-value.ts';
import type { Store } from '../stores/store.ts';
import type { ThreadCore, ThreadView } from '../thread/core.ts';
import { nameWriter } from '../thread/permit.ts';
import { mayBeWrittenAgain } from './first-versions.ts';

/**
 * How far the numbers of a writer reach. A write takes its number before its hooks run, so those that are refused, or still under way, leave
 * numbers out. Who looks for what was written before a crash goes on over a few of them; where more are left out, the thread keeps how
 * far to look, before the message that lies beyond them is stored.
 */

/** How many numbers may be left out without being told. */
export const MAX_GAP = 8;

/** The highest such number of each writer, by the prefix of its ids: what of it can go goes when the next one is kept. */
type FarWrites = Readonly<Record<string, number>>;

const KEY = 'runtime/far-writes';

/** Call before a message is stored. At once, where its number is near those that are. */
export function keepReach(view: ThreadView, id: string): Promise<void> | undefined {
  const write = findWrite(view, id);
  if (write === undefined || write.number - write.reached <= MAX_GAP) return undefined;
  return keep(view.core, write);
}

/** Call when a message is stored. */
export function noteStored(view: ThreadView, id: string): void {
  const write = findWrite(view, id);
  if (write !== undefined) view.place?.reach(view.core.id, write.start, write.number);
}

/** How far to look for what a writer has written; 0 where nothing lies beyond the usual. */
export async function findReach({ store, id }: ThreadCore, start: string): Promise<number> {
  return (await readFar(store, id))?.[start] ?? 0;
}

interface Write {
  readonly start: string;
  readonly number: number;
  /** The highest number that is stored. */
  readonly reached: number;
}

function findWrite({ core, place, permit }: ThreadView, id: string): Write | undefined {
  if (place === undefined || place.sharesCounter) return undefined;
  const start = place.startOf(nameWriter(permit), 'i');
  const number = id.startsWith(start) ? Number(id.slice(start.length)) : Number.NaN;
  return Number.isSafeInteger(number) ? { start, number, reached: place.reached(core.id, start) } : undefined;
}

async function keep(core: ThreadCore, { start, number }: Write): Promise<void> {
  const { store, id } = core;
  for (;;) {
    const value = await readFar(store, id);
    if ((value?.[start] ?? 0) >= number) return;
    const next = { ...(await stillNeeded(core, value ?? {})), [start]: number };
    if (await store.setValuesIf(id, { key: KEY, value }, [{ key: KEY, value: next }])) return;
  }
}

function readFar(store: Store, threadId: string): Promise<FarWrites | undefined> {
  return readKept(store, { threadId, key: KEY }, areNumbers);
}

function areNumbers(value: unknown): value is FarWrites {
  return isRecord(value) && Object.values(value).every(Number.isSafeInteger);
}

async function stillNeeded(core: ThreadCore, far: FarWrites): Promise<FarWrites> {
  const needed: Record<string, number> = {};
  for (const [start, number] of Object.entries(far))
    if (await mayBeWrittenAgain(core, `${start}${number}`)) needed[start] = number;
  return needed;
}
