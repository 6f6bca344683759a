import { RunError } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import {
  createRuntime,
  defineAgent,
  definePrompt,
  defineTool,
  type Store,
  type ThreadRecord,
} from '../src/index.ts';
import { createStore, type StoreDriver } from '../src/stores/derive/index.ts';
import { scriptedModel } from '../src/testing/index.ts';
import { jsonFileDriver } from './json-file-driver.ts';
import { tempFiles } from './sqlite/temp-files.ts';

// A driver of one's own that answers something else than it should is found out where it answers, and nothing is made of it.

const newFile = tempFiles();

type Method = Exclude<keyof StoreDriver, 'answersAreCopies' | 'backup' | 'close'>;

/** A driver of which one method answers something else, while it is on. */
function answering(method: Method, answer: unknown) {
  const driver = jsonFileDriver(newFile());
  const wrong = { isOn: false };
  const own = driver[method] as (...given: unknown[]) => unknown;
  const replaced = async (...given: unknown[]) => {
    const real = await own.apply(driver, given);
    return wrong.isOn ? answer : real;
  };
  return { store: createStore({ ...driver, [method]: replaced }), wrong };
}

const noValues: readonly unknown[] = [undefined, [], 'text', 5, { a: 1 }, [null], [{}]];
const message = { id: 'other', role: 'user', content: 'SECRET', created_at: 1 };

const ask: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  getThread: (store) => store.getThread('t'),
  listThreads: (store) => store.listThreads(),
  deleteThread: (store) => store.deleteThread('t', 1),
  commit: (store) => store.setValuesIf('t', { key: 'a', value: undefined }, []),
  findMessage: (store) => store.getMessage('t', 'm'),
  listMessages: (store) => store.listMessages('t', { last: 1 }),
  listToolCalls: (store) => store.listToolCalls('t'),
  listQueue: (store) => store.listQueue('t'),
  listValues: (store) => store.listValues('t'),
  listFiles: (store) => store.listFiles('t'),
  readFile: (store) => store.readFile('t', 'f'),
  readLease: (store) => store.getLease('t'),
  changeLease: (store) => store.acquireLease({ threadId: 't', owner: 'o', ttlMs: 10 }),
  pageRuns: (store) => store.listRuns(),
  listMarks: (store) => store.listMarks('t'),
  pruneRuns: (store) => store.pruneRuns({ keepBytes: 0 }),
};

const sampleThread: ThreadRecord = {
  id: 't',
  agentId: 'a',
  userId: null,
  parentId: null,
  depth: 0,
  createdAt: 1,
  currentSide: 'a',
  terminated: null,
  turn: null,
  compaction: null,
  metadata: {},
};

const lists = new Set(['listThreads', 'listMessages', 'listToolCalls', 'listQueue', 'listValues']);
const isEmptyList = (answer: unknown): boolean => Array.isArray(answer) && answer.length === 0;
const isRight = (method: string, answer: unknown): boolean =>
  (isEmptyList(answer) && (lists.has(method) || method === 'listFiles' || method === 'listMarks')) ||
  (method === 'pruneRuns' && answer === 5) ||
  (method === 'listMarks' && JSON.stringify(answer) === '[{}]');

async function findRefusal(method: Method, answer: unknown): Promise<unknown> {
  const { store, wrong } = answering(method, answer);
  await store.createThread(sampleThread);
  wrong.isOn = true;
  return ask[method]?.(store).then(
    (given) => ({ given }),
    (error: unknown) => error,
  );
}

describe.each(Object.keys(ask) as Method[])('%s', (method) => {
  test('refuses what is no answer', async () => {
    for (const answer of noValues.filter((one) => !isRight(method, one))) {
      const refusal = await findRefusal(method, answer);
      expect(refusal, `${method} answered ${JSON.stringify(answer)}`).toBeInstanceOf(RunError);
      expect(refusal).toMatchObject({ code: 'store_failed', message: expect.stringContaining(method) });
    }
  });
});

test.each<[Method, unknown]>([
  ['findMessage', message],
  ['getThread', { id: 'other', agentId: 'a', parentId: null, depth: 0 }],
  ['readFile', { path: 'other', name: 'f', mimeType: 'x', size: 0, data: new Uint8Array() }],
  ['listMessages', [message, { ...message, id: 'second' }]],
  ['pageRuns', { runs: [], next: 0 }],
])('%s: what was not asked for is refused, and the error holds nothing of it', async (method, answer) => {
  const refusal = await findRefusal(method, answer);
  expect(refusal).toMatchObject({ code: 'store_failed' });
  expect(String(refusal)).not.toContain('SECRET');
});

const head = { record: sampleThread, children: [], values: [], messages: [] };
const taken = { fence: 1, expiresAt: 1, head };

test.each<[string, unknown]>([
  ['of another thread', { ...head, record: { ...sampleThread, id: 'other' } }],
  ['without children', { ...head, children: undefined }],
  ['with a value that is none', { ...head, values: [5] }],
  ['with a message that is none', { ...head, messages: [{}] }],
  ['with ends that are no lists', { ...head, ends: { oldest: 'SECRET', newest: [] } }],
])('a head %s is refused, also where a thread is taken over', async (_name, wrong) => {
  const store = createStore({
    ...jsonFileDriver(newFile()),
    readHead: async () => wrong as never,
    takeOver: async () => ({ ...taken, head: wrong }) as never,
  });
  const request = { threadId: 't', owner: 'o', ttlMs: 10 };
  for (const [method, ask] of [
    ['readHead', () => store.readHead('t')],
    ['takeOver', () => store.takeOver(request)],
  ] as const) {
    const refusal: unknown = await ask().catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'store_failed', message: expect.stringContaining(method) });
    expect(String(refusal)).not.toContain('SECRET');
  }
});

test('a head as it should be is taken, with its ends or without', async () => {
  const ends = { oldest: [message], newest: [message] };
  for (const right of [head, { ...head, ends }]) {
    const store = createStore({
      ...jsonFileDriver(newFile()),
      takeOver: async () => ({ ...taken, head: right }) as never,
    });
    expect((await store.takeOver({ threadId: 't', owner: 'o', ttlMs: 10 })).head).toEqual(right);
  }
});

test('a driver that does not keep to a range: nobody reads in circles', async () => {
  const { store, wrong } = answering('listMessages', [message]);
  wrong.isOn = true;
  await expect(store.listMessages('t', { first: 1, after: 'other' })).rejects.toMatchObject({
    code: 'store_failed',
  });
});

test('an answer that is a promise of another kind counts, and so does its failure', async () => {
  const driver = jsonFileDriver(newFile());
  let fails = false;
  const later = {
    // biome-ignore lint/suspicious/noThenProperty: query builders have it
    then: (give: (answer: null) => void, refuse: (error: Error) => void) =>
      fails ? refuse(new Error('SECRET')) : give(null),
  };
  const store = createStore({ ...driver, findMessage: () => later as unknown as Promise<null> });
  expect(await store.getMessage('t', 'm')).toBeNull();
  fails = true;
  await expect(store.getMessage('t', 'm')).rejects.toMatchObject({ code: 'store_failed' });
});

test('a turn in which a commit is answered wrongly stays open, and goes on when the driver is right again', async () => {
  const { store, wrong } = answering('commit', undefined);
  const paid: string[] = [];
  const pay = defineTool({
    name: 'pay',
    execute: () => {
      wrong.isOn = true;
      paid.push('1');
      return 'Paid.';
    },
  });
  const runtime = createRuntime({
    store,
    models: { scripted: scriptedModel([{ toolCalls: [{ name: 'pay' }] }, 'Done.']) },
    tools: [pay],
    prompts: [definePrompt({ name: 'desk', tools: ['pay'] })],
    agents: [defineAgent({ name: 'desk', prompt: 'desk' })],
    lease: 200,
  });
  const thread = await runtime.createThread({ agent: 'desk' });
  await expect(thread.send('Pay.', { id: 'r1' })).rejects.toMatchObject({ code: 'store_failed' });
  wrong.isOn = false;
  expect(await thread.send('Pay.', { id: 'r1' })).toMatchObject({ status: 'completed', text: 'Done.' });
  expect((await thread.messages()).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
  ]);
  expect(paid).toEqual(['1']);
  await runtime.close();
});
