import { join } from 'node:path';
import type { HookMessage } from '@spec/hooks';
import type Database from 'better-sqlite3';
import { conversation } from '../conversation.ts';
import { rawClient } from '../raw-client.ts';
import type { Connection, ConnectOptions, Synchronous } from './contender.ts';
import { learnTurn, type Row, type Written } from './learned.ts';
import * as ours from './ours.ts';
import { log, newest, RESULT, redacted, stamp } from './workload.ts';

/**
 * Our rows by hand: what our runtime inserts in a turn, inserted without it. The rows are learned from a turn of ours, so that they are
 * the same in number and size whatever the runtime stores. They go through better-sqlite3 alone into the same tables with the same
 * settings, a transaction for each message, between four bare function calls. There is no loop, no model, and nothing is read.
 */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const rows = await openRows(options);
  return {
    async thread(length) {
      const transactionsOfTurn = rows.thread(length);
      return () => {
        for (const _ of transactionsOfTurn());
      };
    },
    close: rows.close,
  };
}

/** The same, for who does something between the transactions. */
export interface Rows {
  /** A thread of so many stored messages; what it gives begins the next turn on it, and each step of that is one transaction. */
  thread(length: number): () => Generator<void>;
  close(): void;
}

export async function openRows({ folder, synchronous }: ConnectOptions): Promise<Rows> {
  const turn = await learnTurn(join(folder, 'learned'));
  const client = await openTables(folder, synchronous);
  const write = prepareWrite(client, turn);
  return {
    thread: (length) => openThread(client, { turn, write }, length),
    close: () => client.close(),
  };
}

async function openTables(folder: string, synchronous: Synchronous): Promise<Database.Database> {
  await (await ours.connect({ folder, synchronous: 'NORMAL' })).close();
  return rawClient(join(folder, ours.FILE), synchronous);
}

type Insert = (row: Row) => number | bigint;

function inserter(client: Database.Database, table: string, sample: Row | undefined): Insert {
  if (sample === undefined) return () => 0;
  const columns = Object.keys(sample).filter((column) => column !== 'key');
  const places = columns.map(() => '?').join(', ');
  const statement = client.prepare(`insert into ${table} (${columns.join(', ')}) values (${places})`);
  return (row) => statement.run(columns.map((column) => row[column])).lastInsertRowid;
}

type Write = (at: { thread: number; turnId: string }, written: Written) => void;

/** One transaction: a message with its calls, and the runs that were noted. */
function prepareWrite(client: Database.Database, turn: readonly Written[]): Write {
  const insertMessage = inserter(client, 'messages', turn[0]?.message);
  const [run] = turn.flatMap(({ hookRuns }) => hookRuns);
  const insertRun = inserter(client, 'hook_runs', run);
  const write = client.transaction<Write>(({ thread, turnId }, { message, hookRuns }) => {
    const id = idLike(message.id as string, turnId);
    insertMessage({ ...message, thread, id, created_at: Date.now() * 1_000 });
    for (const one of hookRuns) insertRun({ ...one, thread, turn_id: turnId });
  });
  return write.immediate;
}

/** An id as long as ours: the turn's with a place in it, or one of its own. */
function idLike(id: string, turnId: string): string {
  return id.length > turnId.length ? turnId + id.slice(turnId.length) : crypto.randomUUID();
}

interface Turn {
  readonly turn: readonly Written[];
  readonly write: Write;
}

function openThread(client: Database.Database, { turn, write }: Turn, length: number): () => Generator<void> {
  const thread = createThread(client);
  const history: Row[] = [];
  fillThread(client, { thread, sample: turn[0]?.message ?? {}, history }, conversation(length));
  return function* () {
    const turnId = crypto.randomUUID();
    for (const [position, written] of turn.entries()) {
      const message: Row = { ...written.message, metadata: stamp(turnId, position >> 1) };
      if (message.role === 'assistant') newest(history);
      if (message.role === 'tool') {
        message.content = redacted(RESULT);
        log({ turnId, size: RESULT.length });
      }
      history.push(message);
      write({ thread, turnId }, { ...written, message });
      yield;
    }
  };
}

function createThread(client: Database.Database): number {
  const statement = client.prepare(
    "insert into threads (id, agent_id, depth, created_at, current_side, metadata) values (?, 'agent', 0, 0, 'a', '{}')",
  );
  return Number(statement.run(crypto.randomUUID()).lastInsertRowid);
}

interface Filling {
  readonly thread: number;
  /** A row of the table, for its columns. */
  readonly sample: Row;
  readonly history: Row[];
}

function fillThread(
  client: Database.Database,
  { thread, sample, history }: Filling,
  messages: readonly HookMessage[],
): void {
  const insert = inserter(client, 'messages', sample);
  const empty = Object.fromEntries(Object.keys(sample).map((column) => [column, null]));
  const store = client.transaction(() => {
    for (const { id, role, content, name, tool_calls, tool_call_id, created_at } of messages) {
      history.push({ role, content });
      const optional = {
        name: name ?? null,
        tool_calls: tool_calls ?? null,
        tool_call_id: tool_call_id ?? null,
      };
      insert({ ...empty, flags: 0, thread, id, role, content, created_at, ...optional });
    }
  });
  store();
}
