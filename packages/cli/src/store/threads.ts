import type { Store, ThreadRecord } from '@spec/runtime';
import { pc } from '../colours.ts';
import { exitCodes } from '../exit-codes.ts';
import { printable } from '../printable.ts';
import { type Column, formatCount, renderTable } from '../table.ts';
import { type StoreFlags, withStore } from './open-store.ts';

/** The options of `spec-hooks threads`, as they were typed. */
export interface ThreadsFlags extends StoreFlags {
  readonly parent?: string;
  readonly interrupted?: boolean;
}

/** A thread as it is listed: without what is in it. */
interface ListedThread
  extends Pick<ThreadRecord, 'id' | 'agentId' | 'userId' | 'parentId' | 'depth' | 'terminated'> {
  /** ISO 8601. */
  readonly createdAt: string;
  readonly messages: number;
  readonly isInterrupted: boolean;
}

/** Lists threads. Gives the exit code. */
export async function showThreads({ parent, interrupted, ...flags }: ThreadsFlags): Promise<number> {
  const threads = await withStore(flags, async ({ store }) => {
    const records = await store.listThreads({
      ...(parent === undefined ? {} : { parentId: parent }),
      ...(interrupted === undefined ? {} : { interrupted }),
    });
    return listAll(store, records);
  });
  const text = threads.length === 0 ? 'No thread is like that.' : renderTable(columns, threads.map(makeRow));
  process.stdout.write(`${flags.json ? JSON.stringify({ threads }, undefined, 2) : text}\n`);
  return exitCodes.fine;
}

/** How many threads are counted at once: a store may have a hundred thousand. */
const countedAtOnce = 50;

async function listAll(store: Store, records: readonly ThreadRecord[]): Promise<ListedThread[]> {
  const all: ListedThread[] = [];
  for (let at = 0; at < records.length; at += countedAtOnce) {
    const some = records.slice(at, at + countedAtOnce);
    all.push(...(await Promise.all(some.map((record) => listed(store, record)))));
  }
  return all;
}

async function listed(store: Store, record: ThreadRecord): Promise<ListedThread> {
  const { id, agentId, userId, parentId, depth, createdAt, terminated, turn } = record;
  return {
    id,
    agentId,
    userId,
    parentId,
    depth,
    createdAt: new Date(createdAt / 1_000).toISOString(),
    messages: await store.countMessages(id),
    isInterrupted: turn !== null,
    terminated,
  };
}

const columns: readonly Column[] = [
  { title: 'id' },
  { title: 'agent' },
  { title: 'user' },
  { title: 'parent' },
  { title: 'created' },
  { title: 'messages', align: 'right' },
  { title: 'state' },
];

function makeRow({
  id,
  agentId,
  userId,
  parentId,
  createdAt,
  messages,
  isInterrupted,
  terminated,
}: ListedThread): string[] {
  const time = createdAt.replace('T', ' ').replace(/\.\d+Z$/, 'Z');
  const state =
    terminated === null ? (isInterrupted ? pc.yellow('in a turn') : 'at rest') : pc.red('terminated');
  const [name = '', ...others] = [id, agentId, userId ?? '-', parentId ?? '-'].map(printable);
  return [pc.bold(name), ...others, pc.dim(time), formatCount(messages), state];
}
