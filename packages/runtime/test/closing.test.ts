import { expect, test } from 'vitest';
import { defineTool, type Store } from '../src/index.ts';
import { memoryStore } from '../src/stores/memory/index.ts';
import { hangAt } from './after-crash.ts';
import { createKit, gate, lines, onBothStores, runWhatIsReady, thrownBy } from './kit.ts';
import { Mortality } from './mortal-store.ts';
import { startRuntime } from './start-runtime.ts';

onBothStores('a closed thread refuses everything, and can be opened again', async (kit) => {
  const { runtime, thread } = await kit.thread({ script: ['ok', 'again'] });
  const sending = thread.send('Go');
  const closing = [thread.close(), thread.close()];
  const late = thrownBy(thread.send('late'));
  const lateInject = thrownBy(thread.inject({ role: 'user', content: 'late' }));
  expect(await sending).toMatchObject({ text: 'ok' });
  await Promise.all([...closing, thread.close()]);
  const closed = {
    code: 'closed',
    message: `Thread ${thread.id} is closed. Open it again with openThread to go on.`,
  };
  expect(await late).toMatchObject(closed);
  expect(await lateInject).toMatchObject(closed);
  const message = { role: 'user', content: 'x' } as const;
  const calls = [
    thread.inject(message),
    thread.queue(message, { wake: false }),
    thread.update('x', {}),
    thread.deleteMessage('x'),
    thread.delete(),
    thread.state.injectMessage(message),
    thread.state.setValue('k', 1),
  ];
  for (const call of calls) expect(await thrownBy(call)).toMatchObject(closed);
  void thread.stop();
  const again = await runtime.openThread(thread.id);
  expect(await again.send('x')).toMatchObject({ text: 'again' });
});

onBothStores('a closed runtime waits for its turns, then refuses everything', async (kit) => {
  const { runtime, thread } = await kit.thread({
    script: [
      async () => {
        await runWhatIsReady(20);
        return 'ok';
      },
    ],
  });
  const sending = thread.send('Go');
  await runWhatIsReady();
  const closing = [runtime.close(), runtime.close()];
  expect(await thrownBy(runtime.createThread({ agent: 'agent' }))).toMatchObject({ code: 'closed' });
  expect(await sending).toMatchObject({ text: 'ok' });
  await Promise.all(closing);
  for (const call of [
    runtime.createThread({ agent: 'agent' }),
    runtime.openThread(thread.id),
    runtime.listThreads(),
    runtime.ledger.runs(),
    thread.send('x'),
    thread.messages(),
  ]) {
    expect(await thrownBy(call)).toMatchObject({ code: 'closed' });
  }
  const message = (await thrownBy(runtime.openThread(thread.id))).message;
  expect(message).toBe('The runtime is closed.');
});

test('a store that fails does not keep the runtime from closing the rest', async () => {
  const real = memoryStore();
  let closed = false;
  const failing: Store = {
    ...real,
    releaseLease: () => Promise.reject(new Error('disk gone')),
    close: async () => {
      closed = true;
      await real.close();
    },
  };
  const { runtime, thread } = await createKit(failing).thread();
  await thread.inject({ role: 'user', content: 'x' });
  expect((await thrownBy(runtime.close())).message).toBe('disk gone');
  expect(closed).toBe(true);
});

onBothStores('a deleted thread is gone, also while a turn runs', async (kit) => {
  const reached = gate();
  const { runtime, thread } = await kit.thread({
    script: [
      () => {
        reached.open();
        return new Promise(() => {});
      },
    ],
  });
  const sends = [thread.send('1'), thread.send('2')];
  await reached.opened;
  const deleting = thread.delete();
  const after = thrownBy(thread.send('3'));
  expect((await Promise.all(sends)).map(({ status }) => status)).toEqual(['aborted', 'aborted']);
  await deleting;
  expect(await after).toMatchObject({ code: 'closed' });
  expect(await runtime.listThreads()).toEqual([]);
  expect(await thrownBy(runtime.openThread(thread.id))).toMatchObject({
    code: 'not_found',
    message: `There is no thread ${thread.id} in the store.`,
  });
  const again = await runtime.createThread({ agent: 'agent', id: thread.id });
  expect(await lines(again)).toEqual([]);
});

onBothStores('an id that is taken is refused', async (kit) => {
  const { runtime, thread } = await kit.thread();
  const error = await thrownBy(runtime.createThread({ agent: 'agent', id: thread.id }));
  expect(error).toMatchObject({ code: 'invalid_input', threadId: thread.id });
});

onBothStores('a thread that is closed while it waits for a dead process resumes nothing', async (kit) => {
  const { open, opened } = gate();
  const keys: (string | undefined)[] = [];
  const pay = defineTool({
    name: 'pay',
    execute: (_, { state }) => {
      keys.push(state.execution.callKey);
      return 'paid';
    },
  });
  const mortality = new Mortality();
  const dying = startRuntime(mortality.storeOf(kit.store), { lease: 200, script: [hangAt(open)] });
  const dead = await dying.runtime.createThread({ agent: 'agent', id: 't' });
  void dead.send('Go', { id: 'one' });
  await opened;
  mortality.die();
  const script = [{ toolCalls: [{ name: 'pay' }] }, 'Done.'];
  const { runtime } = kit.start({ lease: 200, tools: [pay], script });
  const closed = await runtime.openThread('t');
  const waiting = thrownBy(closed.resume());
  await runWhatIsReady();
  await closed.close();
  const thread = await runtime.openThread('t');
  expect(await thread.resume()).toMatchObject({ turnId: 'one', status: 'completed' });
  expect(await waiting).toMatchObject({ code: 'closed' });
  expect(keys).toEqual(['t~one.1.result.0']);
});

onBothStores('a thread that is closed while all are resumed is opened again', async (kit) => {
  const { open, opened } = gate();
  const mortality = new Mortality();
  const dying = startRuntime(mortality.storeOf(kit.store), { lease: 200, script: [hangAt(open)] });
  const dead = await dying.runtime.createThread({ agent: 'agent', id: 't' });
  void dead.send('Go', { id: 'one' });
  await opened;
  mortality.die();
  const { runtime } = kit.start({ lease: 200, script: ['Done.'] });
  const thread = await runtime.openThread('t');
  const resuming = runtime.resumeAll();
  await runWhatIsReady();
  await thread.close();
  expect(await resuming).toMatchObject([{ threadId: 't', result: { turnId: 'one', status: 'completed' } }]);
});
