import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { isSample, pickShare } from '@spec/test-helpers';
import { expect, test } from 'vitest';
import { readToolCalls } from '../src/history/exchanges.ts';
import { bundleProgram } from './bundle-program.ts';
import { eventfulTurn } from './eventful-turn.ts';
import { newFile } from './kit.ts';
import { openLasting } from './lasting-store.ts';
import { Mortality } from './mortal-store.ts';
import { startRuntime } from './start-runtime.ts';
import { type StoredThread, storedThread } from './stored-thread.ts';

/** So many processes are killed at random moments; `RANDOM_KILLS` asks for more. */
const KILLS = Number(process.env.RANDOM_KILLS ?? (isSample ? 12 : 200));
const FILES = isSample ? 1 : 4;
const program = await bundleProgram('turn-process');

function start(args: readonly unknown[]): ChildProcess {
  return spawn(process.execPath, [program, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Finishes in this process what is in a file, up to and with a turn. */
async function finish(
  path: string,
  last: number,
  mortality: Mortality = new Mortality(),
): Promise<StoredThread> {
  const store = mortality.storeOf(openLasting(path));
  const { runtime } = startRuntime(store, { ...eventfulTurn(), lease: 20 });
  const isThere = (await store.getThread('t')) !== null;
  const thread = isThere
    ? await runtime.openThread('t')
    : await runtime.createThread({ agent: 'agent', id: 't' });
  if (isThere) await expect.poll(() => thread.resume().then(() => 'resumed', readCode)).toBe('resumed');
  for (let number = 1; number <= last; number++) await thread.send(`Go ${number}`, { id: `turn-${number}` });
  await thread.idle();
  const stored = await storedThread(store, 't');
  await runtime.close();
  return stored;
}

function readCode(error: unknown): unknown {
  return (error as { code?: unknown }).code ?? error;
}

/** How a process ended: by the signal, or by its code. */
async function waitForEnd(child: ChildProcess): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? `code ${child.exitCode}`;
}

test('killed at any write of a turn, before or after it: the same thread comes out', async () => {
  const mortality = new Mortality();
  const whole = await finish(newFile(), 1, mortality);
  expect(mortality.writes).toBeGreaterThan(20);
  const writes = Array.from({ length: mortality.writes }, (_, at) => at + 1);
  const points = pickShare(
    writes.flatMap((write) => [[write, 'before'] as const, [write, 'after'] as const]),
    8,
  );
  const ends: string[] = [];
  await inParallel(points, async ([write, when]) => {
    const path = newFile();
    ends.push(await waitForEnd(start(['die', path, write, when])));
    expect(await finish(path, 1), `${when} write ${write}`).toEqual(whole);
  });
  expect(ends.filter((end) => end === 'SIGKILL').length).toBeGreaterThan(isSample ? 3 : 40);
  expect(ends.filter((end) => end !== 'SIGKILL' && end !== 'code 0')).toEqual([]);
}, 240_000);

test('killed while hooks wrote that are gone afterwards: nothing else is there twice, lost or another’s', async () => {
  const whole = withoutMore(await finish(newFile(), 1));
  const points = pickShare(
    Array.from({ length: 20 }, (_, at) => 4 + 3 * at),
    10,
  );
  let more = 0;
  await inParallel(points, async (write) => {
    const path = newFile();
    expect(await waitForEnd(start(['die', path, write, 'after', 'more']))).toBe('SIGKILL');
    const stored = await finish(path, 1);
    more += stored.messages.filter(isMore).length;
    expect(withoutMore(stored), `after write ${write}`).toEqual(whole);
  });
  expect(more).toBeGreaterThan(isSample ? 0 : 20);
}, 240_000);

const isMore = ({ content }: StoredThread['messages'][number]): boolean => content === 'one more';

function withoutMore(thread: StoredThread): StoredThread {
  const messages = thread.messages.filter((message) => !isMore(message));
  return { ...thread, messages, children: (thread.children as StoredThread[]).map(withoutMore) };
}

test('killed at random, again and again: every turn is whole and there once', async () => {
  await inParallel(Array.from({ length: FILES }, newFile), async (path) => {
    let last = 0;
    for (let kill = 0; kill < KILLS / FILES; kill++) last = await runAndKill(path, last);
    expect(last).toBeGreaterThan(0);
    checkThread(await finish(path, last + 1), last + 1);
  });
}, 240_000);

/** Kills a process at a random moment of its first turns. Gives the number of the last turn that it said was over. */
async function runAndKill(path: string, last: number): Promise<number> {
  const child = start(['live', path, last + 1, last + 1_000]);
  // Counted in turns, so that a busy machine gets as far.
  const lastTurn = last + Math.floor(Math.random() * 4);
  let said = last;
  await new Promise<void>((resolve) => {
    createInterface({ input: child.stdout as Readable }).on('line', (line) => {
      if (line !== 'ready') said = Number(line);
      if (said >= lastTurn) resolve();
    });
    child.once('exit', () => resolve());
  });
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 40));
  child.kill('SIGKILL');
  expect(await waitForEnd(child)).toBe('SIGKILL');
  return said;
}

/** Every message is there once, every call is answered once, in every turn. */
function checkThread({ messages, queue }: StoredThread, turnCount: number): void {
  expect(queue).toEqual([]);
  const ids = messages.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const turns = new Set(ids.map((id) => String(id).replace(/\..*/, '')));
  const perTurn = [...turns].map((turn) => listContents(messages, turn));
  expect(perTurn.length).toBe(turnCount);
  for (const contents of perTurn) expect(contents).toEqual(perTurn[0]);
  const calls = messages.flatMap((message) => readToolCalls(message as never));
  const results = messages.filter(({ role }) => role === 'tool');
  expect(results.length).toBe(calls.length);
}

function listContents(messages: StoredThread['messages'], turn: string): unknown[] {
  const own = messages.filter(({ id }) => String(id).startsWith(`${turn}.`));
  return own.map(({ id, role, content }) => [
    String(id).slice(turn.length),
    role,
    role === 'user' && String(content).startsWith('Go') ? 'Go' : content,
  ]);
}

/** Two at a time. */
async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const rest = [...items];
  const lane = async (): Promise<void> => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await run(item);
  };
  await Promise.all([lane(), lane()]);
}
