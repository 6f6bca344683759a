import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Bench } from '../bench.ts';
import { inFolder } from '../scratch.ts';
import { readRows } from './learned.ts';
import { connect, FILE } from './ours.ts';
import { stamp } from './workload.ts';

const BARE = 'the messages alone';
const OFF = "ledger: 'off'";
const ON = 'with the ledger';

const TURNS = 1_000;

export const turnBytes: Bench = {
  name: 'turn-bytes',
  about: 'what a turn adds to the file, against its four messages in a table of their own',
  unit: 'bytes',
  comparisons: [
    { of: OFF, against: BARE, atMost: 1.2 },
    { of: ON, against: BARE, atMost: 2 },
  ],
  run: () =>
    inFolder(async (folder) => {
      const [on, off] = [join(folder, 'on'), join(folder, 'off')];
      const withLedger = await measureOurBytes(on, {});
      const without = await measureOurBytes(off, { ledger: 'off' });
      return { [BARE]: [measureBareBytes(off)], [OFF]: [without], [ON]: [withLedger] };
    }),
};

async function measureOurBytes(folder: string, more: Parameters<typeof connect>[1]): Promise<number> {
  mkdirSync(folder);
  const connection = await connect({ folder, synchronous: 'NORMAL' }, more);
  const turn = await connection.thread(0);
  for (let done = 0; done < TURNS; done++) await turn();
  await connection.close();
  return statSync(join(folder, FILE)).size / TURNS;
}

/** The same messages as an application would store them by hand: random ids, found by thread and place and by id. */
function measureBareBytes(folder: string): number {
  const path = join(folder, 'bare.db');
  const client = new Database(path);
  client.exec(`create table messages (
    key integer primary key, thread integer not null, seq integer not null, id text not null, role text not null, content text,
    name text, tool_calls text, tool_call_id text, created_at integer not null, metadata text
  );
  create unique index messages_order on messages (thread, seq);
  create unique index messages_id on messages (thread, id);`);
  const insert = client.prepare(
    `insert into messages (thread, seq, id, role, content, name, tool_calls, tool_call_id, created_at, metadata)
     values (1, :seq, :id, :role, :content, :name, :tool_calls, :tool_call_id, :created_at, :metadata)`,
  );
  const store = client.transaction(() => {
    for (const [seq, row] of readRows(join(folder, FILE), 'messages').entries()) {
      insert.run({ ...row, seq, id: crypto.randomUUID(), metadata: stamp(crypto.randomUUID(), 1) });
    }
  });
  store();
  client.close();
  return statSync(path).size / TURNS;
}
