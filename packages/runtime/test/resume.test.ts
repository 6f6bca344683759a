import { defineHook, messageWithoutCause } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { type AnyTool, defineTool } from '../src/index.ts';
import { afterCrash, hangAt } from './after-crash.ts';
import { gate, lines, onBothStores, thrownBy } from './kit.ts';
import { Mortality } from './mortal-store.ts';
import { startRuntime } from './start-runtime.ts';

function payTool(onInterrupted: 'retry' | 'fail' | undefined, run: (id: string) => Promise<string>): AnyTool {
  const policy = onInterrupted === undefined ? {} : { onInterrupted };
  return defineTool({ name: 'pay', ...policy, execute: (_, { toolCallId }) => run(toolCallId) });
}

const callPay = { toolCalls: [{ id: 'c1', name: 'pay' }] };

describe('a tool call that had started when the process died', () => {
  onBothStores('is answered with an error by default: it is unknown whether it ran', async (kit) => {
    const { open, opened } = gate();
    const tools = [payTool(undefined, hangAt(open))];
    let ran = 0;
    const again = [payTool(undefined, async () => `${++ran}`)];
    const thread = await afterCrash(
      kit,
      { tools, script: [callPay], reached: opened },
      { tools: again, script: ['I see.'] },
    );
    expect(await thread.resume()).toMatchObject({ status: 'completed', text: 'I see.', steps: 2 });
    expect(ran).toBe(0);
    expect(await lines(thread)).toEqual([
      'user: Go',
      'assistant: null',
      'tool: The process stopped while this tool call was under way. It is unknown whether it ran: check before you call it again.',
      'assistant: I see.',
    ]);
    expect(await thread.resume()).toBeNull();
  });

  onBothStores('runs again with its id where the tool says so, and every deny holds again', async (kit) => {
    const { open, opened } = gate();
    const seen: string[] = [];
    const tools = [
      payTool('retry', (id) => {
        seen.push(id);
        return hangAt(open)();
      }),
    ];
    const again = [payTool('retry', async (id) => `paid ${seen.push(id)}`)];
    const dying = { tools, script: [callPay], reached: opened };
    const thread = await afterCrash(kit, dying, { tools: again, script: ['Done.'] });
    expect(await thread.resume()).toMatchObject({ text: 'Done.' });
    expect(seen).toEqual(['c1', 'c1']);
  });

  onBothStores('is denied where a policy denies it now', async (kit) => {
    const { open, opened } = gate();
    const tools = [payTool('retry', hangAt(open))];
    let ran = 0;
    const again = [payTool('retry', async () => `${++ran}`)];
    const deny = defineHook({
      hook: 'before_tool_call',
      id: 'no_paying',
      execute: async (_) => ({ decision: 'deny', reason: 'Closed.' }),
    });
    const dying = { tools, script: [callPay], reached: opened };
    const thread = await afterCrash(kit, dying, { tools: again, policies: [deny], script: ['Done.'] });
    await thread.resume();
    expect(ran).toBe(0);
    expect((await lines(thread))[2]).toBe('tool: This tool call was denied by no_paying. Closed.');
  });

  onBothStores('had not started while it was decided on: it runs', async (kit) => {
    const { open, opened } = gate();
    const think = (decide: () => Promise<null>) =>
      defineHook({ hook: 'before_tool_call', id: 'think', execute: decide });
    const tools = [payTool(undefined, async () => 'paid')];
    const hanging = think(hangAt(open));
    const dying = { tools, policies: [hanging], script: [callPay], reached: opened };
    const thread = await afterCrash(kit, dying, {
      tools,
      policies: [think(async () => null)],
      script: ['Done.'],
    });
    await thread.resume();
    expect(await lines(thread)).toEqual(['user: Go', 'assistant: null', 'tool: paid', 'assistant: Done.']);
  });
});

onBothStores('a message finishes the turn that was left behind first', async (kit) => {
  const { open, opened } = gate();
  const hanging = [hangAt(open)];
  const thread = await afterCrash(
    kit,
    { script: hanging, reached: opened },
    { script: ['First.', 'Second.'] },
  );
  expect(await thread.send('And?')).toMatchObject({ text: 'Second.' });
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: First.', 'user: And?', 'assistant: Second.']);
});

onBothStores('a turn left behind that fails again is over, and the next one runs', async (kit) => {
  const { open, opened } = gate();
  const hanging = [hangAt(open)];
  const script = [new Error('down'), 'Second.'];
  const thread = await afterCrash(kit, { script: hanging, reached: opened }, { script });
  expect(await thread.send('And?')).toMatchObject({ text: 'Second.' });
  expect((await kit.store.getThread('t'))?.turn).toBeNull();
});

describe('a turn under an id of the caller’s', () => {
  onBothStores('is one turn however often it is sent', async (kit) => {
    const { thread, model } = await kit.thread({ script: ['one'] });
    const sent = await Promise.all([1, 2].map(() => thread.send('Go', { id: 'order-7' })));
    const later = await thread.send('Go', { id: 'order-7' });
    expect([...sent, later].map(({ text, turnId }) => [text, turnId])).toEqual(
      Array.from({ length: 3 }, () => ['one', 'order-7']),
    );
    expect(model.calls).toHaveLength(1);
    await thread.close();
    const reopened = await kit.start().runtime.openThread(thread.id);
    expect(await reopened.send('Go', { id: 'order-7' })).toEqual(later);
  });

  onBothStores('keeps its error too, and tells it again', async (kit) => {
    const { thread, model } = await kit.thread({ script: [new Error('secret detail'), 'never'] });
    const first = await thrownBy(thread.send('Go', { id: 'x' }));
    const second = await thrownBy(thread.send('Go', { id: 'x' }));
    expect([first.code, second.code, second.message]).toEqual([
      'model_failed',
      'model_failed',
      messageWithoutCause(first),
    ]);
    expect(model.calls).toHaveLength(1);
  });
});

onBothStores('the model is asked again after a crash, and what it calls then is run', async (kit) => {
  const { open, opened } = gate();
  let ran = 0;
  const tools = [payTool(undefined, async () => `paid ${++ran}`)];
  const dying = { tools, script: [hangAt(open)], reached: opened };
  const thread = await afterCrash(kit, dying, { tools, script: [callPay, 'Done.'] });
  await thread.resume();
  expect(await lines(thread)).toEqual(['user: Go', 'assistant: null', 'tool: paid 1', 'assistant: Done.']);
});

onBothStores('a turn whose id begins with that of another one goes on at its own step', async (kit) => {
  const { open, opened } = gate();
  const mortality = new Mortality();
  const script = ['Seven.', hangAt(open)];
  const { runtime } = startRuntime(mortality.storeOf(kit.store), { lease: 20, script });
  const dying = await runtime.createThread({ agent: 'agent', id: 't' });
  await dying.send('One', { id: 'order.7' });
  void dying.send('Two', { id: 'order' });
  await opened;
  mortality.die();
  await new Promise((resolve) => setTimeout(resolve, 30));
  const thread = await kit.start({ lease: 20, script: ['Done.'] }).runtime.openThread('t');
  expect(await thread.resume()).toMatchObject({ text: 'Done.', steps: 1 });
});

onBothStores('ids of turns that are none are refused', async (kit) => {
  const { thread } = await kit.thread();
  for (const id of ['', ' x', 5, 'x'.repeat(201), '\ud800'])
    expect(await thrownBy(thread.send('Go', { id: id as string }))).toMatchObject({ code: 'invalid_input' });
});

onBothStores('a turn that runs in another process is waited for, and its result comes', async (kit) => {
  const [reached, goOn] = [gate(), gate()];
  const { thread } = await kit.thread({
    script: [
      async () => {
        reached.open();
        await goOn.opened;
        return 'One.';
      },
    ],
  });
  const other = await kit.start({ lease: 100 }).runtime.openThread(thread.id);
  const sending = thread.send('Go', { id: 'request' });
  await reached.opened;
  const again = other.send('Go', { id: 'request' });
  goOn.open();
  expect(await again).toEqual(await sending);
  expect(await other.send('Go', { id: 'request' })).toMatchObject({ text: 'One.' });
});

onBothStores('a hook cannot change the ids that a turn is resumed by', async (kit) => {
  const rename = defineHook({
    hook: 'before_create_message',
    id: 'rename',
    execute: async (_, message) => ({ ...message, id: 'mine' }),
  });
  const { thread } = await kit.thread({ policies: [rename], script: ['One.'] });
  const error = await thrownBy(thread.send('Go', { id: 'k' }));
  expect(error).toMatchObject({ code: 'invalid_message' });
  expect(error.message).toContain('A hook changed the id of message k.0.user');
});
