import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { ThreadFilter, ThreadRecord } from '../../store.ts';
import { bound, type Connection, equals, rawStatement } from '../file/connection.ts';
import { readableOnes } from '../schema/damaged.ts';
import { leases, threads } from '../schema/schema.ts';
import { encodeText } from '../schema/text.ts';
import { decodeThread, type ThreadColumns, type ThreadUpdates } from './thread-row.ts';

/** The threads of one file. */
export interface ThreadTable {
  /** `false` where the id is taken. */
  insert(row: ThreadColumns): boolean;
  find(threadId: string): ThreadRecord | null;
  list(filter: ThreadFilter): ThreadRecord[];
  update(thread: number, updates: ThreadUpdates): void;
  /** Removes a thread and its child threads. */
  remove(threadId: string): void;
  keyOf(threadId: string): number | undefined;
  /** Asked before every write. */
  stateOf(threadId: string): ThreadState | undefined;
}

/** A thread's key, and the newest fence that was given for it. */
export type ThreadState = [key: number, fence: number | null];

const slot = sql.placeholder;

const columnSlots = {
  id: slot('id'),
  agentId: slot('agentId'),
  userId: slot('userId'),
  parentId: slot('parentId'),
  depth: slot('depth'),
  createdAt: slot('createdAt'),
  currentSide: slot('currentSide'),
  terminated: slot('terminated'),
  turnId: slot('turnId'),
  metadata: slot('metadata'),
  compaction: slot('compaction'),
};

/** Prepares the statements over `threads`. */
export function threadTable(connection: Connection): ThreadTable {
  const { orm } = connection;
  const insert = orm.insert(threads).values(columnSlots).onConflictDoNothing().prepare();
  const find = orm.select().from(threads).where(equals(threads.id, 'id')).prepare();
  const state = prepareState(connection);
  const update = updates(connection);
  const remove = removal(connection);

  return {
    insert: (row) => insert.run(row).changes > 0,
    find(threadId) {
      const row = find.get({ id: threadId });
      return row ? decodeThread(row) : null;
    },
    list: (filter) =>
      readableOnes(selection(connection, filter).all(), decodeThread, connection.onUnreadable),
    update,
    remove: (threadId) => remove.run({ id: threadId }),
    keyOf: (threadId) => state.get(encodeText(threadId))?.[0],
    stateOf: (threadId) => state.get(encodeText(threadId)),
  };
}

/** Asked before every write, so raw. */
function prepareState(connection: Connection) {
  const query = connection.orm
    .select({ key: threads.key, fence: leases.fence })
    .from(threads)
    .leftJoin(leases, eq(leases.thread, threads.key))
    .where(equals(threads.id, 'id'));
  return rawStatement<[string | Buffer], ThreadState>(connection, query);
}

function selection({ orm }: Connection, { parentId, interrupted }: ThreadFilter) {
  const conditions: SQL[] = [];
  if (parentId !== undefined)
    conditions.push(parentId === null ? isNull(threads.parentId) : eq(threads.parentId, parentId));
  if (interrupted !== undefined)
    conditions.push(interrupted ? isNotNull(threads.turnId) : isNull(threads.turnId));
  return orm
    .select()
    .from(threads)
    .where(and(...conditions))
    .orderBy(asc(threads.key));
}

/** What can change has a statement of its own, so that a turn's begin and end write nothing else; that one is raw. */
function updates(connection: Connection): ThreadTable['update'] {
  const { orm } = connection;
  const ofThread = equals(threads.key, 'key');
  const set = (column: keyof ThreadUpdates) =>
    orm
      .update(threads)
      .set({ [column]: bound(threads[column], column) })
      .where(ofThread);
  const turn = rawStatement<[id: string | Buffer | null, key: number]>(connection, set('turnId'));
  const others = (['currentSide', 'terminated', 'compaction', 'metadata'] as const).map(
    (column) => [column, set(column).prepare()] as const,
  );

  return (key, changes) => {
    const { turnId } = changes;
    if (turnId !== undefined) turn.run(turnId === null ? null : encodeText(turnId), key);
    for (const [column, statement] of others) {
      if (changes[column] !== undefined) statement.run({ key, [column]: changes[column] });
    }
  };
}

function removal({ orm }: Connection) {
  return orm
    .delete(threads)
    .where(sql`${threads.id} in (${selectFamily('id')})`)
    .prepare();
}

/** A query for the ids of the thread that a placeholder names, and of its descendants. */
export function selectFamily(name: string): SQL {
  const kin = sql`select kin.id from ${threads} kin join family on kin.parent_id = family.id`;
  return sql`with recursive family(id) as (select ${bound(threads.id, name)} union ${kin}) select id from family`;
}
