import type { TurnMark } from '@spec/hooks';
import type { MessageRange, ToolCallFilter } from '../driver.ts';
import type {
  LedgerEntry,
  Retention,
  RunPage,
  ThreadFilter,
  ThreadRecord,
  ToolCallRecord,
} from '../store.ts';

// For drivers that keep lists: answers queries from a list.

/** The threads that match a filter. */
export function pickThreads(records: readonly ThreadRecord[], filter: ThreadFilter): ThreadRecord[] {
  const { parentId, interrupted } = filter;
  return records.filter(
    (record) =>
      (parentId === undefined || record.parentId === parentId) &&
      (interrupted === undefined || (record.turn !== null) === interrupted),
  );
}

/** The messages in a range. `identifyPlace` gives the index of a message, or -1 if there is none. */
export function pickMessages<Message>(
  messages: readonly Message[],
  { count, from, before, after }: MessageRange,
  identifyPlace: (id: string) => number,
): Message[] {
  const start = after === undefined ? 0 : identifyPlace(after) + 1;
  const end = before === undefined ? messages.length : identifyPlace(before);
  if (end <= start || (after !== undefined && start === 0)) return [];
  const size = count < 0 ? end - start : Math.min(count, end - start);
  return from === 'start' ? messages.slice(start, start + size) : messages.slice(end - size, end);
}

/** The calls that match a filter. */
export function pickCalls(
  calls: readonly ToolCallRecord[],
  { status, messageId }: ToolCallFilter,
): ToolCallRecord[] {
  return calls.filter(
    (call) =>
      (status === undefined || call.status === status) &&
      (messageId === undefined || call.messageId === messageId),
  );
}

/** A page of the ledger of one thread or of all; `from` is an index in the list. */
export function pickRuns(
  all: readonly LedgerEntry[],
  { threadId, from, size }: { threadId?: string; from: number; size: number },
): RunPage {
  const runs = threadId === undefined ? all : all.filter((run) => run.threadId === threadId);
  const end = from + size;
  return { runs: runs.slice(from, end), next: end < runs.length ? end : null };
}

/** The marks of a thread, or of one of its turns. */
export function pickMarks(
  all: readonly TurnMark[],
  threadId: string,
  turnId: string | undefined,
): TurnMark[] {
  return all.filter((mark) => mark.threadId === threadId && (turnId === undefined || mark.turnId === turnId));
}

/** The marks that stay after pruning. If the ledger was too large, marks older than its oldest remaining run go as well. */
export function keepMarks(
  marks: readonly TurnMark[],
  runs: { readonly before: readonly LedgerEntry[]; readonly kept: readonly LedgerEntry[] },
  { before = Number.NEGATIVE_INFINITY, keepBytes }: Retention,
): TurnMark[] {
  const isCut = keepBytes !== undefined && runs.kept.length < runs.before.length;
  const oldest = isCut ? (runs.kept[0]?.at ?? Number.POSITIVE_INFINITY) : before;
  return marks.filter(({ at }) => at >= Math.max(before, oldest));
}

/** The runs that stay after pruning. */
export function keepRuns(runs: readonly LedgerEntry[], { before, keepBytes }: Retention): LedgerEntry[] {
  const young = before === undefined ? [...runs] : runs.filter((run) => run.at >= before);
  if (keepBytes === undefined) return young;
  let first = young.length;
  for (let bytes = 0; first > 0; first -= 1) {
    bytes += JSON.stringify(young[first - 1]).length;
    if (bytes > keepBytes) break;
  }
  return young.slice(first);
}
