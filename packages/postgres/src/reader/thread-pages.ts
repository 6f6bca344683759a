import type { Page, ThreadCard, ThreadQuery } from '@spec/hooks';
import { makeThreadCard, readableOnes } from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import { readThread, type ThreadRow, threadColumns, threadSource } from '../methods/threads.ts';
import { encodeText } from '../texts.ts';
import { readKey, writeCursor } from './cursors.ts';

type Listed = [key: number, ...ThreadRow];

/** A page of threads, the newest first. Its cursor is the key where it ended; there is an index for each filter. */
export async function pageThreads(session: Session, query: ThreadQuery): Promise<Page<ThreadCard>> {
  const { size, cursor } = query;
  const below = cursor === undefined ? Number.MAX_SAFE_INTEGER : readKey(cursor);
  if (size === 0) return { items: [], next: null };
  const values: unknown[] = [below, size];
  const where = ['t.key < $1::bigint', ...filterThreads(query, values)];
  const list = session.prepare(
    `select t.key::float8, ${threadColumns} from ${threadSource} where ${where.join(' and ')} order by t.key desc limit $2::bigint`,
  );
  const rows = (await session.ask(list, values)) as Listed[];
  const read = ([, ...row]: Listed): ThreadCard => makeThreadCard(readThread(row));
  const items = readableOnes(rows, read, session.settings.onUnreadable);
  return { items, next: rows.length === size ? writeCursor([rows.at(-1)?.[0] ?? 0]) : null };
}

function filterThreads({ id, agentId, parentId }: ThreadQuery, values: unknown[]): string[] {
  const conditions: string[] = [];
  if (id !== undefined) conditions.push(`t.id = $${values.push(encodeText(id))}`);
  if (agentId !== undefined) conditions.push(`t.agent_id collate "C" = $${values.push(encodeText(agentId))}`);
  if (parentId === null) conditions.push('t.parent_id is null');
  else if (parentId !== undefined) conditions.push(`t.parent_id = $${values.push(encodeText(parentId))}`);
  return conditions;
}
