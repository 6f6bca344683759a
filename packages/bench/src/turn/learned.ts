import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { connect, FILE } from './ours.ts';

export type Row = Record<string, unknown>;

/** The rows that belong to one message of a turn. */
export interface Written {
  readonly message: Row;
  /** The runs of hooks that were noted with it. */
  readonly hookRuns: readonly Row[];
}

/** What a turn of ours leaves in the file, by message. */
export async function learnTurn(folder: string): Promise<Written[]> {
  mkdirSync(folder);
  const connection = await connect({ folder, synchronous: 'NORMAL' });
  const turn = await connection.thread(0);
  await turn();
  await connection.close();
  const path = join(folder, FILE);
  const [messages, runs] = ['messages', 'hook_runs'].map((table) => readRows(path, table));
  return (messages ?? []).map((message, at, { length }) => ({
    message,
    hookRuns: (runs ?? []).filter((_run, position) => Math.min(position, length - 1) === at),
  }));
}

/** The rows of one of our tables, in their order. */
export function readRows(path: string, table: string): Row[] {
  const client = new Database(path, { readonly: true });
  const rows = client.prepare<[], Row>(`select * from ${table} order by key`).all();
  client.close();
  return rows;
}
