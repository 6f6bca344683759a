import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type AnyHook, defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, type Runtime, type Store } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';
import { bundleProgram } from '@spec/test-helpers/bundle-program';
import { afterAll, describe, expect, test } from 'vitest';
import { limitCost, memoryCosts } from './index.ts';
import { sqliteCosts } from './sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'limit-cost-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => join(folder, `${files++}.db`);

const answer = { text: 'Ok.', usage: { inputTokens: 20, outputTokens: 30 } };

function start(
  policies: readonly AnyHook[],
  {
    script = Array.from({ length: 20 }, () => answer),
    store,
  }: { script?: ScriptedStep[]; store?: Store } = {},
): Runtime {
  return createRuntime({
    policies,
    models: { m: scriptedModel(script) },
    prompts: [definePrompt({ name: 'p' })],
    agents: [defineAgent({ name: 'a', prompt: 'p' })],
    retry: { attempts: 0 },
    ...(store === undefined ? {} : { store }),
  });
}

/** Sends until that is denied. @returns how often it went, and the last row */
async function sendAll(runtime: Runtime, threadId?: string): Promise<[number, string | null | undefined]> {
  const thread =
    threadId === undefined ? await runtime.createThread({ agent: 'a' }) : await runtime.openThread(threadId);
  for (let count = 0; ; count++) {
    const code = await thread.send('Hi.').then(
      () => undefined,
      (error) => error.code,
    );
    if (code === undefined) continue;
    expect(code).toBe('model_denied');
    return [count, (await thread.messages()).at(-1)?.content];
  }
}

test('a thread uses no more tokens than it may, after a restart too', async () => {
  const path = newFile();
  const limit = (): readonly AnyHook[] => limitCost({ tokens: 220, maxOutputTokens: 60 });
  const first = start(limit(), { store: sqliteStore({ path }) });
  const thread = await first.createThread({ agent: 'a', id: 't' });
  await thread.send('Hi.');
  await first.close();
  const second = start(limit(), { store: sqliteStore({ path }) });
  const [count, row] = await sendAll(second, 't');
  expect(count).toBe(2);
  expect(row).toMatch(
    /^The turn ended with an error: model_denied\. The limit is 220 tokens: 150 are used or reserved, and this call may use \d+\.$/,
  );
  expect((await sendAll(second))[0]).toBe(3); // Another thread has a limit of its own.
  await second.close();
});

test('4,096 tokens of output are reserved where nobody says how many there may be', async () => {
  const findReserved = async (options: { readonly maxOutputTokens?: number }): Promise<number> => {
    const runtime = start(limitCost({ tokens: 10, ...options }));
    const [, row] = await sendAll(runtime);
    await runtime.close();
    return Number(/this call may use (\d+)\./.exec(row ?? '')?.[1]);
  };
  expect((await findReserved({})) - (await findReserved({ maxOutputTokens: 60 }))).toBe(4_036);
});

test('dollars are counted by the prices, for cached input too; a model without a price is denied', async () => {
  const store = memoryCosts();
  const usage = { inputTokens: 1_000, cachedTokens: 800, outputTokens: 100 };
  const prices = { m: { input: 10, output: 50, cached: 1 } };
  const policies = limitCost({ usd: 1, prices, store, by: () => 'all', maxOutputTokens: 100 });
  const runtime = start(policies, { script: [{ text: 'Ok.', usage }] });
  await (await runtime.createThread({ agent: 'a' })).send('Hi.');
  const { spent } = await store.reserve({ key: 'all', callId: 'x', amount: 0, limit: 0 });
  expect(spent).toBe(200 * 10 + 800 * 1 + 100 * 50);
  const other = start(limitCost({ usd: 1, prices: { other: prices.m } }));
  expect((await sendAll(other))[1]).toContain('limitCost has no price for the model "m".');
  await Promise.all([runtime.close(), other.close()]);
});

test('a call that is denied or fails costs nothing; one that is stopped costs what was reserved', async () => {
  const store = memoryCosts();
  const spent = async (): Promise<number> =>
    (await store.reserve({ key: 'k', callId: 'x', amount: 0, limit: 0 })).spent;
  const limit = limitCost({ tokens: 10_000, by: () => 'k', store, maxOutputTokens: 100 });
  let denies = true;
  const guard = defineHook({
    hook: 'before_model_call',
    id: 'guard',
    execute: async (_state) => (denies ? { decision: 'deny' } : null),
  });
  const hang = (): Promise<never> => new Promise(() => {});
  const runtime = start([...limit, guard], { script: [new Error('no'), hang] });
  const thread = await runtime.createThread({ agent: 'a' });
  await expect(thread.send('Hi.')).rejects.toMatchObject({ code: 'model_denied' });
  expect(await spent()).toBe(0);
  denies = false;
  await expect(thread.send('Hi.')).rejects.toMatchObject({ code: 'model_failed' });
  expect(await spent()).toBe(0);
  const sent = thread.send('Hi.');
  await expect.poll(spent).toBeGreaterThan(100);
  await thread.stop();
  expect(await sent).toMatchObject({ status: 'aborted' });
  expect(await spent()).toBeGreaterThan(100);
  await runtime.close();
});

describe('a limit of one user in a file', { timeout: 60_000 }, () => {
  const program = new URL('../test/costing-process.ts', import.meta.url);
  const run = async (path: string, how: string) => {
    const script = await bundleProgram(program, { external: ['better-sqlite3'] });
    return spawn(process.execPath, [script, path, how], { stdio: ['ignore', 'pipe', 'inherit'] });
  };

  test('holds for two processes at once', async () => {
    const path = newFile();
    const running = await Promise.all([run(path, 'all'), run(path, 'all')]);
    const told = await Promise.all(running.map(({ stdout }) => text(stdout)));
    const ends = told.map((line) => JSON.parse(line) as { count: number; code: string });
    expect(ends.map(({ code }) => code)).toEqual(['model_denied', 'model_denied']);
    const costs = sqliteCosts({ path });
    const { spent, reserved } = await costs.account('ada');
    costs.close();
    expect(reserved).toEqual({});
    expect(spent).toBe(50 * ends.reduce((sum, { count }) => sum + count, 0));
    expect(spent).toBeGreaterThan(850);
    expect(spent).toBeLessThanOrEqual(1_000);
  });

  test('counts what was reserved for a call whose process was killed', async () => {
    const path = newFile();
    const child = await run(path, 'hang');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const costs = sqliteCosts({ path });
    const { spent, reserved } = await costs.account('ada');
    expect(spent).toBe(0);
    expect(Object.values(reserved)).toEqual([expect.any(Number)]);
    const [amount = 0] = Object.values(reserved);
    expect(await costs.reserve({ key: 'ada', callId: 'x', amount: 1_001 - amount, limit: 1_000 })).toEqual({
      fits: false,
      spent: amount,
    });
    costs.close();
  });
});

test.each([
  [{}, 'give tokens, such as { tokens: 100_000 }, or usd with prices'],
  [{ tokens: 1, usd: 1, prices: {} }, 'give tokens'],
  [{ tokens: Number.NaN }, 'tokens must be a number of at least 0'],
  [{ usd: 1 }, 'usd needs prices'],
  [{ usd: 1, prices: { m: { input: 1 } } }, 'usd needs prices'],
  [{ tokens: 1, by: () => 'a' }, 'a limit for several threads (by) needs a store'],
  [{ tokens: 1, by: 'user', store: memoryCosts() }, 'by must be a function of the state'],
])('limitCost(%o) is refused', (options, problem) => {
  expect(() => limitCost(options as never)).toThrow(`limitCost: ${problem}`);
});

describe('what providers say of tokens', () => {
  const prices = { m: { input: 3, output: 15, cached: 0.3 } };

  test.each([
    ['no number', { inputTokens: Number.NaN, outputTokens: 30 }],
    ['without an end', { inputTokens: Number.POSITIVE_INFINITY, outputTokens: 30 }],
    ['below zero', { inputTokens: -1_000_000, outputTokens: 30 }],
    ['beyond every sum', { inputTokens: Number.MAX_VALUE, outputTokens: 30 }],
    ['left out', { outputTokens: 30 }],
  ])('%s: the call costs what was reserved for it, and gives nothing back', async (_, usage) => {
    const costs = memoryCosts();
    const script = [{ text: 'Ok.', usage }, answer];
    const limit = limitCost({ tokens: 10_000, by: () => 'all', store: costs, maxOutputTokens: 60 });
    const runtime = start(limit, { script });
    const thread = await runtime.createThread({ agent: 'a' });
    expect((await thread.send('Hi.')).usage).toMatchObject({ inputTokens: 0, outputTokens: 30 });
    expect((await thread.send('Hi.')).usage).toMatchObject({ inputTokens: 20, outputTokens: 30 });
    const { spent } = await costs.reserve({ key: 'all', callId: 'look', amount: 0, limit: 10_000 });
    expect(spent).toBeGreaterThan(60 + 50);
    await runtime.close();
  });

  const odd: unknown[] = [undefined, null, 5, Promise.resolve('all')];
  test.each(odd)('a by that gives %s denies the call', async (key) => {
    const runtime = start(limitCost({ tokens: 10_000, by: () => key as string, store: memoryCosts() }));
    const [count, row] = await sendAll(runtime);
    expect(count).toBe(0);
    expect(row).toContain('limitCost: by must return a text');
    await runtime.close();
  });

  test('tokens from a cache that are counted beside the input cost no less than nothing', async () => {
    const costs = memoryCosts();
    const script = [{ text: 'Ok.', usage: { inputTokens: 10, cachedTokens: 5_000, outputTokens: 5 } }];
    const runtime = start(limitCost({ usd: 1, prices, by: () => 'all', store: costs }), { script });
    await (await runtime.createThread({ agent: 'a' })).send('Hi.');
    const { spent } = await costs.reserve({ key: 'all', callId: 'look', amount: 0, limit: 1_000_000 });
    expect(spent).toBe(5_000 * 0.3 + 5 * 15);
    await runtime.close();
  });

  test('a call that breaks off in its answer costs what was reserved, one that is refused costs nothing', async () => {
    const costs = memoryCosts();
    const models = [new Error('refused'), brokenStream()];
    for (const [n, expected] of [0, 60].entries()) {
      const broken = models[n];
      const model = broken instanceof Error ? scriptedModel([broken]) : (broken as never);
      const runtime = createRuntime({
        policies: limitCost({ tokens: 1_000_000, maxOutputTokens: 60, by: () => `of ${n}`, store: costs }),
        models: { m: model },
        prompts: [definePrompt({ name: 'p' })],
        agents: [defineAgent({ name: 'a', prompt: 'p' })],
        retry: { attempts: 0 },
      });
      const thread = await runtime.createThread({ agent: 'a' });
      await expect(thread.send('Hi.')).rejects.toMatchObject({ code: 'model_failed' });
      const { spent } = await costs.reserve({ key: `of ${n}`, callId: 'look', amount: 0, limit: 1_000_000 });
      expect(Math.min(spent, 60)).toBe(expected);
      await runtime.close();
    }
  });
});

/** A model whose answer breaks off behind its first words. */
function brokenStream(): object {
  const parts = [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Once upon' },
    { type: 'error', error: new Error('503') },
  ];
  return { ...scriptedModel([]), doStream: async () => ({ stream: ReadableStream.from(parts) }) };
}
