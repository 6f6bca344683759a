import {
  type Page,
  RunError,
  type SearchHit,
  type SearchQuery,
  type ThreadCard,
  type ThreadQuery,
  type TurnCard,
  type TurnPageQuery,
} from '@spec/hooks';
import { findInMessage, makeThreadCard, TurnSum } from '../record-cards.ts';
import type { Store } from '../store.ts';
import { hashText } from './runs.ts';

const runsAtOnce = 1_000;
/** Messages of a thread that are looked at for changes. */
const messagesLooked = 100;

/** Threads, the newest first. A cursor counts those that are older, so one that is deleted shows another one twice, and hides none. */
export async function listThreadPage(store: Store, query: ThreadQuery): Promise<Page<ThreadCard>> {
  const { size, cursor, id, agentId, parentId } = query;
  const older = cursor === undefined ? undefined : readCount(cursor);
  const listed = await store.listThreads(parentId === undefined ? {} : { parentId });
  const threads = listed
    .filter(
      (one) => (id === undefined || one.id === id) && (agentId === undefined || one.agentId === agentId),
    )
    .slice(0, older);
  const left = Math.max(0, threads.length - size);
  const items = threads.slice(left).reverse().map(makeThreadCard);
  return { items, next: left > 0 && size > 0 ? String(left) : null };
}

/** The turns of a thread, by when they ended, the newest first. */
export async function pageTurns(
  store: Store,
  threadId: string,
  { size, cursor }: TurnPageQuery,
): Promise<Page<TurnCard>> {
  const passed = cursor === undefined ? 0 : readCount(cursor);
  const sums = new Map<string, TurnSum>();
  const findSum = (turnId: string): TurnSum => {
    const sum = sums.get(turnId) ?? new TurnSum(turnId);
    sums.set(turnId, sum);
    return sum;
  };
  for (let from: number | null = 0; from !== null; ) {
    const page = await store.pageRuns(threadId, { ...(from > 0 && { from }), size: runsAtOnce });
    for (const run of page.runs) if (run.turnId !== null) findSum(run.turnId).addRun(run);
    from = page.next;
  }
  for (const mark of await store.listMarks(threadId))
    if (mark.turnId !== null) findSum(mark.turnId).addMark(mark);
  const cards = [...sums.values()].map((sum) => sum.card()).toSorted((a, b) => b.to - a.to);
  const end = passed + size;
  return { items: cards.slice(passed, end), next: size > 0 && end < cards.length ? String(end) : null };
}

/** The messages that have a text: of all threads by when they were made, the newest first. */
export async function searchThreads(store: Store, query: SearchQuery): Promise<Page<SearchHit>> {
  const { size, cursor, threadId } = query;
  const passed = cursor === undefined ? 0 : readCount(cursor);
  const ids = threadId === undefined ? (await store.listThreads()).map(({ id }) => id) : [threadId];
  const hits: SearchHit[] = [];
  for (const id of ids.reverse())
    for (const message of (await store.listMessages(id)).reverse()) {
      const hit = findInMessage(message, id, query);
      if (hit !== undefined) hits.push(hit);
    }
  hits.sort((a, b) => b.createdAt - a.createdAt);
  const end = passed + size;
  return { items: hits.slice(passed, end), next: size > 0 && end < hits.length ? String(end) : null };
}

/** A number made of what is stored: threads, their values, newest messages, and how many there are of all. */
export async function readVersion(store: Store): Promise<number> {
  const parts: unknown[] = [];
  for (const thread of await store.listThreads()) {
    const { id } = thread;
    const messages = await store.listMessages(id, { last: messagesLooked });
    parts.push(thread, await store.countMessages(id), messages, await store.listValues(id));
  }
  parts.push(await store.listRuns({ limit: 1 }));
  return hashText(JSON.stringify(parts));
}

/** @throws {RunError} `invalid_input` */
function readCount(cursor: string): number {
  if (typeof cursor === 'string' && /^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new RunError('invalid_input', 'cursor must be one that the records gave');
}
