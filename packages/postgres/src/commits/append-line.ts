import { RunError } from '@spec/hooks';
import { gatherQuestions, type Row } from '../connection/gather.ts';
import type { Session } from '../connection/session.ts';
import type { Packet } from './packet.ts';

/** The result of a commit, and whether items wait in the thread's queue after it. */
export interface Appended {
  readonly status: 'ok' | 'look' | 'changed' | 'busy' | 'not_found';
  readonly waiting: boolean;
}

/** Takes commits to the server. */
export type SendPacket = (packet: Packet) => Promise<Appended>;

/** Sends commits, together those that come at once. One that makes its batch fail is sent again alone, under its own id. */
export function openAppendLine(session: Session): SendPacket {
  const send = gatherQuestions<Packet>(session, {
    alone: session.prepare('select status, waiting from $schema.append_1($1::json)'),
    all: session.prepare(
      'select status, waiting from $schema.append_all_1(array(select json_array_elements($1::json)))',
    ),
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
