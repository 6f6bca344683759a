import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineHook } from '@spec/hooks';
import { findFreePorts, installServers, type RestateServer, startRestate } from '@spec/local-services';
import { createRuntime, defineAgent, definePrompt, memoryStore, type Runtime } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type RestateWorker,
  registerWorkers,
  restateConfig,
  restateEngine,
  restateWorker,
} from '../src/index.ts';
import { encodeKey, SERVICE } from '../src/service.ts';

let restate: RestateServer;
let worker: RestateWorker;
let sender: Runtime;
const store = memoryStore();
/** What turns wait for before they ask the model. */
let gate: Promise<void> = Promise.resolve();

const waitAtGate = defineHook({
  hook: 'after_system_message',
  id: 'wait_at_gate',
  execute: async (_state, text) => {
    await gate;
    return text;
  },
});

beforeAll(async () => {
  installServers();
  const folder = mkdtempSync(join(tmpdir(), 'restate-ingress-'));
  const [ingress = 0, admin = 0, node = 0] = await findFreePorts(3);
  const ports = { ingress, admin, node };
  restate = await startRestate({
    folder,
    ports,
    config: restateConfig({ folder: join(folder, 'state'), ports }),
  });
  worker = await restateWorker({ runtime: makeRuntime(), port: 0 });
  await registerWorkers({ admin: restate.admin, address: `http://127.0.0.1:${worker.port}` });
  sender = makeRuntime({ engine: restateEngine({ ingress: restate.ingress }) });
}, 180_000);

afterAll(async () => {
  await worker?.close();
  await sender?.close();
  await restate?.stop();
});

/** The sender's and the worker's are made of the same definitions, over one store. */
function makeRuntime(more: { engine?: ReturnType<typeof restateEngine> } = {}): Runtime {
  return createRuntime({
    store,
    lease: '300ms',
    policies: [waitAtGate],
    models: { scripted: scriptedModel(Array.from({ length: 20 }, (_, n) => `Answer ${n + 1}.`)) },
    prompts: [definePrompt({ name: 'desk' })],
    agents: [defineAgent({ name: 'desk', prompt: 'desk' })],
    ...more,
  });
}

const readTexts = async (threadId: string): Promise<unknown[]> =>
  (await store.listMessages(threadId)).map(({ role, content }) => (role === 'user' ? content : role));

test('a turn of a thread that was made anew under its id is another one than that of the deleted thread', async () => {
  const old = await sender.createThread({ agent: 'desk', id: 'chat' });
  await old.send('The first.', { id: 'r1' });
  await expect.poll(() => old.delete().then(() => 'gone', String), { timeout: 20_000 }).toBe('gone');
  const thread = await sender.createThread({ agent: 'desk', id: 'chat' });
  const [sent, again] = await Promise.all([
    thread.send('The second.', { id: 'r1' }),
    thread.send('The second.', { id: 'r1' }),
  ]);
  expect(sent.text).toMatch(/^Answer/);
  expect(again).toEqual(sent);
  expect(await thread.send('The second.', { id: 'r1' })).toEqual(sent);
  expect(await readTexts('chat')).toEqual(['The second.', 'assistant']);
});

test('a call that is cut off while its turn runs is made again, and gets the end of the same turn', async () => {
  const thread = await sender.createThread({ agent: 'desk', id: 'cut' });
  let open = (): void => {};
  gate = new Promise((resolve) => {
    open = resolve;
  });
  const fetchWhole = globalThis.fetch;
  const cut = new AbortController();
  const fetchCut = vi.fn<typeof fetch>((url, init) => fetchWhole(url, { ...init, signal: cut.signal }));
  vi.stubGlobal('fetch', fetchCut);
  const sending = thread.send('Hello.', { id: 'r1' });
  await expect.poll(() => readTexts('cut')).toEqual(['Hello.']);
  vi.unstubAllGlobals();
  cut.abort();
  open();
  expect(await sending).toMatchObject({ status: 'completed', text: expect.stringMatching(/^Answer/) });
  expect(fetchCut).toHaveBeenCalledTimes(1);
  expect(await readTexts('cut')).toEqual(['Hello.', 'assistant']);
});

const noTurns: [string, (threadId: string) => string][] = [
  ['nothing', () => ''],
  ['no JSON', () => '{'],
  ['null', () => 'null'],
  ['an empty object', () => '{}'],
  ['a thread alone', (threadId) => JSON.stringify({ threadId })],
  ['no turn id', (threadId) => JSON.stringify({ threadId, request: { messages: [] } })],
  [
    'a call with a number for its id',
    (threadId) => JSON.stringify({ threadId, request: { id: 'r', messages: [] }, call: 7 }),
  ],
  [
    'messages that are no list',
    (threadId) => JSON.stringify({ threadId, request: { id: 'a', messages: 5 } }),
  ],
  [
    'a message without a role',
    (threadId) => JSON.stringify({ threadId, request: { id: 'a', messages: [{ id: 'm' }] } }),
  ],
  [
    'runs that are none',
    (threadId) => JSON.stringify({ threadId, request: { id: 'a', messages: [], runs: [7] } }),
  ],
  [
    'a turn of another thread',
    () => JSON.stringify({ threadId: 'chat', request: { id: 'a', messages: [] } }),
  ],
];

test.each(noTurns)('a request of %s fails, and keeps no turn waiting', async (name, makeBody) => {
  const thread = await sender.createThread({ agent: 'desk' });
  const url = `${restate.ingress}/${SERVICE}/${encodeKey(thread.id)}/turn`;
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(url, { method: 'POST', headers, body: makeBody(thread.id) });
  expect(status, name).toBe(400);
  expect((await thread.send('Hello.')).status).toBe('completed');
});
