import type { ChangeLease, NextLease, StoreDriver, StoredLease } from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import { failed } from '../failures.ts';
import { decodeOrNull, encodeOrNull, encodeText } from '../texts.ts';

/** The columns of a lease, with the database's time in milliseconds; `l` is the table. */
export const leaseColumns =
  'l.fence::float8, l.owner, l.expires_at, l.ttl_ms, l.turn_id, floor(extract(epoch from clock_timestamp()) * 1000)::float8';

/** The types of these columns; fence 0 means that the thread never had a lease. */
export type LeaseRow = [
  fence: number,
  owner: string | null,
  expiresAt: number,
  ttlMs: number,
  turnId: string | null,
  now: number,
];

/** The lease in a row; `null` if there was none. */
export function readLeaseRow([fence, owner, expiresAt, ttlMs, turnId, now]: LeaseRow): StoredLease | null {
  if (fence === 0) return null;
  const lease = { fence, owner: decodeOrNull(owner), expiresAt, ttlMs, readAt: now };
  return turnId === null ? lease : { ...lease, turnId: decodeOrNull(turnId) ?? '' };
}

/** The methods over leases. They go by the clock of the database, not by those of the processes. */
export function leaseMethods(session: Session): Pick<StoreDriver, 'readLease' | 'changeLease'> {
  const find = session.prepare(
    `select ${leaseColumns} from $schema.threads t join $schema.leases l on l.thread = t.key where t.id = $1`,
  );
  const change = session.prepare('select $schema.acquire_1($1, $2::json, $3::json)');

  async function look(threadId: string): Promise<LeaseRow | undefined> {
    const [row] = await session.ask(find, [encodeText(threadId)]);
    return row as LeaseRow | undefined;
  }

  return {
    async readLease(threadId) {
      const row = await look(threadId);
      return row ? readLeaseRow(row) : null;
    },
    async changeLease(threadId, next) {
      for (let tries = 0; tries < 200; tries += 1) {
        const row = await look(threadId);
        const { held, lease } = askNext(row, next);
        if (row === undefined || lease === null) return held ?? null;
        const values = [encodeText(threadId), writeSeen(row), writeNext(lease)];
        const [[fence] = []] = await session.ask(change, values);
        if (typeof fence === 'number') return { ...lease, fence };
      }
      throw failed(
        session.settings.schema,
        `others changed the lease of thread ${threadId} each time. Try again`,
      );
    },
  };
}

function askNext(
  row: LeaseRow | undefined,
  next: ChangeLease,
): { held: StoredLease | null | undefined; lease: NextLease | null } {
  const held = row && readLeaseRow(row);
  return { held, lease: next(held, row?.[5]) };
}

function writeSeen([fence, owner, expiresAt]: LeaseRow): string {
  return JSON.stringify({ fence, owner, expiresAt });
}

function writeNext({ fence, owner, expiresAt, ttlMs, turnId }: NextLease): string {
  return JSON.stringify({
    fence,
    owner: encodeOrNull(owner),
    expiresAt,
    ttlMs,
    turnId: encodeOrNull(turnId),
  });
}
