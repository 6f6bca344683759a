import { isRecord } from '@spec/hooks';
import { unlessAborted } from '../aborted.ts';
import type { AskPerson, PermissionAnswer } from '../definitions/permission-ask.ts';
import type { Store } from '../stores/store.ts';

// Q1 A question is a value of its thread while somebody waits for the answer, and no longer.
// Q2 The answer is put beside the question only while that question stands there as it was read: nobody allows what they did not see.
// Q3 One process at a time has the lease of a thread. A question with the fence of another lease is of a process that died: nobody sees it, and it
//    goes when its turn goes on, or with the next question.
// Q4 Only threads in a turn are looked through. Outside of turns nobody would see a question, so it is refused.

/** A question to a person that stands in a store: JSON, and what a {@link AskPerson} gets otherwise. */
export interface StoredAsk {
  readonly id: string;
  readonly threadId: string;
  /** Microseconds since the epoch. */
  readonly at: number;
  readonly about: 'tool_call' | 'user_message' | 'model_call';
  readonly reason?: string;
  readonly userMessage?: string;
  /** Of a call: its id, its tool, and the arguments that the tool will get. */
  readonly toolCallId?: string;
  readonly tool?: string;
  readonly input?: unknown;
  /** Of a message. */
  readonly text?: string;
  /** Of a call of a model. */
  readonly model?: string;
}

/** The questions that stand in a store, for whoever puts them to a person. */
export interface StoredAsks {
  /** Those that somebody waits for, the oldest first. */
  list(): Promise<readonly StoredAsk[]>;
  /** @returns false where nobody waits for it any more, or another answer was first */
  answer(ask: StoredAsk, answer: { readonly allow: boolean; readonly reason?: string }): Promise<boolean>;
}

/** Options of {@link askThroughStore}. */
export interface AskThroughStoreOptions {
  /** The store of the runtime. */
  readonly store: Store;
  /** Milliseconds between two looks for the answer. Default: 250. */
  readonly everyMs?: number;
}

const PREFIX = 'runtime/ask/';
const USUAL_MS = 250;

/** A question as it stands in its thread. */
interface Kept {
  /** Of the lease of whoever waits for the answer. */
  readonly fence: number;
  readonly ask: StoredAsk;
  readonly answer?: { readonly allow: boolean; readonly reason?: string };
}

/**
 * Puts questions into the store, where another process finds them with {@link storedAsks}, and waits for the answer. The arguments of
 * a call stand there as its tool will get them, for as long as somebody waits.
 */
export function askThroughStore({ store, everyMs = USUAL_MS }: AskThroughStoreOptions): AskPerson {
  return async ({ abortSignal, ...given }) => {
    // As JSON: a field without a value is none.
    const ask = JSON.parse(JSON.stringify({ ...given, at: Date.now() * 1_000 })) as StoredAsk;
    const { threadId } = ask;
    const [thread, lease] = [await store.getThread(threadId), await store.getLease(threadId)];
    if (thread?.turn == null || lease === null) return outsideOfTurn;
    const { fence } = lease;
    const key = PREFIX + ask.id;
    await forgetLeftAsks(store, threadId, fence);
    await store.setValuesIf(threadId, { key, value: undefined }, [{ key, value: { fence, ask } }]);
    try {
      for (;;) {
        const kept = await store.getValue(threadId, key);
        if (!isKept(kept)) return removed;
        if (kept.answer !== undefined) return kept.answer;
        await unlessAborted(abortSignal, 'a person was asked', () => sleep(everyMs));
      }
    } finally {
      await remove(store, threadId, key).catch(() => {}); // The thread may be gone, and with it the question.
    }
  };
}

/**
 * Removes the questions that a process left behind when it died: the arguments in them may stand nowhere else.
 *
 * @param fence of the lease that the thread is under now
 */
export async function forgetLeftAsks(store: Store, threadId: string, fence: number): Promise<void> {
  for (const { key, value } of await listKept(store, threadId))
    if (value.fence !== fence) await remove(store, threadId, key);
}

const removed: PermissionAnswer = { allow: false, reason: 'The question was removed from the store.' };
const outsideOfTurn: PermissionAnswer = {
  allow: false,
  reason: 'Questions outside of a turn are not put into the store.',
};

/** The questions of a store, to be answered by another process than the one that waits, or by the same. */
export function storedAsks(store: Store): StoredAsks {
  return {
    async list() {
      const threads = await store.listThreads({ interrupted: true });
      const kept = await Promise.all(threads.map(({ id }) => listWaiting(store, id)));
      return kept.flat().toSorted((a, b) => a.at - b.at);
    },
    async answer(ask, answer) {
      const key = PREFIX + ask.id;
      const lease = await store.getLease(ask.threadId);
      if (lease === null) return false;
      const unanswered = { fence: lease.fence, ask };
      return store.setValuesIf(ask.threadId, { key, value: unanswered }, [
        { key, value: { ...unanswered, answer } },
      ]);
    },
  };
}

async function listWaiting(store: Store, threadId: string): Promise<readonly StoredAsk[]> {
  const kept = await listKept(store, threadId);
  const lease = kept.length === 0 ? null : await store.getLease(threadId);
  return kept.flatMap(({ value: { fence, ask, answer } }) =>
    fence === lease?.fence && answer === undefined ? [ask] : [],
  );
}

async function listKept(store: Store, threadId: string): Promise<readonly { key: string; value: Kept }[]> {
  const values = await store.listValues(threadId);
  return values.flatMap(({ key, value }) =>
    key.startsWith(PREFIX) && isKept(value) ? [{ key, value }] : [],
  );
}

/** Whatever stands there: an answer may come meanwhile. */
async function remove(store: Store, threadId: string, key: string): Promise<void> {
  for (let value = await store.getValue(threadId, key); value !== undefined; ) {
    if (await store.setValuesIf(threadId, { key, value }, [{ key, value: undefined }])) return;
    value = await store.getValue(threadId, key);
  }
}

function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || !isRecord(value.ask)) return false;
  const { id, threadId, at, about } = value.ask;
  const areTexts = [id, threadId, about].every((one) => typeof one === 'string');
  return areTexts && typeof at === 'number' && typeof value.fence === 'number';
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
