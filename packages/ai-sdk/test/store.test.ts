import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineHook } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AiSdkHooks, createHooks } from '../src/index.ts';
import { type Answer, scriptedModel } from './scripted-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'bridge-store-'));
const stores: Store[] = [];

function open(kind: string): Store {
  const store =
    kind === 'memory' ? memoryStore() : sqliteStore({ path: join(folder, `${crypto.randomUUID()}.db`) });
  stores.push(store);
  return store;
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const mask = defineHook({
  hook: 'before_create_message',
  id: 'mask',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replaceAll('ada', '***') ?? null,
    seen: true,
  }),
});

const script: readonly Answer[] = [
  { calls: [{ id: 'call_1', name: 'find', input: { order: 7 } }] },
  { text: 'It is of ada.' },
];
const tools = {
  find: tool({ inputSchema: z.object({ order: z.number() }), execute: async () => 'ada bought it' }),
};
const given = () => ({
  model: scriptedModel(...script),
  tools,
  prompt: 'I am ada.',
  stopWhen: stepCountIs(5),
});
const list = async (store: Store, threadId = 't'): Promise<string[]> =>
  (await store.listMessages(threadId)).map(({ role, content, seen }) => `${role}: ${content} ${seen}`);

const stored = [
  'user: I am ***. true',
  'assistant: null true',
  'tool: *** bought it true',
  'assistant: It is of ***. true',
];

describe.each(['memory', 'sqlite'])('a thread in a store (%s)', (kind) => {
  test.each(['generateText', 'streamText'])(
    'has every message as its chain made it, with the runs (%s)',
    async (way) => {
      const store = open(kind);
      const hooks = createHooks({ hooks: [mask], store });
      const turn = { threadId: 't', userId: 'ada' };
      if (way === 'generateText') await generateText(hooks.hooked(given(), turn));
      else await streamText(hooks.hooked(given(), turn)).text;
      expect(await list(store)).toEqual(stored);
      expect(await store.getThread('t')).toMatchObject({
        userId: 'ada',
        agentId: '@spec/ai-sdk',
        turn: null,
      });
      const runs = await store.listRuns({ threadId: 't' });
      const ids = (await store.listMessages('t')).map(({ id }) => id);
      expect(runs.map(({ id, about, step }) => [id, about?.message, step])).toEqual(
        ids.map((id, at) => ['mask', id, [1, 1, 1, 2][at]]),
      );
      expect(new Set(runs.map(({ turnId }) => turnId)).size).toBe(1);
    },
  );

  test('is kept without any hook, and what streams leaves as it comes', async () => {
    const store = open(kind);
    const { textStream } = streamText(createHooks({ store }).hooked(given(), { threadId: 't' }));
    const pieces: string[] = [];
    for await (const piece of textStream) pieces.push(piece);
    expect(pieces.length).toBeGreaterThan(2);
    expect(await list(store)).toEqual(
      stored.map((line) => line.replaceAll('***', 'ada').replace('true', 'undefined')),
    );
  });

  test('takes turns that write at once, of this instance and of another, and waits for who has it', async () => {
    const store = open(kind);
    const ask = (hooks: ReturnType<typeof createHooks>) =>
      generateText(hooks.hooked(given(), { threadId: 't' }));
    const [one, other] = [createHooks({ hooks: [mask], store }), createHooks({ hooks: [mask], store })];
    await ask(one);
    const lease = await store.acquireLease({ threadId: 't', owner: 'a turn elsewhere', ttlMs: 60_000 });
    const asked = [ask(one), ask(one), ask(other)];
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await store.countMessages('t')).toBe(4);
    await store.releaseLease(lease);
    await Promise.all(asked);
    expect((await list(store)).toSorted()).toEqual([...stored, ...stored, ...stored, ...stored].toSorted());
  });

  /** The same store in another process, whose writes take time: all that are under way want the thread at once. */
  function openAgain(store: Store, refused: string[]): Store {
    const written = new Set<unknown>();
    return new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        return async (...args: unknown[]) => {
          await new Promise((resolve) => setImmediate(resolve));
          const fence = name === 'append' ? args[1] : undefined;
          try {
            const given: unknown = await value.apply(target, args);
            if (name === 'append') written.add(fence);
            return given;
          } catch (error) {
            refused.push(name === 'append' && !written.has(fence) ? 'append with a new fence' : String(name));
            throw error;
          }
        };
      },
    });
  }

  test('is written by the many turns of a process one after another', async () => {
    const refused: string[] = [];
    const store = openAgain(open(kind), refused);
    const hosts = [createHooks({ hooks: [], store }), createHooks({ hooks: [], store })];
    const turns = Array.from({ length: 16 }, (_, at) =>
      generateText((hosts[at % 2] as AiSdkHooks).hooked(given(), { threadId: 't' })),
    );
    await Promise.all(turns);
    expect(await list(store)).toHaveLength(16 * stored.length);
    expect(refused).not.toContain('acquireLease');
  });

  test('is written by several processes at once: who takes it keeps it until his write is through', async () => {
    const store = open(kind);
    const refused: string[] = [];
    const hosts = [1, 2, 3].map(() => createHooks({ hooks: [], store: openAgain(store, refused) }));
    await Promise.all(hosts.map((hooks) => generateText(hooks.hooked(given(), { threadId: 't' }))));
    expect(await list(store)).toHaveLength(3 * stored.length);
    expect(refused).not.toContain('append with a new fence');
  });

  test('gets nothing of a message that a hook fails on, and the run is told of', async () => {
    const store = open(kind);
    const fails = defineHook({
      hook: 'before_create_message',
      id: 'fails',
      execute: async () => {
        throw new Error('secret');
      },
    });
    const hooks = createHooks({ hooks: [fails], store });
    await expect(generateText(hooks.hooked(given(), { threadId: 't' }))).rejects.toMatchObject({
      code: 'hook_failed',
    });
    expect([
      await list(store),
      (await store.listRuns({ threadId: 't' })).map(({ outcome }) => outcome),
    ]).toEqual([[], ['failed']]);
  });

  test('that cannot be written ends the turn', async () => {
    const store = open(kind);
    await store.close();
    const asked = generateText(
      createHooks({ store }).hooked({ ...given(), maxRetries: 0 }, { threadId: 't' }),
    );
    await expect(asked).rejects.toMatchObject({ code: 'closed' });
  });
});
