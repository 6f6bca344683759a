import { type AnyHook, defineHook, RunError } from '@spec/hooks';
import { expect, test } from 'vitest';
import { defineTool, type Store } from '../src/index.ts';
import { memoryStore } from '../src/stores/memory/index.ts';
import {
  createKit,
  gate,
  type Kit,
  lines,
  newFile,
  onBothStores,
  recordEvents,
  runWhatIsReady,
  type Setup,
  type Started,
  thrownBy,
} from './kit.ts';
import { openLasting } from './lasting-store.ts';

const pass = defineHook({
  hook: 'before_create_message',
  id: 'pass',
  execute: async (_, message) => message,
});

/** Two runtimes over one SQLite file, each with its own connection. */
function onOneFile(name: string, run: (start: (setup?: Setup) => Started) => Promise<void>): void {
  test(`${name} (two connections to one file)`, async () => {
    const path = newFile();
    const kits: Array<Kit & { close(): Promise<void> }> = [];
    try {
      await run((setup) => {
        const kit = createKit(openLasting(path));
        kits.push(kit);
        return kit.start(setup);
      });
    } finally {
      await Promise.all(kits.map((kit) => kit.close()));
    }
  });
}

onOneFile('a second writer is told that the thread is busy, and goes on after close', async (start) => {
  const one = start({ script: ['one'] }).runtime;
  const two = start({ script: ['two'], policies: [pass] }).runtime;
  const thread = await one.createThread({ agent: 'agent' });
  const other = await two.openThread(thread.id);
  await thread.inject({ role: 'user', content: 'from one' });
  const busy = await thrownBy(other.inject({ role: 'user', content: 'from two' }));
  expect(busy).toMatchObject({ name: 'RunError', code: 'thread_busy', threadId: thread.id });
  expect(await thrownBy(other.send('from two'))).toMatchObject({ code: 'thread_busy' });
  expect(await thrownBy(other.update('x', {}))).toMatchObject({ code: 'thread_busy' });
  expect(await lines(other)).toEqual(['user: from one']);
  await thread.close();
  await other.inject({ role: 'user', content: 'from two' });
  expect(await other.send('again')).toMatchObject({ text: 'two' });
  expect(await lines(other)).toEqual(['user: from one', 'user: from two', 'user: again', 'assistant: two']);
  expect(await other.runs({ outcome: 'ok' })).toHaveLength(3);
});

test('a thread is reserved for 10 s where no option says for how long', async () => {
  const reserved: number[] = [];
  const store = memoryStore();
  const kit = createKit({
    ...store,
    acquireLease(wanted) {
      reserved.push(wanted.ttlMs);
      return store.acquireLease(wanted);
    },
  });
  for (const options of [{}, { lease: '2m' }] as const) {
    const { thread } = await kit.thread(options);
    await thread.inject({ role: 'user', content: 'mine' });
  }
  await kit.close();
  expect(reserved).toEqual([10_000, 120_000]);
});

onOneFile('a busy thread runs no hook and asks no model', async (start) => {
  let ran = 0;
  const policies = (['before_user_message', 'before_create_message'] as const).map(
    (hook) => defineHook({ hook, id: `count_${hook}`, execute: async () => void ran++ as never }) as AnyHook,
  );
  const one = start().runtime;
  const { runtime: two, model } = start({ policies });
  const thread = await one.createThread({ agent: 'agent' });
  await thread.inject({ role: 'user', content: 'mine' });
  const other = await two.openThread(thread.id);
  expect(await thrownBy(other.send('x'))).toMatchObject({ code: 'thread_busy' });
  expect(await thrownBy(other.inject({ role: 'user', content: 'x' }))).toMatchObject({ code: 'thread_busy' });
  expect([ran, model.calls.length]).toEqual([0, 0]);
});

onOneFile('an idle writer’s lease runs out; it learns what the other did', async (start) => {
  const one = start({ lease: 200, script: ['one'] }).runtime;
  const two = start({ lease: 200, script: ['two'] }).runtime;
  const thread = await one.createThread({ agent: 'agent' });
  await thread.inject({ role: 'user', content: 'from one' });
  await runWhatIsReady(250);
  const other = await two.openThread(thread.id);
  await other.inject({ role: 'user', content: 'from two' });
  expect(await thrownBy(thread.inject({ role: 'user', content: 'x' }))).toMatchObject({
    code: 'thread_busy',
  });
  await other.state.terminate('by the other');
  await other.close();
  const message = { role: 'user', content: 'x' } as const;
  for (const call of [
    () => thread.inject(message),
    () => thread.send('x'),
    () => thread.queue(message, { wake: false }),
  ]) {
    expect(await thrownBy(call())).toMatchObject({ code: 'thread_terminated' });
  }
});

onOneFile('a turn keeps its thread however long its model takes', async (start) => {
  const one = start({
    lease: 150,
    script: [
      async () => {
        await runWhatIsReady(500);
        return 'slow';
      },
    ],
  }).runtime;
  const two = start({ lease: 150 }).runtime;
  const thread = await one.createThread({ agent: 'agent' });
  const other = await two.openThread(thread.id);
  const sending = thread.send('Go');
  await runWhatIsReady(350);
  expect(await thrownBy(other.inject({ role: 'user', content: 'x' }))).toMatchObject({ code: 'thread_busy' });
  expect(await sending).toMatchObject({ text: 'slow' });
  await runWhatIsReady(200);
  await other.inject({ role: 'user', content: 'x' });
});

onOneFile('a turn whose thread was taken over stores nothing more', async (start) => {
  const reached = gate();
  const goOn = gate();
  const { runtime: one } = start({
    lease: 100,
    script: [
      async () => {
        reached.open();
        await goOn.opened;
        return 'stale';
      },
    ],
  });
  const two = start({ script: ['resumed', 'fresh'] }).runtime;
  const thread = await one.createThread({ agent: 'agent' });
  const sending = thrownBy(thread.send('Go'));
  await reached.opened;
  const until = Date.now() + 250;
  while (Date.now() < until); // The process stalls: no timer fires.
  const other = await two.openThread(thread.id);
  const taken = other.send('Mine now');
  goOn.open();
  expect(await taken).toMatchObject({ text: 'fresh' });
  expect(await sending).toMatchObject({ code: 'thread_busy' });
  const done = ['user: Go', 'assistant: resumed', 'user: Mine now', 'assistant: fresh'];
  expect(await lines(other)).toEqual(done);
});

onOneFile('a writer that lost its thread asks for it again at the next write', async (start) => {
  const { runtime: one } = start({ lease: 300 });
  const { runtime: two } = start({ lease: 300 });
  const thread = await one.createThread({ agent: 'agent' });
  await thread.inject({ role: 'user', content: 'from one' });
  const id = thread.id;
  const until = Date.now() + 350;
  while (Date.now() < until); // The process stalls.
  const other = await two.openThread(id);
  await other.inject({ role: 'user', content: 'from two' });
  const refused = [
    await thrownBy(thread.inject({ role: 'user', content: 'x' })),
    await thrownBy(thread.state.setValue('k', 1)),
  ];
  expect(refused.map(({ code }) => code)).toEqual(['thread_busy', 'thread_busy']);
  await other.close();
  await thread.inject({ role: 'user', content: 'back' });
  expect(await lines(thread)).toEqual(['user: from one', 'user: from two', 'user: back']);
});

test('a lease that a refused write has shown to be lost is asked for again', async () => {
  const real = memoryStore();
  let [acquired, refused] = [0, 0];
  const store: Store = {
    ...real,
    acquireLease(request) {
      acquired++;
      return real.acquireLease(request);
    },
    async append(...args) {
      if (refused++ === 0) throw new RunError('thread_busy', 'taken over');
      return real.append(...args);
    },
  };
  const kit = createKit(store);
  const { thread } = await kit.thread();
  const message = { role: 'user', content: 'x' } as const;
  expect(await thrownBy(thread.inject(message))).toMatchObject({ code: 'thread_busy' });
  expect(acquired).toBe(1);
  await thread.inject(message);
  await thread.inject(message);
  expect(acquired).toBe(2);
  await kit.close();
});

onBothStores('one thread opened twice is one thread', async (kit) => {
  const { runtime, thread } = await kit.thread();
  const [a, b] = await Promise.all([runtime.openThread(thread.id), runtime.openThread(thread.id)]);
  await Promise.all([a, b, thread].map((handle) => handle.inject({ role: 'user', content: 'x' })));
  expect(await lines(thread)).toHaveLength(3);
});

onBothStores('a thread that is opened twice at once is opened once', async (kit) => {
  const { thread } = await kit.thread();
  const { runtime } = kit.start({ script: ['1', '2'] });
  await thread.close();
  const [a, b] = await Promise.all([runtime.openThread(thread.id), runtime.openThread(thread.id)]);
  const heard = recordEvents(a);
  await b.inject({ role: 'user', content: 'x' });
  await Promise.all([a.send('y'), b.send('z')]);
  expect(await lines(a)).toEqual(['user: x', 'user: y', 'assistant: 1', 'user: z', 'assistant: 2']);
  expect(heard.filter(({ type }) => type === 'message')).toHaveLength(5);
});

onOneFile('a turn whose thread was taken over, finished and given free does not go on', async (start) => {
  const [reached, goOn] = [gate(), gate()];
  const stall = defineTool({
    name: 'stall',
    execute: async () => {
      reached.open();
      await goOn.opened;
      return 'late';
    },
  });
  const call = { toolCalls: [{ name: 'stall' }] };
  const { runtime: one, model } = start({ lease: 100, tools: [stall], script: [call, 'stale'] });
  const two = start({ tools: [stall], script: ['resumed', 'fresh'] }).runtime;
  const thread = await one.createThread({ agent: 'agent' });
  const sending = thrownBy(thread.send('Go'));
  await reached.opened;
  const until = Date.now() + 250;
  while (Date.now() < until); // The process stalls: no timer fires.
  const other = await two.openThread(thread.id);
  const taken = other.send('Mine now');
  await taken;
  await other.close();
  goOn.open();
  expect(await sending).toMatchObject({ code: 'thread_busy' });
  expect(model.calls).toHaveLength(1);
});

onOneFile('a tool is not called between turns in a process that lost its thread', async (start) => {
  let ran = 0;
  const act = defineTool({ name: 'act', execute: () => void ran++ });
  const { runtime: one } = start({ lease: 200, tools: [act] });
  const { runtime: two } = start({ lease: 60_000 });
  const thread = await one.createThread({ agent: 'agent' });
  await thread.inject({ role: 'user', content: 'from one' });
  const until = Date.now() + 250;
  while (Date.now() < until); // The process stalls.
  const other = await two.openThread(thread.id);
  await other.inject({ role: 'user', content: 'from two' });
  expect(await thrownBy(thread.state.invokeTool('act', {}))).toMatchObject({ code: 'thread_busy' });
  expect(ran).toBe(0);
  await other.close();
  expect(await thread.state.invokeTool('act', {})).toMatchObject({ status: 'success' });
});
