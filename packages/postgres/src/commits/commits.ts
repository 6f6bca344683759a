// Commits: write to a thread. Plain commits take one statement. Others look first, and write only if nothing has changed since.

import { type Commit, type CommitAnswer, settle } from '@spec/runtime/store-kit';
import type { Session } from '../connection/session.ts';
import { failed } from '../failures.ts';
import { openAppendLine, type SendPacket } from './append-line.ts';
import { refuseLongIds } from './long-ids.ts';
import { type Look, openLook } from './look.ts';
import { type PacketHead, packPlain, packWrites } from './packet.ts';

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
