// Methods: the queries on the tables, one statement each. The driver puts calls in order; the rules are elsewhere.

import { randomUUID } from 'node:crypto';
import type { ThreadFilter, ThreadRecord } from '@spec/runtime';
import {
  type ColumnPlace,
  checkRemoval,
  damaged,
  type LeasedThread,
  readableOnes,
  recordIn,
  type StoreDriver,
} from '@spec/runtime/store-kit';
import { refuseLong } from '../commits/long-ids.ts';
import { encodeCompaction } from '../commits/packet.ts';
import type { Session } from '../connection/session.ts';
import { failed } from '../failures.ts';
import { decodeOrNull, decodeText, encodeOrNull, encodeText } from '../texts.ts';
import { type LeaseRow, leaseColumns, readLeaseRow } from './leases.ts';

/** The methods over whole threads; they do not order calls. */
export type ThreadMethods = Required<
  Pick<StoreDriver, 'createThread' | 'getThread' | 'listThreads' | 'deleteThread'>
>;

/** The columns of a thread; `t` is its table, `o` that of its open turn. */
export const threadColumns = `t.id, t.agent_id, t.user_id, t.parent_id, t.depth, t.created_at, t.current_side, t.terminated, t.compaction,
  t.metadata, o.turn_id, o.form`;

/** The tables of these columns. */
export const threadSource = '$schema.threads t left join $schema.open_turns o on o.thread = t.key';

/** The types of these columns. */
export type ThreadRow = [
  id: string,
  agentId: string,
  userId: string | null,
  parentId: string | null,
  depth: number,
  createdAt: number,
  currentSide: ThreadRecord['currentSide'],
  terminated: string | null,
  compaction: string | null,
  metadata: string,
  turnId: string | null,
  form: number | null,
];

/** Prepares the statements over `threads`. */
export function threadMethods(session: Session): ThreadMethods {
  const { onUnreadable } = session.settings;
  const find = session.prepare(`select ${threadColumns} from ${threadSource} where t.id = $1`);
  return {
    createThread: creation(session),
    async getThread(threadId) {
      const [row] = await session.ask(find, [encodeText(threadId)]);
      return row ? readThread(row as ThreadRow) : null;
    },
    async listThreads(filter) {
      const conditions = [isParent(filter), isInterrupted(filter)].filter((one) => one !== undefined);
      const where = conditions.length > 0 ? `where ${conditions.join(' and ')}` : '';
      const list = session.prepare(`select ${threadColumns} from ${threadSource} ${where} order by t.key`);
      const values = typeof filter.parentId === 'string' ? [encodeText(filter.parentId)] : [];
      return readableOnes(
        await session.ask(list, values),
        (row) => readThread(row as ThreadRow),
        onUnreadable,
      );
    },
    deleteThread: removal(session),
  };
}

function isParent({ parentId }: ThreadFilter): string | undefined {
  if (parentId === undefined) return undefined;
  return parentId === null ? 't.parent_id is null' : 't.parent_id = $1';
}

function isInterrupted({ interrupted }: ThreadFilter): string | undefined {
  if (interrupted === undefined) return undefined;
  return `o.thread is ${interrupted ? 'not ' : ''}null`;
}

/** Makes the thread, its lease (which is its lock) and its turn in one statement. */
function creation(session: Session): ThreadMethods['createThread'] {
  const create = session.prepare(`
    with made as (
      insert into $schema.threads (id, agent_id, user_id, parent_id, depth, created_at, current_side, terminated, compaction, metadata)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (id) do nothing returning key
    ), lease as (
      insert into $schema.leases (thread, last_commit) select key, $13 from made
    ), turn as (
      insert into $schema.open_turns (thread, turn_id, form) select key, $11::text, $12::float8 from made where $11::text is not null
    )
    select count(*)::float8 from made`);
  const isOwn = session.prepare(`
    select true from $schema.threads t join $schema.leases l on l.thread = t.key where t.id = $1 and l.last_commit = $2`);
  return async (record) => {
    refuseLong(record.id, { name: 'the id of a thread' }, 'invalid_input');
    refuseLong(record.agentId, { name: 'the agent of a thread' }, 'invalid_input');
    if (record.parentId !== null)
      refuseLong(record.parentId, { name: 'the parent of a thread' }, 'invalid_input');
    const commit = randomUUID();
    let isDoubtful = false;
    const [[count] = []] = await session.ask(create, [...encodeThread(record), commit], () => {
      isDoubtful = true;
    });
    if (count === 1) return true;
    return isDoubtful && (await session.ask(isOwn, [encodeText(record.id), commit])).length === 1;
  };
}

function encodeThread(record: ThreadRecord): unknown[] {
  const { id, agentId, userId, parentId, depth, createdAt, currentSide, terminated } = record;
  const { compaction, metadata, turn } = record;
  return [
    encodeText(id),
    encodeText(agentId),
    encodeOrNull(userId),
    encodeOrNull(parentId),
    depth,
    createdAt,
    currentSide,
    encodeOrNull(terminated),
    compaction && encodeCompaction(compaction),
    JSON.stringify(metadata),
    encodeOrNull(turn?.id),
    turn?.form ?? null,
  ];
}

/** The thread in a row. @throws RunError `store_unreadable` */
export function readThread(row: ThreadRow): ThreadRecord {
  const [stored, agentId, userId, parentId, depth, createdAt, currentSide, terminated, ...rest] = row;
  const [compaction, metadata, turnId, form] = rest;
  const id = decodeText(stored);
  const place = (column: string): ColumnPlace => ({ table: 'threads', row: `thread ${id}`, column });
  return {
    id,
    agentId: decodeText(agentId),
    userId: decodeOrNull(userId),
    parentId: decodeOrNull(parentId),
    depth,
    createdAt,
    currentSide,
    terminated: decodeOrNull(terminated),
    turn: turnId === null ? null : { id: decodeText(turnId), ...(form !== null && { form }) },
    compaction: compaction === null ? null : readCompaction(compaction, place('compaction')),
    metadata: recordIn(metadata, place('metadata')),
  };
}

function readCompaction(text: string, place: ColumnPlace): NonNullable<ThreadRecord['compaction']> {
  const { summaryId, throughId } = recordIn(text, place);
  if (typeof summaryId !== 'string' || typeof throughId !== 'string') throw damaged(place);
  return { summaryId, throughId };
}

type FamilyRow = [id: string, state: string, ...LeaseRow];

/** Looks at the family, and removes it only if it is still the same. */
function removal(session: Session): ThreadMethods['deleteThread'] {
  const look = session.prepare(`
    select f.id, f.state, ${leaseColumns} from $schema.family_1($1) f join $schema.leases l on l.thread = f.key order by f.key`);
  const remove = session.prepare('select $schema.delete_1($1, $2)');
  return async (threadId, fence) => {
    let isDoubtful = false;
    for (let tries = 0; tries < 200; tries += 1) {
      const family = (await session.ask(look, [encodeText(threadId)])) as FamilyRow[];
      if (family.length === 0) return isDoubtful;
      const leased = family.map(
        ([id, , ...lease]): LeasedThread => ({ threadId: decodeText(id), lease: readLeaseRow(lease) }),
      );
      const own = leased.find((one) => one.threadId === threadId);
      checkRemoval(own ?? { threadId, lease: null }, leased, fence);
      const seen = family.map(([, state]) => state).join(',');
      const [[isGone] = []] = await session.ask(remove, [encodeText(threadId), seen], () => {
        isDoubtful = true;
      });
      if (isGone === true) return true;
    }
    throw failed(
      session.settings.schema,
      `others wrote to thread ${threadId} each time; it was not deleted. Try again`,
    );
  };
}
