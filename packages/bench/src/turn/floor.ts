import { join } from 'node:path';
import Database from 'better-sqlite3';
import { conversation } from '../conversation.ts';
import { configure } from '../raw-client.ts';
import type { Connection, ConnectOptions } from './contender.ts';
import { ANSWER, INPUT, log, newest, QUESTION, RESULT, redacted, stamp, TOOL } from './workload.ts';

/** A message as anyone would store it who needs nothing else. */
type Message = readonly [
  role: string,
  content: string | null,
  toolCalls: string | null,
  toolCallId: string | null,
];

/**
 * The floor: a turn's four messages, each inserted in a transaction of its own, between four bare function calls. One table with one
 * index over thread and place, the settings of our store, and SQLite's own checkpoints. There is no loop, no model, no ledger, no
 * look at what is there, and nothing that would find an interrupted turn again.
 */
export async function connect({ folder, synchronous }: ConnectOptions): Promise<Connection> {
  const client = new Database(join(folder, 'floor.db'));
  configure(client, synchronous);
  client.exec(`create table messages (
    key integer primary key, thread integer not null, seq integer not null, id text not null, role text not null, content text,
    tool_calls text, tool_call_id text, created_at integer not null, metadata text
  );
  create unique index messages_order on messages (thread, seq);`);
  const write = prepareWrite(client);
  let threads = 0;
  return {
    async thread(length) {
      const thread = threads++;
      return openThread(
        { write: (seq, row) => write(thread, seq, row), fill: client.transaction(fill) },
        length,
      );
    },
    close: () => client.close(),
  };
}

type Row = readonly [id: string, createdAt: number, metadata: string | null, ...Message];

function prepareWrite(client: Database.Database): (thread: number, seq: number, row: Row) => void {
  const insert = client.prepare(
    `insert into messages (thread, seq, id, created_at, metadata, role, content, tool_calls, tool_call_id)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const write = client.transaction(
    (thread: number, seq: number, row: Row) => void insert.run(thread, seq, ...row),
  );
  return write.immediate;
}

interface Thread {
  write(seq: number, row: Row): void;
  fill(work: () => void): void;
}

function fill(work: () => void): void {
  work();
}

const CALL = JSON.stringify([
  { id: 'call_1042', type: 'function', function: { name: TOOL, arguments: JSON.stringify(INPUT) } },
]);

function openThread({ write, fill: inOne }: Thread, length: number): () => void {
  const history: Message[] = [];
  inOne(() => {
    for (const { id, role, content, tool_calls, tool_call_id, created_at } of conversation(length)) {
      const message = [role, content, tool_calls ?? null, tool_call_id ?? null] as const;
      write(history.push(message), [id, created_at, null, ...message]);
    }
  });
  return () => {
    const turnId = crypto.randomUUID();
    const store = (step: number, ...message: Message): void => {
      const row = [crypto.randomUUID(), Date.now() * 1_000, stamp(turnId, step), ...message] as const;
      write(history.push(message), row);
    };
    store(0, 'user', QUESTION, null, null);
    newest(history);
    store(1, 'assistant', null, CALL, null);
    log({ turnId, size: RESULT.length });
    store(1, 'tool', redacted(RESULT), null, 'call_1042');
    newest(history);
    store(2, 'assistant', ANSWER, null, null);
  };
}
