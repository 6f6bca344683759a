/// <reference lib="es2024.string" />
import type { Page, SearchHit, SearchQuery } from '@spec/hooks';
import { findInMessage, type MessageRow, readableOnes } from '@spec/runtime/store-kit';
import { messageColumns } from '../commits/look.ts';
import { rows } from '../commits/packet.ts';
import type { Session } from '../connection/session.ts';
import { decodeText, encodeText } from '../texts.ts';
import { readTriple, writeCursor } from './cursors.ts';

/** The most messages that one page searches. */
const messagesAtOnce = 5_000;
const hitsAtOnce = 100;

type FoundRow = [createdAt: number, thread: number, seq: number, id: string, ...MessageRow];

/** Where a page ends: the time, the thread and the number of its last message. */
type End = readonly [createdAt: number, thread: number, seq: number];

/**
 * Searches for a text, the newest messages first: those of all threads by `messages_created`, those of one thread by their order in it. There is
 * no index of texts, because that would keep deleted ones.
 */
export async function pageHits(session: Session, query: SearchQuery): Promise<Page<SearchHit>> {
  const { size, cursor, threadId } = query;
  const limit = Math.min(size, hitsAtOnce);
  if (limit === 0) return { items: [], next: null };
  const start = cursor === undefined ? undefined : readTriple(cursor);
  const scope = { threadId, start };
  const last = await findEnd(session, scope);
  const found = await findMatches(session, { ...scope, last, limit, text: query.text });
  const find = ([, , , id, ...row]: FoundRow) => {
    const thread = decodeText(id);
    return findInMessage(rows.decode(row, thread), thread, query);
  };
  const hits = readableOnes(found, find, session.settings.onUnreadable);
  const end = found.length === limit ? toEnd(found.at(-1) ?? []) : last;
  return {
    items: hits.filter((hit) => hit !== undefined),
    next: end === undefined ? null : writeCursor(end),
  };
}

function toEnd([createdAt = 0, thread = 0, seq = 0]: readonly unknown[]): End {
  return [Number(createdAt), Number(thread), Number(seq)];
}

interface Scope {
  readonly threadId: string | undefined;
  /** After it begins what is searched. */
  readonly start: End | undefined;
}

/** The last message of the piece that a page searches; `undefined` if it reaches the last of all. */
async function findEnd(session: Session, scope: Scope): Promise<End | undefined> {
  const values: unknown[] = [messagesAtOnce - 1];
  const where = conditions(scope, values);
  const find = session.prepare(`
    select m.created_at, m.thread::float8, m.seq::float8 from $schema.messages m ${where}
    order by ${chooseOrder(scope)} offset $1::bigint limit 1`);
  const [row] = await session.ask(find, values);
  return row && toEnd(row);
}

interface Piece extends Scope {
  readonly last: End | undefined;
  readonly limit: number;
  readonly text: string;
}

async function findMatches(session: Session, piece: Piece): Promise<FoundRow[]> {
  const { last, limit, text } = piece;
  // A text that cannot be in a column as it is stands there as JSON, as do all that are marked: these are looked at one by one.
  const isStorable = text.isWellFormed() && !text.includes('\0');
  const values: unknown[] = [limit, isStorable ? text : null];
  const mayHave = ['content', 'tool_calls'].map(
    (column) =>
      `strpos(lower(m.${column} collate "C"), lower($2::text collate "C")) > 0 or starts_with(m.${column}, U&'\\0001')`,
  );
  const where = conditions(piece, values, last);
  const list = session.prepare(`
    select m.created_at, m.thread::float8, m.seq::float8, t.id, ${messageColumns}
    from $schema.messages m join $schema.threads t on t.key = m.thread ${where} and (${mayHave.join(' or ')})
    order by ${chooseOrder(piece)} limit $1::bigint`);
  return (await session.ask(list, values)) as unknown as FoundRow[];
}

function chooseOrder({ threadId }: Scope): string {
  return threadId === undefined ? 'm.created_at desc, m.thread desc, m.seq desc' : 'm.seq desc';
}

/** After the start, up to and with the end. Appends their values. */
function conditions({ threadId, start, ...given }: Scope, values: unknown[], last?: End): string {
  return threadId === undefined
    ? writeConditionsOfAll({ start, last }, values)
    : writeConditionsOfThread({ ...given, threadId, start, last }, values);
}

interface Ends {
  readonly start: End | undefined;
  readonly last: End | undefined;
}

function writeConditionsOfAll({ start, last }: Ends, values: unknown[]): string {
  const place = '(m.created_at, m.thread, m.seq)';
  const row = ([createdAt, thread, seq]: End) =>
    `($${values.push(createdAt)}::float8, $${values.push(thread)}::bigint, $${values.push(seq)}::bigint)`;
  const all = ['true'];
  if (start !== undefined) all.push(`${place} < ${row(start)}`);
  if (last !== undefined) all.push(`${place} >= ${row(last)}`);
  return `where ${all.join(' and ')}`;
}

function writeConditionsOfThread(
  { threadId, start, last }: Ends & { readonly threadId: string },
  values: unknown[],
): string {
  const all = [
    `m.thread = (select o.key from $schema.threads o where o.id = $${values.push(encodeText(threadId))})`,
  ];
  if (start !== undefined) all.push(`m.seq < $${values.push(start[2])}::bigint`);
  if (last !== undefined) all.push(`m.seq >= $${values.push(last[2])}::bigint`);
  return `where ${all.join(' and ')}`;
}
