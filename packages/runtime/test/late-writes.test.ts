import { type AnyHook, defineHook, type ThreadState } from '@spec/hooks';
import { expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import { gate, lines, never, onBothStores, runWhatIsReady, thrownBy } from './kit.ts';

const noop = defineTool({ name: 'noop', execute: () => 'ran' });

/** Every write of a state, as a call on it. */
const writes: Record<string, (state: ThreadState, id: string) => unknown> = {
  injectMessage: (state) => state.injectMessage({ role: 'user', content: 'late' }),
  updateMessage: (state, id) => state.updateMessage(id, { content: 'late' }),
  deleteMessage: (state, id) => state.deleteMessage(id),
  queueMessage: (state) => state.queueMessage({ role: 'user', content: 'late' }),
  queueTool: (state) => state.queueTool('noop', {}),
  invokeTool: (state) => state.invokeTool('noop', {}),
  setValue: (state) => state.setValue('late', 1),
  setValuesIf: (state) => state.setValuesIf({ key: 'late', value: undefined }, [{ key: 'late', value: 1 }]),
  writeFile: (state) => state.writeFile('late.txt', 'late'),
  unlinkFile: (state) => state.unlinkFile('kept.txt'),
  terminate: (state) => state.terminate(),
  emit: (state) => state.emit('late'),
  'execution.stop': (state) => state.execution.stop(),
};

onBothStores('after a hook has ended its state refuses every write', async (kit) => {
  let kept: ThreadState | undefined;
  const leak = defineHook({
    hook: 'after_create_message',
    id: 'leak',
    execute: async (state) => {
      kept = state;
    },
  });
  const { thread, events } = await kit.thread({ policies: [leak], tools: [noop] });
  const { id } = await thread.inject({ role: 'user', content: 'on time' });
  await thread.state.writeFile('kept.txt', 'kept');
  events.length = 0;
  for (const [name, write] of Object.entries(writes)) {
    const error = await thrownBy((async () => write(kept as ThreadState, id))());
    expect(error).toMatchObject({ code: 'late_write', id: 'leak' });
    expect(error.message).toBe(
      `Hook "leak" (after_create_message) called ${name} after it had ended; nothing was written.`,
    );
  }
  expect(events).toEqual(
    Object.keys(writes).map((write) => ({
      type: 'late_write',
      late: { hook: 'after_create_message', id: 'leak', write },
    })),
  );
  expect(await lines(thread)).toEqual(['user: on time']);
  expect(await thread.state.getValue('late')).toBeUndefined();
  expect((await thread.state.listFiles()).map(({ path }) => path)).toEqual(['kept.txt']);
  expect(await kit.store.listQueue(thread.id)).toEqual([]);
});

type Begin = (state: ThreadState) => Promise<unknown>;
type SlowHook = 'message' | 'tool' | 'update';
interface SlowWrite {
  policies: AnyHook[];
  goOn(): void;
  result(): Promise<unknown>;
}

/** A hook that begins a write without waiting for it and then ends; and one within that write that takes its time. */
function slowWrite(begin: Begin, slowHook: SlowHook, end: () => Promise<null>): SlowWrite {
  const slow = gate();
  let writing: Promise<unknown> = never();
  const starter = defineHook({
    hook: 'after_system_message',
    id: 'starter',
    timeout: 20,
    onTimeout: 'continue',
    execute: async (state) => {
      writing = begin(state);
      return end();
    },
  });
  const isLate = (content: unknown): boolean => content === 'late';
  const within = {
    message: defineHook({
      hook: 'before_create_message',
      id: 'slow',
      execute: async (_, message) => {
        if (isLate(message.content)) await slow.opened;
        return message;
      },
    }),
    update: defineHook({
      hook: 'before_update_message',
      id: 'slow',
      execute: async (_, _id, updates) => {
        await slow.opened;
        return updates;
      },
    }),
    tool: defineHook({
      hook: 'before_tool_call',
      id: 'slow',
      execute: async (_) => {
        await slow.opened;
        return null;
      },
    }),
  };
  return { policies: [starter, within[slowHook] as AnyHook], goOn: () => slow.open(), result: () => writing };
}

const begun: Array<[SlowHook, string, Begin]> = [
  ['message', 'injectMessage', (state) => state.injectMessage({ role: 'user', content: 'late' })],
  ['message', 'queueMessage', (state) => state.queueMessage({ role: 'user', content: 'late' })],
  ['update', 'updateMessage', (state) => state.updateMessage('m1', { content: 'late' })],
  ['tool', 'invokeTool', (state) => state.invokeTool('count', {})],
];

const ends: Array<[string, () => Promise<null>]> = [
  ['timed out', never],
  ['settled', async () => null],
];

for (const [[slowHook, name, begin], [how, end]] of begun.flatMap((b) => ends.map((e) => [b, e] as const))) {
  onBothStores(`${name} of a hook that ${how} is refused at the instant of its write`, async (kit) => {
    let runs = 0;
    const count = defineTool({ name: 'count', execute: () => void runs++ });
    const { policies, goOn, result } = slowWrite(begin, slowHook, end);
    const { thread, events } = await kit.thread({ policies, tools: [count], script: ['ok'] });
    await thread.inject({ id: 'm1', role: 'user', content: 'first' });
    expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
    goOn();
    expect(await thrownBy(result())).toMatchObject({ code: 'late_write', id: 'starter' });
    await runWhatIsReady(10);
    expect(await lines(thread)).toEqual(['user: first', 'user: Go', 'assistant: ok']);
    expect(await kit.store.listQueue(thread.id)).toEqual([]);
    expect(runs).toBe(0);
    expect(events).toContainEqual({
      type: 'late_write',
      late: { hook: 'after_system_message', id: 'starter', write: name },
    });
  });
}

onBothStores('a late write that nobody waits for brings nothing down', async (kit) => {
  const hook = defineHook({
    hook: 'after_create_message',
    id: 'careless',
    execute: async (state) => {
      setTimeout(() => state.injectMessage({ role: 'user', content: 'late' }), 5);
      setTimeout(() => state.setValue('late', 1), 5);
    },
  });
  const { thread, events } = await kit.thread({ policies: [hook] });
  await thread.inject({ role: 'user', content: 'on time' });
  await runWhatIsReady(20);
  expect(await lines(thread)).toEqual(['user: on time']);
  expect(events.filter(({ type }) => type === 'late_write')).toHaveLength(2);
});

onBothStores('a late write is told to its own thread’s listeners only', async (kit) => {
  let kept: ThreadState | undefined;
  const leak = defineHook({
    hook: 'after_create_message',
    id: 'leak',
    execute: async (state) => {
      kept = state;
    },
  });
  const { runtime, thread } = await kit.thread({ policies: [leak] });
  await thread.inject({ role: 'user', content: 'x' });
  const other = await runtime.createThread({ agent: 'agent' });
  const heard: string[] = [];
  void (async () => {
    for await (const { type } of other.events()) heard.push(type);
  })();
  await thrownBy((kept as ThreadState).setValue('late', 1));
  await runWhatIsReady();
  expect(heard).toEqual([]);
});

onBothStores('a tool that was left behind by a stop writes nothing afterwards', async (kit) => {
  const running = gate();
  const stopped = gate();
  let late: Promise<unknown> = never();
  const stubborn = defineTool({
    name: 'stubborn',
    execute: async (_input, { state }) => {
      running.open();
      await stopped.opened;
      late = state.injectMessage({ role: 'user', content: 'late' });
      return 'too late';
    },
  });
  const { thread, events } = await kit.thread({
    tools: [stubborn],
    script: [{ toolCalls: [{ name: 'stubborn' }] }],
  });
  const sending = thread.send('Go');
  await running.opened;
  void thread.stop();
  await sending;
  stopped.open();
  await runWhatIsReady();
  const error = await thrownBy(late);
  expect(error).toMatchObject({ code: 'late_write' });
  expect(error.message).toBe(
    'Tool "stubborn" called injectMessage after its call had ended; nothing was written.',
  );
  expect((await lines(thread)).at(-1)).toContain('The turn was stopped');
  expect(events).toContainEqual({
    type: 'late_write',
    late: { hook: 'tool', id: 'stubborn', write: 'injectMessage' },
  });
});

onBothStores('a tool may report after its call has ended', async (kit) => {
  const job = gate();
  const reported = gate();
  const background = defineTool({
    name: 'background',
    execute: (_input, { state }) => {
      void job.opened
        .then(() => state.injectMessage({ role: 'user', content: 'The job is done.' }))
        .then(() => reported.open());
      return 'started';
    },
  });
  const { thread } = await kit.thread({
    tools: [background],
    script: [{ toolCalls: [{ name: 'background' }] }, 'ok'],
  });
  await thread.send('Go');
  job.open();
  await reported.opened;
  expect((await lines(thread)).at(-1)).toBe('user: The job is done.');
});

onBothStores('a tool that a hook has invoked ends with the hook', async (kit) => {
  const running = gate();
  const hookIsOver = gate();
  let late: Promise<unknown> = never();
  const tool = defineTool({
    name: 'tool',
    execute: async (_input, { state }) => {
      running.open();
      await hookIsOver.opened;
      late = state.setValue('late', 1);
      return 'too late';
    },
  });
  const careless = defineHook({
    hook: 'after_create_message',
    id: 'careless',
    execute: async (state) => {
      void state.invokeTool('tool', {});
      await running.opened;
    },
  });
  const { thread } = await kit.thread({ policies: [careless], tools: [tool] });
  await thread.inject({ role: 'user', content: 'x' });
  hookIsOver.open();
  await runWhatIsReady();
  expect(await thrownBy(late)).toMatchObject({ code: 'late_write' });
  expect(await thread.state.getValue('late')).toBeUndefined();
});
