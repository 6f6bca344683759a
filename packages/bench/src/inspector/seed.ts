import { statSync } from 'node:fs';
import { sqliteStore } from '@spec/runtime/sqlite';
import Database from 'better-sqlite3';
import {
  copyMark,
  longThreadId,
  messagesInTurn,
  runsOnMessage,
  templateStart,
  turnMicros,
  turnsInTemplate,
  writeTemplate,
} from './template.ts';

// A file as a month of a busy agent leaves it. The store writes a thousand turns; their rows are copied with other ids, keys and times,
// because a million messages would take minutes through it, and it stores nothing with times of the past.

/** How much a file holds. */
export interface SeedSize {
  readonly messages: number;
  /** When the newest message was stored, in microseconds since the epoch. */
  readonly until: number;
}

/** What is in a file, to be asked for. */
export interface Seeded {
  readonly path: string;
  readonly bytes: number;
  readonly messages: number;
  readonly runs: number;
  /** The thread that has a hundredth of all messages, and one of the newest others. */
  readonly longThread: string;
  readonly newThread: string;
  /** Ids of messages of the long thread: from its begin, middle and end. */
  readonly places: readonly string[];
}

const spanMicros = 30 * 86_400_000_000;

/** Fills a file that is not there yet. The same size gives the same file, but for its times. */
export async function seedStore(path: string, { messages, until }: SeedSize): Promise<Seeded> {
  const template = await makeTemplate(path);
  const copies = Math.ceil(messages / (turnsInTemplate * messagesInTurn));
  await sqliteStore({ path, synchronous: 'NORMAL' }).close();
  const client = new Database(path);
  client.pragma('foreign_keys = off');
  client.pragma('synchronous = off');
  const insert = prepareInserts(client, template);
  client.transaction(() => {
    for (let copy = 0; copy < copies; copy++)
      insertCopy(insert, template, makeCopy(template, { copy, copies, until }));
  })();
  client.pragma('wal_checkpoint(truncate)');
  const seeded = describeFile(client);
  client.close();
  return { ...seeded, path, bytes: statSync(path).size };
}

type Cell = string | number | Buffer | null;
type Row = Record<string, Cell>;
type Template = Readonly<Record<'threads' | 'messages' | 'hook_runs', readonly Row[]>>;

async function makeTemplate(path: string): Promise<Template> {
  const file = `${path}.template`;
  const store = sqliteStore({ path: file, synchronous: 'NORMAL' });
  await writeTemplate(store);
  await store.close();
  const client = new Database(file, { readonly: true });
  const read = (table: string): Row[] => client.prepare<[], Row>(`select * from ${table} order by key`).all();
  const template = { threads: read('threads'), messages: read('messages'), hook_runs: read('hook_runs') };
  client.close();
  return template;
}

/** Tells copies of the template apart. */
interface Copy {
  moveTime(time: number): number;
  /** Ids, and times in what is packed. */
  moveText(text: string): string;
  moveThread(key: Cell | undefined): number;
  moveKey(key: Cell | undefined): number;
  /** Of all copies, one writes the row of the thread that they share. */
  readonly hasLongThread: boolean;
  /** Between a run and its commit at most, in microseconds. */
  readonly longest: number;
}

interface CopyPlace {
  readonly copy: number;
  readonly copies: number;
  readonly until: number;
}

function makeCopy({ threads, messages }: Template, { copy, copies, until }: CopyPlace): Copy {
  const micros = spanMicros / copies;
  const stretch = micros / (turnsInTemplate * turnMicros);
  const start = until - spanMicros + copy * micros;
  const moveTime = (time: number): number => Math.floor(start + (time - templateStart) * stretch);
  const mark = copy.toString(36).padStart(copyMark.length, '0');
  const long = threads.find(isLong)?.key;
  return {
    moveTime,
    moveText: (text) =>
      text.replaceAll(copyMark, mark).replace(/\b1000\d{12}\b/g, (time) => String(moveTime(Number(time)))),
    moveThread: (key) => (key === long ? Number(key) : Number(key) + copy * threads.length),
    moveKey: (key) => Number(key) + copy * messages.length,
    hasLongThread: copy === 0,
    longest: Math.ceil(5_000 * stretch),
  };
}

function isLong({ id }: Row): boolean {
  return id === longThreadId;
}

type Insert = (table: keyof Template, row: Row) => void;

function insertCopy(insert: Insert, { threads, messages, hook_runs: runs }: Template, copy: Copy): void {
  const { moveTime, moveThread, moveKey, longest } = copy;
  const move = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row).map(([name, cell]) => [
        name,
        typeof cell === 'string' ? copy.moveText(cell) : cell,
      ]),
    );
  const times = new Map(messages.map(({ key, created_at: at }) => [key, moveTime(Number(at))]));
  for (const row of threads.filter((one) => copy.hasLongThread || !isLong(one)))
    insert('threads', {
      ...move(row),
      key: moveThread(row.key),
      created_at: moveTime(Number(row.created_at)),
    });
  for (const row of messages) {
    const own = {
      key: moveKey(row.key),
      thread: moveThread(row.thread),
      created_at: times.get(row.key) ?? 0,
    };
    insert('messages', { ...move(row), ...own });
  }
  for (const row of runs) {
    const own = {
      key: moveKey(row.key),
      thread: moveThread(row.thread),
      stored_at: times.get(row.key) ?? 0,
      longest,
    };
    insert('hook_runs', { ...move(row), ...own });
  }
}

function prepareInserts(client: Database.Database, template: Template): Insert {
  const prepare = (table: keyof Template): Database.Statement => {
    const names = Object.keys(template[table][0] ?? {});
    return client.prepare(
      `insert into ${table} (${names.join()}) values (${names.map((name) => `:${name}`).join()})`,
    );
  };
  const statements = {
    threads: prepare('threads'),
    messages: prepare('messages'),
    hook_runs: prepare('hook_runs'),
  };
  return (table, row) => statements[table].run(row);
}

function describeFile(client: Database.Database): Omit<Seeded, 'path' | 'bytes'> {
  const read = (sql: string): Row[] => client.prepare<[], Row>(sql).all();
  const messages = Number(read('select count(*) as n from messages')[0]?.n);
  const long = read(
    `select m.id from messages m join threads t on t.key = m.thread where t.id = '${longThreadId}' order by m.key`,
  ).map(({ id }) => String(id));
  const newest = read(`select id from threads where id <> '${longThreadId}' order by key desc limit 1`)[0]
    ?.id;
  return {
    ...{ messages, runs: messages * runsOnMessage, longThread: longThreadId, newThread: String(newest) },
    places: [0, 0.5, 1].map((share) => long[Math.floor((long.length - 1) * share)] ?? ''),
  };
}
