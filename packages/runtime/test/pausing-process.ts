import { createInterface } from 'node:readline';
import type { Store, Thread } from '../src/index.ts';
import { openLasting } from './lasting-store.ts';
import { callingTurn, pausingTurn } from './pausing-turn.ts';
import { startRuntime } from './start-runtime.ts';

const writing: ReadonlySet<string> = new Set(['append', 'acquireLease']);

/**
 * Runs the turn `one` in the thread `t` of a file. `FILE LEASE all` says each of its points, and those before and after its
 * writes, and goes on with the next line that it is given; `FILE LEASE POINT` kills itself with SIGKILL at that point.
 * `FILE LEASE POINT TURN` runs a turn that calls tools from hooks, too, under that id, or under none where it is `-`.
 */
async function main([path = '', lease, dieAt, turn]: readonly string[]): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  let last: Promise<unknown> = Promise.resolve();
  const atPoint = async (point: string): Promise<void> => {
    if (point === dieAt) process.kill(process.pid, 'SIGKILL');
    if (dieAt !== 'all') return;
    last = last.then(() => {
      say(`point ${point}`);
      return lines.next();
    });
    await last;
  };
  const file = openLasting(path);
  const isSending = { now: false, writes: 0 };
  const store = new Proxy(file, {
    get(target, name: keyof Store) {
      const method = Reflect.get(target, name);
      if (!writing.has(name)) return method;
      return async (...args: unknown[]) => {
        if (!isSending.now) return (method as (...all: unknown[]) => Promise<unknown>)(...args);
        const number = ++isSending.writes;
        if (number > 1) await atPoint(`before write ${number}`); // Its first instant is the first of them.
        const given = await (method as (...all: unknown[]) => Promise<unknown>)(...args);
        await atPoint(`after write ${number}`);
        return given;
      };
    },
  });
  const setup = turn === undefined ? pausingTurn(atPoint) : callingTurn(atPoint);
  const { runtime } = startRuntime(store, { ...setup, lease: Number(lease) });
  const isThere = (await file.getThread('t')) !== null;
  const thread = await (isThere
    ? runtime.openThread('t')
    : runtime.createThread({ agent: 'agent', id: 't' }));
  thread.on((event) => {
    if (event.type === 'turn_started' || event.type === 'turn_ended') say(`event ${JSON.stringify(event)}`);
  });
  isSending.now = true;
  const result = await send(thread, turn);
  await atPoint('over');
  say(`result ${JSON.stringify(result)}`);
  isSending.now = false;
  await runtime.close();
  process.exit(0);
}

/** Gives the code of the error where it is refused. */
async function send(thread: Thread, turn = 'one'): Promise<unknown> {
  try {
    return await thread.send('Pay.', turn === '-' ? {} : { id: turn });
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
}

await main(process.argv.slice(2));
