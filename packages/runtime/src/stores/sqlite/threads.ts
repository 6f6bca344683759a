import { asc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { ThreadRecord } from '../../store.ts';
import { fencedOff, noSuchThread } from '../refusals.ts';
import { bound, type Connection, equals, rawStatement } from './connection.ts';
import { leases, threads } from './schema.ts';
import { encodeText } from './text.ts';
import { decodeThread, type ThreadColumns, type ThreadUpdates } from './thread-row.ts';

/** The threads of one file. */
export interface ThreadTable {
  /** `false` where the id is taken. */
  insert(row: ThreadColumns): boolean;
  find(threadId: string): ThreadRecord | null;
  list(parentId: string | null | undefined): ThreadRecord[];
  update(thread: number, updates: ThreadUpdates): void;
  /** Removes a thread and its child threads. */
  remove(threadId: string): void;
  keyOf(threadId: string): number | undefined;
  /** The key of a thread to write to. @throws RunError `not_found`, or `thread_busy` where its lease has a higher fence. */
  writable(threadId: string, fence: number): number;
}

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
  turnStep: slot('turnStep'),
  turnPosition: slot('turnPosition'),
  metadata: slot('metadata'),
};

/** Prepares the statements over `threads`. */
export function threadTable(connection: Connection): ThreadTable {
  const { orm } = connection;
  const insert = orm.insert(threads).values(columnSlots).onConflictDoNothing().prepare();
  const { find, all, children, roots } = selections(connection);
  const state = stateOf(connection);
  const update = updates(connection);
  const remove = removal(connection);

  return {
    insert: (row) => insert.run(row).changes > 0,
    find(threadId) {
      const row = find.get({ id: threadId });
      return row ? decodeThread(row) : null;
    },
    list(parentId) {
      const rows =
        parentId === undefined ? all.all() : parentId === null ? roots.all() : children.all({ parentId });
      return rows.map(decodeThread);
    },
    update,
    remove: (threadId) => remove.run({ id: threadId }),
    keyOf: (threadId) => state.get(encodeText(threadId))?.[0],
    writable(threadId, fence) {
      const found = state.get(encodeText(threadId));
      if (!found) throw noSuchThread(threadId);
      const [key, newest] = found;
      if (newest !== null && newest > fence) throw fencedOff(threadId, fence);
      return key;
    },
  };
}

/** A thread's key and the newest fence given for it: asked before every write, so raw. */
function stateOf(connection: Connection) {
  const query = connection.orm
    .select({ key: threads.key, fence: leases.fence })
    .from(threads)
    .leftJoin(leases, eq(leases.thread, threads.key))
    .where(equals(threads.id, 'id'));
  return rawStatement<[string | Buffer], [key: number, fence: number | null]>(connection, query);
}

function selections({ orm }: Connection) {
  const ordered = () => orm.select().from(threads).orderBy(asc(threads.key)).$dynamic();
  return {
    find: orm.select().from(threads).where(equals(threads.id, 'id')).prepare(),
    all: ordered().prepare(),
    roots: ordered().where(isNull(threads.parentId)).prepare(),
    children: ordered().where(equals(threads.parentId, 'parentId')).prepare(),
  };
}

/** What can change has a statement of its own, so that a step of a turn rewrites its position and nothing else; that one is raw. */
function updates(connection: Connection): ThreadTable['update'] {
  const { orm } = connection;
  const ofThread = equals(threads.key, 'key');
  const to = <
    Column extends 'turnId' | 'turnStep' | 'turnPosition' | 'currentSide' | 'terminated' | 'metadata',
  >(
    column: Column,
  ) => ({ [column]: bound(threads[column], column) }) as Record<Column, SQL>;
  const set = (columns: Parameters<ReturnType<typeof orm.update<typeof threads>>['set']>[0]) =>
    orm.update(threads).set(columns).where(ofThread);
  const turn = rawStatement<TurnValues>(
    connection,
    set({ ...to('turnId'), ...to('turnStep'), ...to('turnPosition') }),
  );
  const currentSide = set(to('currentSide')).prepare();
  const terminated = set(to('terminated')).prepare();
  const metadata = set(to('metadata')).prepare();

  return (key, changes) => {
    if (changes.turn) {
      const { turnId, turnStep, turnPosition } = changes.turn;
      turn.run(turnId === null ? null : encodeText(turnId), turnStep, turnPosition, key);
    }
    if (changes.currentSide !== undefined) currentSide.run({ key, currentSide: changes.currentSide });
    if (changes.terminated !== undefined) terminated.run({ key, terminated: changes.terminated });
    if (changes.metadata !== undefined) metadata.run({ key, metadata: changes.metadata });
  };
}

type TurnValues = [id: string | Buffer | null, step: number | null, position: number | null, key: number];

function removal({ orm }: Connection) {
  const family = sql`with recursive family(id) as (
    select ${bound(threads.id, 'id')} union select ${threads.id} from ${threads} join family on ${threads.parentId} = family.id
  ) select id from family`;
  return orm.delete(threads).where(sql`${threads.id} in (${family})`).prepare();
}
