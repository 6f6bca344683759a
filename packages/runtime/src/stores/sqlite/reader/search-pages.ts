import type { Page, SearchHit, SearchQuery } from '@spec/hooks';
import { and, count, desc, eq, gte, lt, min, or, type SQL, sql } from 'drizzle-orm';
import { findInMessage } from '../../record-cards.ts';
import { readableOnes } from '../../rows/damaged.ts';
import type { Connection } from '../file/connection.ts';
import { messages, threads } from '../schema/schema.ts';
import { decodeText } from '../schema/text.ts';
import { decodeMessage, type SqliteMessageRow } from '../tables/message-row.ts';
import { messageColumns } from '../tables/messages.ts';
import { readKey } from './run-pages.ts';

/** The most messages that one page searches: some ten milliseconds. */
const messagesAtOnce = 5_000;
const hitsAtOnce = 100;

type FoundRow = [key: number, threadId: string | Buffer, ...message: SqliteMessageRow];

/** Searches for a text, newest messages first. There is no index, because an index would keep deleted text. */
export function searchPage(
  connection: Connection,
  thread: number | undefined,
  query: SearchQuery,
): Page<SearchHit> {
  const { client, onUnreadable } = connection;
  const limit = Math.min(query.size, hitsAtOnce);
  const piece = findPiece(connection, thread, query.cursor);
  if (limit === 0 || piece === undefined) return { items: [], next: null };
  const { sql: text, params } = selectMatches(connection, { ...piece, thread, text: query.text });
  const rows = client
    .prepare(text)
    .raw()
    .iterate(...params) as Iterable<FoundRow>;
  const items: SearchHit[] = [];
  for (const [key, id, ...row] of rows) {
    const threadId = decodeText(id);
    const find = (one: SqliteMessageRow) => findInMessage(decodeMessage(one, threadId), threadId, query);
    const [hit] = readableOnes([row], find, onUnreadable);
    if (hit !== undefined) items.push(hit);
    if (items.length === limit) return { items, next: String(key) };
  }
  return { items, next: piece.isLast ? null : String(piece.from) };
}

/** The keys of the messages that one page searches. */
interface Piece {
  readonly from: number;
  readonly below: number;
  readonly isLast: boolean;
}

function findPiece(
  { orm }: Connection,
  thread: number | undefined,
  cursor: string | undefined,
): Piece | undefined {
  const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : readKey(cursor);
  const keys = orm
    .select({ key: messages.key })
    .from(messages)
    .where(and(lt(messages.key, below), belongsTo(thread)))
    .orderBy(desc(messages.key))
    .limit(messagesAtOnce)
    .as('keys');
  const [found] = orm
    .select({ from: min(keys.key), count: count() })
    .from(keys)
    .all();
  if (found === undefined || found.from === null) return undefined;
  return { from: found.from, below, isLast: found.count < messagesAtOnce };
}

function belongsTo(thread: number | undefined): SQL | undefined {
  return thread === undefined ? undefined : eq(messages.thread, thread);
}

function selectMatches(
  { orm }: Connection,
  { from, below, thread, text }: Piece & { readonly thread: number | undefined; readonly text: string },
): { readonly sql: string; readonly params: unknown[] } {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const { content, toolCalls, key } = messages;
  // Texts that SQLite cannot hold are stored as bytes; these are searched one by one.
  const mayHave = or(
    ...[content, toolCalls].map(
      (column) => sql`(typeof(${column}) = 'blob' or ${column} like ${pattern} escape '\\')`,
    ),
  );
  return orm
    .select({ key, threadId: threads.id, ...messageColumns })
    .from(messages)
    .innerJoin(threads, eq(threads.key, messages.thread))
    .where(and(gte(key, from), lt(key, below), belongsTo(thread), mayHave))
    .orderBy(desc(key))
    .toSQL();
}
