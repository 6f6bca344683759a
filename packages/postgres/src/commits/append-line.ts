import { RunError } from '@spec/hooks';
import type { Rows, Session, Statement } from '../connection/session.ts';
import type { Packet } from './packet.ts';

/** The result of a commit, and whether items wait in the thread's queue after it. */
export interface Appended {
  readonly status: 'ok' | 'look' | 'changed' | 'busy' | 'not_found';
  readonly waiting: boolean;
}

/** Takes commits to the server. */
export type SendPacket = (packet: Packet) => Promise<Appended>;

/** The most commits that share a statement and a sync. */
const togetherAtMost = 64;

/** The most statements under way at once. Meanwhile commits gather. */
const underWayAtMost = 2;

interface Waiting {
  readonly packet: Packet;
  resolve(appended: Appended): void;
  reject(error: unknown): void;
}

/** Sends together the commits of one round of the event loop, and those that come while two statements are under way. */
export function openAppendLine(session: Session): SendPacket {
  const alone = session.prepare('select status, waiting from $schema.append_1($1::json)');
  if (!session.settings.batching) return (packet) => sendAlone(session, alone, packet);
  const all = session.prepare('select status, waiting from $schema.append_all_1($1::json[])');
  const waiting: Waiting[] = [];
  let underWay = 0;
  let isDue = false;

  function flush(): void {
    isDue = false;
    while (waiting.length > 0 && underWay < underWayAtMost) {
      underWay += 1;
      void send(waiting.splice(0, togetherAtMost)).finally(() => {
        underWay -= 1;
        flush();
      });
    }
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    const [first] = batch;
    if (batch.length === 1 && first) return settle(first, sendAlone(session, alone, first.packet));
    const ordered = [...batch].sort((a, b) => (a.packet.thread < b.packet.thread ? -1 : 1));
    try {
      const rows = await session.ask(all, [writeArray(ordered)]);
      for (const [index, { resolve }] of ordered.entries()) resolve(readAppended(rows, index));
    } catch {
      // One commit made the whole batch fail: each is sent again alone, under its own id.
      await Promise.all(ordered.map((one) => settle(one, sendAlone(session, alone, one.packet))));
    }
  }

  return (packet) =>
    new Promise((resolve, reject) => {
      waiting.push({ packet, resolve, reject });
      if (isDue || underWay >= underWayAtMost) return;
      isDue = true;
      setImmediate(flush);
    });
}

async function sendAlone(session: Session, statement: Statement, packet: Packet): Promise<Appended> {
  return readAppended(await session.ask(statement, [JSON.stringify(packet)]), 0);
}

async function settle({ resolve, reject }: Waiting, appended: Promise<Appended>): Promise<void> {
  await appended.then(resolve, reject);
}

/** Sorted by thread, so that no two statements wait for each other. If one commit must be on the disk, all are. */
function writeArray(batch: readonly Waiting[]): string[] {
  const sync = batch.some(({ packet }) => packet.sync === 'on') ? 'on' : 'off';
  return batch.map(({ packet }) => JSON.stringify({ ...packet, sync }));
}

function readAppended(rows: Rows, index: number): Appended {
  const [status, waiting] = rows[index] ?? [];
  if (typeof status !== 'string')
    throw new RunError('store_failed', 'the functions of the store in PostgreSQL gave no answer');
  return { status: status as Appended['status'], waiting: waiting === true };
}
