import type { ThreadQuery } from '@spec/hooks';
import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { readableOnes } from '../../rows/damaged.ts';
import type { ThreadFilter, ThreadRecord } from '../../store.ts';
import { bound, type Connection, equals, rawStatement } from '../file/connection.ts';
import { leases, openTurns, threads } from '../schema/schema.ts';
import { encodeText } from '../schema/text.ts';
import { decodeThread, type ReadThreadRow, type ThreadColumns, type ThreadUpdates } from './thread-row.ts';

/** The threads of one file. */
export interface ThreadTable {
  /** `false` if the id is taken. */
  insert(row: ThreadColumns): boolean;
  find(threadId: string): ThreadRecord | null;
  list(filter: ThreadFilter): ThreadRecord[];
  update(thread: number, updates: ThreadUpdates): void;
  /** Removes a thread and its child threads, with all their rows except their runs. */
  remove(threadId: string): void;
  keyOf(threadId: string): number | undefined;
  /** Runs before every write. */
  stateOf(threadId: string): ThreadState | undefined;
}

/** A thread's key, and the newest fence given for it. */
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
  metadata: slot('metadata'),
  compaction: slot('compaction'),
};

/** Prepares the statements over `threads`. */
export function threadTable(connection: Connection): ThreadTable {
  const { orm } = connection;
  const insert = orm.insert(threads).values(columnSlots).onConflictDoNothing().prepare();
  const find = selectThreads(orm).where(equals(threads.id, 'id')).prepare();
  const turns = openTurnStatements(connection);
  const state = prepareState(connection);
  const update = updates(connection);
  const remove = removal(connection);

  return {
    insert({ turnId, form, ...row }) {
      const { changes, lastInsertRowid } = insert.run(row);
      if (changes > 0 && turnId !== null) turns.open(Number(lastInsertRowid), turnId, form);
      return changes > 0;
    },
    find(threadId) {
      const row = find.get({ id: threadId });
      return row ? decodeThread(row) : null;
    },
    list: (filter) =>
      readableOnes(selection(connection, filter).all(), decodeThread, connection.onUnreadable),
    update(thread, { turnId, form, ...others }) {
      if (turnId === null) turns.close(thread);
      else if (turnId !== undefined) turns.open(thread, turnId, form);
      update(thread, others);
    },
    remove: (threadId) => remove.run({ id: threadId }),
    keyOf: (threadId) => state.get(encodeText(threadId))?.[0],
    stateOf: (threadId) => state.get(encodeText(threadId)),
  };
}

/** Raw, because it runs before every write. */
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
    conditions.push(interrupted ? isNotNull(openTurns.turnId) : isNull(openTurns.turnId));
  return selectThreads(orm)
    .where(and(...conditions))
    .orderBy(asc(threads.key));
}

/** The threads of a page: those with a key below this one that match, newest first. */
export interface ThreadPageQuery extends Omit<ThreadQuery, 'size' | 'cursor'> {
  readonly below: number;
  readonly limit: number;
}

/** The rows of a page of threads. */
export function pageThreads({ orm }: Connection, query: ThreadPageQuery): ReadThreadRow[] {
  const { below, limit, id, agentId, parentId } = query;
  const conditions = [lt(threads.key, below)];
  if (id !== undefined) conditions.push(eq(threads.id, id));
  if (agentId !== undefined) conditions.push(eq(threads.agentId, agentId));
  if (parentId !== undefined)
    conditions.push(parentId === null ? isNull(threads.parentId) : eq(threads.parentId, parentId));
  return selectThreads(orm)
    .where(and(...conditions))
    .orderBy(desc(threads.key))
    .limit(limit)
    .all();
}

function selectThreads(orm: Connection['orm']) {
  return orm
    .select({
      ...getTableColumns(threads),
      turnId: openTurns.turnId,
      form: openTurns.form,
      turnOf: openTurns.thread,
    })
    .from(threads)
    .leftJoin(openTurns, eq(openTurns.thread, threads.key));
}

/** Raw, because each turn begins and ends with one. */
function openTurnStatements(connection: Connection) {
  const { orm } = connection;
  const insert = orm
    .insert(openTurns)
    .values({ thread: slot('thread'), turnId: slot('turnId'), form: slot('form') })
    .onConflictDoUpdate({
      target: openTurns.thread,
      set: { turnId: sql`excluded.turn_id`, form: sql`excluded.form` },
    });
  const open = rawStatement<[thread: number, turnId: string | Buffer, form: number | null]>(
    connection,
    insert,
  );
  const close = rawStatement<[thread: number]>(
    connection,
    orm.delete(openTurns).where(eq(openTurns.thread, slot('thread'))),
  );
  return {
    open: (thread: number, turnId: string, form: number | null): unknown =>
      open.run(thread, encodeText(turnId), form),
    close: (thread: number): unknown => close.run(thread),
  };
}

type OtherUpdates = Omit<ThreadUpdates, 'turnId' | 'form'>;

/** Each column that can change has its own statement, so that a change writes nothing else. */
function updates({ orm }: Connection): (thread: number, changes: OtherUpdates) => void {
  const ofThread = equals(threads.key, 'key');
  const statements = (['currentSide', 'terminated', 'compaction', 'metadata'] as const).map(
    (column) =>
      [
        column,
        orm
          .update(threads)
          .set({ [column]: bound(threads[column], column) })
          .where(ofThread)
          .prepare(),
      ] as const,
  );
  return (key, changes) => {
    for (const [column, statement] of statements) {
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

/** A query for the ids of the placeholder's thread and its descendants. */
export function selectFamily(name: string): SQL {
  const kin = sql`select kin.id from ${threads} kin join family on kin.parent_id = family.id`;
  return sql`with recursive family(id) as (select ${bound(threads.id, name)} union ${kin}) select id from family`;
}
