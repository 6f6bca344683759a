import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pickShare } from '@spec/test-helpers';
import { expect, test } from 'vitest';
import type { Store } from '../src/index.ts';
import { bundleProgram } from './bundle-program.ts';
import { gate, newFile, thrownBy } from './kit.ts';
import { openLasting } from './lasting-store.ts';
import { POINTS, pausingTurn } from './pausing-turn.ts';
import { startRuntime } from './start-runtime.ts';

const program = await bundleProgram('pausing-process');

function start(...args: string[]) {
  return spawn(process.execPath, [program, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
}

/** A runtime of its own over a file, which tells when the thread's lease is refused to it. */
function another(path: string, lease: number) {
  const file = openLasting(path);
  const refused = gate();
  const acquireLease: Store['acquireLease'] = (request) => {
    const taking = file.acquireLease(request);
    taking.catch(() => refused.open());
    return taking;
  };
  const { runtime, model } = startRuntime({ ...file, acquireLease }, { ...pausingTurn(), lease });
  return { runtime, model, refused: refused.opened };
}

test('the same turn sent in another process, at any point of it: it waits, and has the same result', async () => {
  const path = newFile();
  const child = start(path, '2000', 'all');
  const points: string[] = [];
  const others: { result: Promise<unknown>; close(): Promise<void>; calls: readonly unknown[] }[] = [];
  let result: unknown;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('result ')) result = JSON.parse(line.slice(7));
    if (!line.startsWith('point ')) continue;
    points.push(line.slice(6));
    const { runtime, refused, model } = another(path, 2_000);
    const sent = runtime.openThread('t').then((thread) => thread.send('Pay.', { id: 'one' }));
    sent.catch(() => {});
    others.push({ result: sent, close: () => runtime.close(), calls: model.calls });
    await Promise.race([refused, sent.catch(() => {})]);
    child.stdin.write('\n');
  }
  expect(result).toMatchObject({ status: 'completed', text: 'Paid.' });
  expect(points.filter((point) => POINTS.includes(point))).toEqual(POINTS);
  expect(points.length).toBeGreaterThan(POINTS.length + 10);
  for (const [at, { result: same, calls }] of others.entries()) {
    expect(await same.catch(readCode), points[at]).toEqual(result);
    expect(calls, points[at]).toEqual([]);
  }
  const store = openLasting(path, 'FULL');
  expect((await store.listMessages('t')).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
  await store.close();
  await Promise.all(others.map(({ close }) => close()));
}, 120_000);

test('the process that waits for a turn finishes it where the other one dies, at any point of it', async () => {
  const dieAndFinish = async (point: string): Promise<void> => {
    const path = newFile();
    const child = start(path, '400', point);
    const died = once(child, 'exit');
    const store = openLasting(path, 'FULL');
    await expect.poll(() => store.getLease('t'), { timeout: 60_000 }).not.toBeNull();
    const { runtime } = another(path, 400);
    const thread = await runtime.openThread('t');
    expect(await thread.send('Pay.', { id: 'one' }), point).toMatchObject({ text: 'Paid.' });
    expect((await thread.messages()).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect((await died)[1], point).toBe('SIGKILL');
    await runtime.close();
    await store.close();
  };
  const rest = [...pickShare(POINTS, 8)];
  const lane = async (): Promise<void> => {
    for (let point = rest.shift(); point !== undefined; point = rest.shift()) await dieAndFinish(point);
  };
  await Promise.all([lane(), lane()]);
}, 240_000);

test('a thread that another process runs another turn in is busy, named or not', async () => {
  const path = newFile();
  const child = start(path, '2000', 'all');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line !== 'point before_user_message' && line !== 'point tool') {
      child.stdin.write('\n');
      continue;
    }
    const { runtime } = another(path, 2_000);
    const thread = await runtime.openThread('t');
    expect(await thrownBy(thread.send('Pay.', { id: 'two' }))).toMatchObject({ code: 'thread_busy' });
    expect(await thrownBy(thread.send('Pay.'))).toMatchObject({ code: 'thread_busy' });
    await runtime.close();
    child.stdin.write('\n');
  }
}, 60_000);

test('a process that was asleep before its turn began has the result of the one that ran the turn meanwhile', async () => {
  const asleepAt = ['after write 1', 'before_user_message', 'before_create_message user', 'before write 2'];
  for (const asleep of asleepAt) {
    const path = newFile();
    const child = start(path, '400', 'all');
    const after: string[] = [];
    let finished: unknown;
    let result: unknown;
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('result ')) result = JSON.parse(line.slice(7));
      if (!line.startsWith('point ')) continue;
      if (finished !== undefined) after.push(line.slice(6));
      if (line === `point ${asleep}` && finished === undefined) {
        child.kill('SIGSTOP');
        finished = await sendOnceFree(path);
        child.kill('SIGCONT');
      }
      child.stdin.write('\n');
    }
    expect(result, asleep).toEqual(finished);
    expect(after, asleep).not.toContain('model');
    const store = openLasting(path, 'FULL');
    expect((await store.listMessages('t')).length, asleep).toBe(4);
    await store.close();
  }
}, 120_000);

/** Runs the turn in this process as soon as nobody has the thread. */
async function sendOnceFree(path: string): Promise<unknown> {
  const store = openLasting(path, 'FULL');
  await expect.poll(() => store.getLease('t'), { timeout: 60_000 }).toBeNull();
  await store.close();
  const { runtime } = another(path, 400);
  const result = await (await runtime.openThread('t')).send('Pay.', { id: 'one' });
  await runtime.close();
  return result;
}

function readCode(error: unknown): unknown {
  return (error as { code?: unknown }).code ?? error;
}
