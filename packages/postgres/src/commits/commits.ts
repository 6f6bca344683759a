// Commits: write to a thread. Plain commits take one statement. Others look first, and write only if nothing has changed since.

import { RunError } from '@spec/hooks';
import { type Commit, type CommitAnswer, settle } from '@spec/runtime/store-kit';
import { gatherQuestions, type Row } from '../connection/gather.ts';
import type { Session } from '../connection/session.ts';
import { failed } from '../failures.ts';
import { refuseLongIds } from './long-ids.ts';
import { type Look, openLook } from './look.ts';
import { type Packet, type PacketHead, packPlain, packWrites } from './packet.ts';

/** Writes what `settle` makes of a commit. */
export type WriteCommit = (threadId: string, fence: number | null, commit: Commit) => Promise<CommitAnswer>;

/** Others may commit to a thread between each look and its write: so many tries, then it fails. */
const triesAtMost = 200;

/** Opens the way that all commits take. */
export function openCommits(session: Session): WriteCommit {
  const send = openAppendLine(session);
  const look = openLook(session);
  const isFull = session.settings.synchronous === 'FULL';

  return async (threadId, fence, commit) => {
    refuseLongIds(threadId, commit);
    // A commit without a lease is a message from another process and must not be lost.
    const head: PacketHead = { threadId, fence, sync: isFull || fence === null ? 'on' : 'off' };
    const plain = packPlain(head, commit);
    if (plain === undefined) return writeAsSeen({ session, send, look }, head, commit);
    const { status, waiting } = await send(plain);
    return status === 'ok' ? { applied: true, waiting } : writeAsSeen({ session, send, look }, head, commit);
  };
}

interface Ways {
  readonly session: Session;
  readonly send: SendPacket;
  readonly look: Look;
}

/** @throws RunError what `settle` throws */
async function writeAsSeen(
  { session, send, look }: Ways,
  head: PacketHead,
  commit: Commit,
): Promise<CommitAnswer> {
  for (let tries = 0; tries < triesAtMost; tries += 1) {
    const seen = await look(head.threadId, commit);
    const { writes, answer } = settle(head, seen, commit);
    if (seen === undefined || !answer.applied) return answer;
    const { status, waiting } = await send(packWrites(head, writes, seen.version));
    if (status === 'ok') return { ...answer, waiting };
  }
  throw failed(
    session.settings.schema,
    `others wrote to thread ${head.threadId} each time; nothing was stored. Try again`,
  );
}

/** The result of a commit, and whether items wait in the thread's queue after it. */
interface Appended {
  readonly status: 'ok' | 'look' | 'changed' | 'busy' | 'not_found';
  readonly waiting: boolean;
}

/** Takes commits to the server. */
type SendPacket = (packet: Packet) => Promise<Appended>;

/** Sends commits, together those that come at once. One that makes its batch fail is sent again alone, under its own id. */
function openAppendLine(session: Session): SendPacket {
  const send = gatherQuestions<Packet>(session, {
    alone: session.prepare("select status, waiting from $schema.append_all_2('[' || $1::text || ']')"),
    all: session.prepare('select status, waiting from $schema.append_all_2($1::text)'),
    agree: syncAlike,
  });
  return async (packet) => readAppended(await send(packet));
}

/** If one commit must be on the disk, all are. */
function syncAlike(together: readonly Packet[]): readonly Packet[] {
  const sync = together.some((packet) => packet.sync === 'on') ? 'on' : 'off';
  return together.map((packet) => ({ ...packet, sync }));
}

function readAppended([status, waiting]: Row): Appended {
  if (typeof status !== 'string')
    throw new RunError('store_failed', 'the functions of the store in PostgreSQL gave no answer');
  return { status: status as Appended['status'], waiting: waiting === true };
}
