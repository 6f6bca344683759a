import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AnyHook, LifecycleName, ModelRequest } from '@spec/hooks';
import { createHost, type HostTurn, honourOnly, type ThreadStore } from '@spec/hooks/host';
import { memoryStore, type Store } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { afterAll, afterEach, expect, test } from 'vitest';
import { limitCost, redact } from './index.ts';

const folder = mkdtempSync(join(tmpdir(), 'values-in-bridges-'));
const stores: Store[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A connection of its own, as another process has it. */
function connect(name: string): Store {
  const store = sqliteStore({ path: join(folder, name) });
  stores.push(store);
  return store;
}

const names: LifecycleName[] = ['before_create_message', 'before_model_call', 'after_model_call'];

/** The hooks of a bridge, as a process that has just started has them. */
function start(store: ThreadStore, hooks: readonly AnyHook[]): (threadId: string) => HostTurn {
  const own = hooks.filter(({ hook }) => names.includes(hook));
  const host = createHost({ name: 'bridge', honours: honourOnly(names, 'never'), hooks: own, store });
  return (threadId) => host.openTurn({ threadId });
}

const say = async (turn: HostTurn, content: string): Promise<unknown> =>
  (await turn.store({ role: 'user', content }, (message) => message)).content;

test.each([
  ['plain numbering', {}],
  ['with a key', { key: 'a key for the tests of redact' }],
])('two processes over one file give no placeholder twice: %s', async (kind, options) => {
  const path = `${kind}.db`;
  const [one, other] = [0, 1].map(() => start(connect(path), redact(options)));
  const said = await Promise.all([
    say(one!('t'), 'alice is alice@example.com'),
    say(other!('t'), 'bob is bob@example.org'),
    say(one!('t'), 'carol is carol@example.net'),
  ]);
  said.push(await say(start(connect(path), redact(options))('t'), 'dan is dan@example.edu'));
  const numbers = said.map((text) => /\[EMAIL_\d+\]/.exec(String(text))?.[0]);
  expect(new Set(numbers)).toEqual(new Set([1, 2, 3, 4].map((number) => `[EMAIL_${number}]`)));
});

const usage = { inputTokens: 20, outputTokens: 10, reasoningTokens: 0, cachedTokens: 0 };
const request: ModelRequest = {
  ...{ callId: 'call', model: 'm', step: 1, attempt: 1, estimatedTokens: 5, usage, settings: {} },
  ...{ toolChoice: null, tools: [], messages: [] },
};
const ask = (turn: HostTurn): Promise<unknown> => turn.decideModelCall(request);

/** Calls the model once, and tells what that cost. */
async function spend(turn: HostTurn): Promise<void> {
  await ask(turn);
  const { callId, model, step, attempt } = request;
  const call = { callId, model, step, attempt, usage, durationMs: 1, errorCode: null, cached: false };
  await turn.run('after_model_call', { ...call, finishReason: 'stop' });
}

test('a thread that has spent its limit stays denied after a thousand others, and after a restart', async () => {
  const store = memoryStore();
  stores.push(store);
  const limit = (): readonly AnyHook[] => limitCost({ tokens: 40, maxOutputTokens: 10 });
  const open = start(store, limit());
  const denied = { code: 'model_denied' };
  await spend(open('long'));
  for (let at = 0; at < 1_000; at++) open(`other ${at}`);
  await expect(ask(open('long'))).rejects.toMatchObject(denied);
  const again = start(store, limit());
  await expect(ask(again('long'))).rejects.toMatchObject(denied);
});

test('the keys of the runtime are refused, so that no hook loosens what it keeps there', async () => {
  const store = memoryStore();
  stores.push(store);
  const { state } = start(store, [])('t');
  const mine = { key: 'runtime/mode', value: 1 };
  await expect(state.setValue(mine.key, 1)).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(state.setValuesIf({ key: 'k', value: undefined }, [mine])).rejects.toMatchObject({
    code: 'invalid_input',
  });
  await state.setValue('k', 1);
  expect(await store.listValues('t')).toEqual([{ key: 'k', value: 1 }]);
});
