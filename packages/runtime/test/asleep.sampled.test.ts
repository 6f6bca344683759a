import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pickShare } from '@spec/test-helpers';
import { describe, expect, test } from 'vitest';
import type { Thread } from '../src/index.ts';
import { sqliteStore } from '../src/stores/sqlite/index.ts';
import { bundleProgram } from './bundle-program.ts';
import { newFile, runWhatIsReady } from './kit.ts';
import { CALLED_POINTS, callingTurn, POINTS } from './pausing-turn.ts';
import { startRuntime } from './start-runtime.ts';

/** In these, code of a hook, the model or a tool begins. */
const CODE: ReadonlySet<string> = new Set([...POINTS, ...CALLED_POINTS]);

const program = await bundleProgram('pausing-process');

interface Run {
  /** Where it came to, in their order. */
  readonly points: string[];
  /** The points after it was asleep. */
  readonly after: string[];
  /** What `send` gave: a result, or the code of an error. */
  readonly result: unknown;
  /** The starts and ends of turns, as listeners heard of them. */
  readonly events: readonly { type: string; turnId: string; status?: string }[];
  /** What the other process made of the turn. */
  readonly finished: unknown;
  /** Whether it came to the point at which it was to fall asleep: how many writes there are depends on how often the lease is prolonged. */
  readonly wasAsleep: boolean;
}

interface Sleep {
  /** The id of its turn; `-` for none. */
  readonly turn: string;
  /** Where it falls asleep; nowhere by default. */
  readonly at?: string;
  /** What another process does meanwhile. */
  readonly meanwhile?: (thread: Thread) => Promise<unknown>;
  /** Whether that one has let go of the thread when the process wakes up. */
  readonly isFree?: boolean;
}

/** Runs a turn in a process of its own. */
async function run(path: string, { turn, at, meanwhile, isFree = false }: Sleep): Promise<Run> {
  const child = spawn(process.execPath, [program, path, '400', 'all', turn], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const seen = { points: [] as string[], after: [] as string[], events: [] as Run['events'][number][] };
  let other: Awaited<ReturnType<typeof takeOver>> | undefined;
  let result: unknown;
  for await (const line of createInterface({ input: child.stdout })) {
    const [kind, ...rest] = line.split(' ');
    const said = rest.join(' ');
    if (kind === 'result') result = JSON.parse(said);
    if (kind === 'event') seen.events.push(JSON.parse(said));
    if (kind !== 'point') continue;
    seen.points.push(said);
    if (other !== undefined) seen.after.push(said);
    else if (said === at && meanwhile !== undefined) {
      other = await whileAsleep(child, () => takeOver(path, meanwhile));
      if (isFree) await other.close();
      child.kill('SIGCONT');
    }
    child.stdin.write('\n');
  }
  await other?.close();
  return { ...seen, result, finished: other?.finished, wasAsleep: other !== undefined };
}

/** Does something while a process is asleep; one that has just the file's lock is let go on until it has not. */
async function whileAsleep<T>(child: ChildProcess, act: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left--) {
    child.kill('SIGSTOP');
    try {
      return await act();
    } catch (error) {
      child.kill('SIGCONT');
      if (left === 0 || (error as { code?: string }).code !== 'store_failed') throw error;
      await runWhatIsReady(50);
    }
  }
}

/** Has another process do something with the thread as soon as nobody has it. */
async function takeOver(path: string, meanwhile: NonNullable<Sleep['meanwhile']>) {
  const store = sqliteStore({ path, synchronous: 'NORMAL' });
  await expect.poll(() => store.getLease('t'), { timeout: 60_000 }).toBeNull();
  const { runtime } = startRuntime(store, { ...callingTurn(), lease: '1m' });
  const thread = await runtime.openThread('t');
  const finished = await meanwhile(thread);
  return { finished, close: () => runtime.close() };
}

/** A file with a thread whose process died in the tool of its turn `one`. */
async function leftBehind(): Promise<string> {
  const path = newFile();
  const child = spawn(process.execPath, [program, path, '20', 'tool', 'one'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  expect((await once(child, 'exit'))[1]).toBe('SIGKILL');
  await sqliteStore({ path }).close(); // All of it is in the one file that is copied.
  return path;
}

function codeIn(points: readonly string[]): string[] {
  return points.filter((point) => CODE.has(point));
}

/** What listeners heard, as one text for each start and end. */
function heardIn(events: Run['events']): string[] {
  return events.map(
    ({ type, turnId, status }) => `${type} ${turnId}${status === undefined ? '' : ` ${status}`}`,
  );
}

const send = (id: string) => (thread: Thread) => thread.send('Pay.', { id });

/** A third of the points, every day another one; `EVERY_POINT=1` takes all. */
const SHARES = process.env.EVERY_POINT === '1' ? 1 : 3;
const ofToday = Math.floor(Date.now() / 86_400_000) % SHARES;

/** Falls asleep at each of these points, in two lanes. */
async function atEach(points: readonly string[], sleep: (at: string) => Promise<unknown>): Promise<void> {
  const today = points.filter((_, number) => number % SHARES === ofToday);
  const rest = [...pickShare(today, 12)];
  const lane = async (): Promise<void> => {
    for (let at = rest.shift(); at !== undefined; at = rest.shift()) await sleep(at);
  };
  await Promise.all([lane(), lane()]);
}

/** Each point is tried in one of the two ways to wake up. */
function pointsFor(isFree: boolean, points: readonly string[]): string[] {
  return points.filter((_, number) => number % 2 === Number(isFree));
}

/** Every point of a run, each once and in its order. */
async function listPoints(path: string, turn: string): Promise<string[]> {
  const { points } = await run(path, { turn });
  return [...new Set(points)].filter((point) => point !== 'over');
}

const NUMBERED = / write \d+$/;

describe.each([false, true])(
  'a process that was asleep in a turn, at any point of it (free again: %s)',
  (isFree) => {
    test('runs no code of a turn that another process finished meanwhile, has its result, and tells one turn', async () => {
      const points = await listPoints(newFile(), 'one');
      expect(new Set(codeIn(points))).toEqual(CODE);
      await atEach(pointsFor(isFree, points), async (at) => {
        const { after, result, events, finished, wasAsleep } = await run(newFile(), {
          turn: 'one',
          at,
          meanwhile: send('one'),
          isFree,
        });
        if (!wasAsleep) return expect(at).toMatch(NUMBERED);
        expect(finished, at).toMatchObject({ status: 'completed', text: 'Paid.' });
        expect(result, at).toEqual(finished);
        expect(codeIn(after), at).toEqual([]);
        const heard = heardIn(events);
        expect([[], ['turn_started one', 'turn_ended one completed']], at).toContainEqual(heard);
      });
    }, 300_000);

    test('that goes on with a turn left behind', async () => {
      const left = await leftBehind();
      const points = await listPoints(copyStore(left), 'one');
      await atEach(pointsFor(isFree, points), async (at) => {
        const { after, result, events, finished, wasAsleep } = await run(copyStore(left), {
          turn: 'one',
          at,
          meanwhile: send('one'),
          isFree,
        });
        if (!wasAsleep) return expect(at).toMatch(NUMBERED);
        expect(result, at).toEqual(finished);
        expect(codeIn(after), at).toEqual([]);
        const heard = heardIn(events);
        expect([[], ['turn_started one', 'turn_ended one completed']], at).toContainEqual(heard);
      });
    }, 300_000);

    test('that finishes the turn left behind before its own', async () => {
      const left = await leftBehind();
      const points = await listPoints(copyStore(left), 'two');
      await atEach(pointsFor(isFree, points), async (at) => {
        const { after, result, events, finished, wasAsleep } = await run(copyStore(left), {
          turn: 'two',
          at,
          meanwhile: send('two'),
          isFree,
        });
        if (!wasAsleep) return expect(at).toMatch(NUMBERED);
        expect(result, at).toEqual(finished);
        expect(codeIn(after), at).toEqual([]);
        const heard = heardIn(events);
        for (const turn of ['one', 'two']) {
          const ofTurn = heard.filter((text) => text.includes(` ${turn}`));
          expect([[], [`turn_started ${turn}`, `turn_ended ${turn} completed`]], at).toContainEqual(ofTurn);
        }
      });
    }, 300_000);
  },
);

test('a process that was asleep in a turn without an id is told that the thread is busy, and runs no code of it', async () => {
  const points = await listPoints(newFile(), '-');
  await atEach(points, async (at) => {
    const meanwhile = (thread: Thread) =>
      thread.resume().then(() => thread.inject({ role: 'user', content: 'Mine.' }));
    const { after, result, events, wasAsleep } = await run(newFile(), { turn: '-', at, meanwhile });
    if (!wasAsleep) return expect(at).toMatch(NUMBERED);
    expect(codeIn(after), at).toEqual([]);
    const status = result === 'thread_busy' ? 'failed' : 'completed';
    if (status === 'completed') expect(result, at).toMatchObject({ status });
    expect(
      events.map((event) => [event.type, event.status]),
      at,
    ).toEqual([
      ['turn_started', undefined],
      ['turn_ended', status],
    ]);
  });
}, 300_000);

function copyStore(path: string): string {
  const copy = newFile();
  copyFileSync(path, copy);
  return copy;
}
