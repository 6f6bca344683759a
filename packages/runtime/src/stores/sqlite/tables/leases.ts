import { and, eq, sql } from 'drizzle-orm';
import type { LeasedThread } from '../../derive/settle.ts';
import type { NextLease, StoredLease } from '../../driver.ts';
import { measureLife } from '../../lease-life.ts';
import { nameThread } from '../../rows/damaged.ts';
import { bound, type Connection, equals } from '../file/connection.ts';
import { leases, threads as threadRows } from '../schema/schema.ts';
import { makeRowCheck } from './row-checks.ts';
import { selectFamily } from './threads.ts';

// L1: a lease is given, kept and ended inside a transaction with the write lock, so two processes never both give one.
// L2: the owner's column also has the turn, if there is one; the fence alone identifies the lease.
// L3: a new lease is a new row, whose key is its fence; the row before it is deleted. A released lease keeps its row, without an owner.

/** The leases of one file. */
export interface LeaseTable {
  /** The newest lease. */
  find(thread: { key: number; id: string }): StoredLease | null;
  /** Replaces the present lease; `thread` is the key of a thread. */
  put(thread: number, lease: NextLease): StoredLease;
  /** The leases of a thread and of all threads below it. */
  ofFamily(threadId: string): LeasedThread[];
}

const slot = sql.placeholder;

/** Prepares the statements over `leases`. */
export function leaseTable({ orm }: Connection): LeaseTable {
  const { find, remove, insert, change, ofFamily } = statements(orm);
  return {
    find({ key, id }) {
      const row = find.get({ thread: key });
      return row ? decodeLease(row, id) : null;
    },
    put(thread, lease) {
      const { fence, expiresAt, ttlMs } = lease;
      const row = { thread, holder: encodeNextHolder(lease), expiresAt, ttlMs };
      if (fence !== null) {
        change.run({ ...row, fence });
        return { ...lease, fence };
      }
      remove.run({ thread });
      return { ...lease, fence: Number(insert.run(row).lastInsertRowid) };
    },
    ofFamily: (id) =>
      ofFamily.all({ id }).map(({ threadId, ...row }) => ({ threadId, lease: decodeLease(row, threadId) })),
  };
}

const checkRow = makeRowCheck(leases, 'leases');

interface LeaseRow extends Pick<StoredLease, 'owner' | 'fence' | 'expiresAt'> {
  /** Older versions stored no length. */
  readonly ttlMs: number | null;
}

/** @throws RunError `store_unreadable` for a damaged lease: nobody knows its owner. */
function decodeLease(row: LeaseRow, threadId: unknown): StoredLease {
  checkRow(row, () => `the lease of ${nameThread(threadId)}`);
  const { fence, expiresAt, ttlMs } = row;
  const { owner, turnId } = row.owner === null ? noHolder : decodeHolder(row.owner);
  const lease = { owner, fence, expiresAt, ttlMs: ttlMs ?? measureLife(row) };
  return turnId === undefined ? lease : { ...lease, turnId };
}

const noHolder = { owner: null, turnId: undefined };

function encodeNextHolder({ owner, turnId }: NextLease): string | null {
  return owner === null ? null : encodeHolder({ owner, turnId });
}

function statements(orm: Connection['orm']) {
  const { fence, owner, expiresAt, ttlMs } = leases;
  const ofThread = equals(leases.thread, 'thread');
  const slots = { owner: slot('holder'), expiresAt: slot('expiresAt'), ttlMs: slot('ttlMs') };
  const changed = {
    owner: bound(owner, 'holder'),
    expiresAt: bound(expiresAt, 'expiresAt'),
    ttlMs: bound(ttlMs, 'ttlMs'),
  };
  return {
    find: orm.select({ fence, owner, expiresAt, ttlMs }).from(leases).where(ofThread).prepare(),
    remove: orm.delete(leases).where(ofThread).prepare(),
    insert: orm
      .insert(leases)
      .values({ thread: slot('thread'), ...slots })
      .prepare(),
    change: orm
      .update(leases)
      .set(changed)
      .where(and(ofThread, equals(fence, 'fence')))
      .prepare(),
    ofFamily: orm
      .select({ threadId: threadRows.id, fence, owner, expiresAt, ttlMs })
      .from(leases)
      .innerJoin(threadRows, eq(threadRows.key, leases.thread))
      .where(sql`${threadRows.id} in (${selectFamily('id')})`)
      .prepare(),
  };
}

/** The owner of a lease, and the turn that it is for. */
interface LeaseHolder {
  readonly owner: string;
  readonly turnId: string | undefined;
}

/** The form with a turn. An owner whose name looks like this form is also written in it, so that every name can be decoded. */
const WITH_TURN = /^turn (\d+) /;

/** Owner and turn share the owner's column. So a release that knows no turns sees a different owner and stays away. */
function encodeHolder({ owner, turnId = '' }: LeaseHolder): string {
  if (turnId === '' && !WITH_TURN.test(owner)) return owner;
  return `turn ${turnId.length} ${turnId}${owner}`;
}

function decodeHolder(text: string): LeaseHolder {
  const [head, length] = WITH_TURN.exec(text) ?? [];
  if (head === undefined) return { owner: text, turnId: undefined };
  const end = head.length + Number(length);
  return { owner: text.slice(end), turnId: text.slice(head.length, end) || undefined };
}
