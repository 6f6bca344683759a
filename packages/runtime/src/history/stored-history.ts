import { OPENING, type RecentMessages } from '../stores/recent-messages.ts';
import type { MessageQuery, Store, StoredMessage, ThreadRecord } from '../stores/store.ts';
import { isSummary } from './summary-message.ts';

/** How many messages more are looked at to find the start of an exchange that the window would cut. */
const LOOK_BACK = 16;
/** After the message that a summary ends with, its own row may stand, and that of the summary before it. */
const SUMMARY_ROWS = 2;

/** A thread's messages as far as they are still sent. */
export interface StoredHistory {
  /** The system messages that open the thread. No summary replaces them. */
  readonly opening: readonly StoredMessage[];
  /** Stands for what came between. */
  readonly summary: StoredMessage | undefined;
  readonly rest: readonly StoredMessage[];
}

/** All messages of a history, in their order. */
export function joinHistory({ opening, summary, rest }: StoredHistory): StoredMessage[] {
  return summary === undefined ? [...opening, ...rest] : [...opening, summary, ...rest];
}

/** Where a history is loaded from. */
export interface HistorySource {
  readonly store: Pick<Store, 'getMessage' | 'listMessages'>;
  /** What is kept in front of the store, where something is. */
  readonly kept?: Pick<RecentMessages, 'listNewest' | 'listOldest'>;
  readonly id: string;
  readonly record: Pick<ThreadRecord, 'compaction'>;
}

/**
 * The messages that a step begins with. With `last` no more than the newest ones are loaded (design §7.3), back to the start of
 * the exchange they would cut. So a step does not cost more because the thread is long.
 *
 * H1 Where the summary was deleted, it counts as never made: everything is sent again.
 * H2 Where it stands for nothing any more, because all of that was deleted, its own id is what it goes up to: it is sent, and all
 *    that is left.
 */
export function loadHistory(source: HistorySource, last?: number): StoredHistory | Promise<StoredHistory> {
  return findKept(source, last) ?? readHistory(source, last);
}

/** A window that is in memory and cuts no exchange, as those of most steps. */
function findKept({ kept, record }: HistorySource, last: number | undefined): StoredHistory | undefined {
  if (kept === undefined || last === undefined || record.compaction !== null) return undefined;
  const rows = kept.listNewest(last);
  if (rows === undefined || (rows.length === last && rows[0]?.role === 'tool')) return undefined;
  if (rows.length < last) return joinOpening(leadingSystem(rows), { rows, isWhole: true });
  const first = kept.listOldest(OPENING);
  const opening = first && findOpening(first, { window: rows, asked: OPENING });
  return opening && joinOpening(opening, { rows, isWhole: false });
}

async function readHistory(source: HistorySource, last: number | undefined): Promise<StoredHistory> {
  const { compaction } = source.record;
  if (compaction === null) return split(source, await loadRest(source, { last }), undefined);
  const { store, id } = source;
  const summary = await store.getMessage(id, compaction.summaryId);
  if (summary === null || (await store.getMessage(id, compaction.throughId)) === null)
    return loadHistory({ store, id, record: { compaction: null } }, last);
  const window = last === undefined ? undefined : last + SUMMARY_ROWS;
  const after = compaction.throughId === summary.id ? undefined : compaction.throughId;
  return split(source, await loadRest(source, { last: window, after }), summary);
}

/**
 * What stands for a thread's older messages once a message is deleted: where the summary ended with it, the one before it is the
 * end from then on. `undefined` where nothing changes.
 */
export async function compactionWithout(
  { store, id, record: { compaction } }: HistorySource,
  messageId: string,
): Promise<Exclude<ThreadRecord['compaction'], null> | undefined> {
  if (compaction?.throughId !== messageId || compaction.summaryId === messageId) return undefined;
  if ((await store.getMessage(id, messageId)) === null) return undefined;
  const [before] = await store.listMessages(id, { before: messageId, last: 1 });
  return { ...compaction, throughId: before?.id ?? compaction.summaryId };
}

interface Loaded {
  readonly rows: readonly StoredMessage[];
  /** Whether the thread's first message is among them. */
  readonly isWhole: boolean;
}

async function loadRest(
  { store, id }: HistorySource,
  { last, after }: { last: number | undefined; after?: string | undefined },
): Promise<Loaded> {
  const from: MessageQuery = after === undefined ? {} : { after };
  if (last === undefined) return { rows: await store.listMessages(id, from), isWhole: after === undefined };
  const rows = await store.listMessages(id, { ...from, last });
  if (rows.length < last) return { rows, isWhole: after === undefined };
  while (rows[0]?.role === 'tool') {
    const earlier = await store.listMessages(id, { ...from, last: LOOK_BACK, before: rows[0].id });
    const start = earlier.findLastIndex(({ role }) => role !== 'tool');
    rows.unshift(...earlier.slice(Math.max(0, start)));
    if (earlier.length === 0) break;
  }
  return { rows, isWhole: false };
}

async function split(
  source: HistorySource,
  { rows, isWhole }: Loaded,
  summary: StoredMessage | undefined,
): Promise<StoredHistory> {
  const opening = isWhole ? leadingSystem(rows) : await openingSystem(source, rows);
  return joinOpening(opening, { rows, isWhole }, summary);
}

function joinOpening(
  opening: readonly StoredMessage[],
  { rows, isWhole }: Loaded,
  summary?: StoredMessage,
): StoredHistory {
  const rest = isWhole && opening.length > 0 ? rows.slice(opening.length) : rows;
  return { opening, summary, rest: rest.some(isSummary) ? rest.filter((row) => !isSummary(row)) : rest };
}

function leadingSystem(rows: readonly StoredMessage[]): readonly StoredMessage[] {
  const end = rows.findIndex((row) => row.role !== 'system' || isSummary(row));
  return end < 0 ? rows : rows.slice(0, end);
}

async function openingSystem(
  { store, id }: HistorySource,
  window: readonly StoredMessage[],
): Promise<readonly StoredMessage[]> {
  for (let asked = OPENING; ; asked *= 4) {
    const opening = findOpening(await store.listMessages(id, { first: asked }), { window, asked });
    if (opening !== undefined) return opening;
  }
}

/** Which of the thread's first messages open it; `undefined` where more of them have to be looked at. */
function findOpening(
  rows: readonly StoredMessage[],
  { window, asked }: { readonly window: readonly StoredMessage[]; readonly asked: number },
): readonly StoredMessage[] | undefined {
  const leading = leadingSystem(rows);
  if (leading.length === 0) return leading;
  const inWindow = new Set(window.map((row) => row.id));
  const opening = leading.filter((row) => !inWindow.has(row.id));
  return opening.length < rows.length || rows.length < asked ? opening : undefined;
}
