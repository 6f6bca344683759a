// A process of the turn benches: `child.ts MODULE FOLDER` runs turns with a contender when it is asked to, and answers how fast they were.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Connection, Contender, Synchronous } from './contender.ts';

/** What is asked for: turns on threads of about so many messages. */
export interface Request {
  readonly synchronous: Synchronous;
  readonly length: number;
  readonly milliseconds: number;
  /** How many threads have a turn at the same time. Default 1. */
  readonly atOnce?: number;
  /** Turns that are enough, however short they are. */
  readonly enough?: number;
}

export type Answer = { readonly turnsPerSecond: number } | { readonly error: string };

interface OpenThread {
  readonly turn: () => unknown;
  left: number;
}

type Group = readonly [OpenThread, ...OpenThread[]];

const [module = '', folder = ''] = process.argv.slice(2);
const connections = new Map<Synchronous, Promise<Connection>>();
const groups = new Map<string, Group>();

/** A thread is used until it has grown by a fifth, and the shortest ones for ten turns. */
const turnsOn = (length: number): number => Math.max(10, length / 20);

async function connected(synchronous: Synchronous): Promise<Connection> {
  const own = join(folder, synchronous);
  mkdirSync(own);
  const contender = (await import(module)) as Contender;
  return contender.connect({ folder: own, synchronous });
}

async function threadsFor(request: Request, count: number): Promise<Group> {
  const name = `${request.synchronous} ${request.length} ${count}`;
  const open = groups.get(name);
  if (open !== undefined && open[0].left > 0) return open;
  const group: [OpenThread, ...OpenThread[]] = [await newThread(request)];
  while (group.length < count) group.push(await newThread(request));
  groups.set(name, group);
  return group;
}

async function newThread({ synchronous, length }: Request): Promise<OpenThread> {
  if (!connections.has(synchronous)) connections.set(synchronous, connected(synchronous));
  const turn = await ((await connections.get(synchronous)) as Connection).thread(length);
  await turn(); // The first one on a thread does what is done once.
  return { turn, left: turnsOn(length) };
}

async function measure({
  atOnce = 1,
  enough = Number.POSITIVE_INFINITY,
  ...request
}: Request): Promise<number> {
  let took = 0;
  let turns = 0;
  while (took < request.milliseconds && turns < enough) {
    const group = await threadsFor(request, atOnce);
    const startedAt = performance.now();
    const until = startedAt + request.milliseconds - took;
    do {
      await takeTurn(group);
      turns += atOnce;
    } while (group[0].left > 0 && performance.now() < until);
    took += performance.now() - startedAt;
  }
  return (turns / took) * 1_000;
}

/** One turn on each thread. */
function takeTurn(group: Group): unknown {
  for (const thread of group) thread.left--;
  return group.length === 1 ? group[0].turn() : Promise.all(group.map(({ turn }) => turn()));
}

async function close(): Promise<void> {
  for (const connection of connections.values()) await (await connection).close();
}

async function answer(request: Request): Promise<void> {
  const reply: Answer = await measure(request).then(
    (turnsPerSecond) => ({ turnsPerSecond }),
    (error: unknown) => ({ error: String(error) }),
  );
  process.send?.(reply);
}

process.on('message', (request: Request | 'close') => {
  if (request === 'close') void close().finally(() => process.disconnect());
  else void answer(request);
});
