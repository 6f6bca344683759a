import { defineHook, RunError } from '@spec/hooks';
import { expect } from 'vitest';
import { gate, lines, never, onBothStores, runWhatIsReady, thrownBy } from '../../test/kit.ts';
import { defineTool } from '../index.ts';

const ping = defineTool({ name: 'ping', execute: () => 'pong' });
const _fail = defineTool({
  name: 'fail',
  execute: () => {
    throw new Error('no luck');
  },
});

onBothStores('before_stop keeps a turn going, eight times at most', async ({ thread: start }) => {
  const kept: number[] = [];
  const { thread } = await start({
    policies: [
      defineHook({
        hook: 'before_stop',
        id: 'on_and_on',
        execute: async (_, { keptGoing }) => {
          kept.push(keptGoing);
          return { keepGoing: `more ${keptGoing}` };
        },
      }),
    ],
    script: Array.from({ length: 20 }, (_, i) => `answer ${i}`),
  });
  const result = await thread.send('Go');
  expect(result).toMatchObject({ status: 'completed', steps: 9, text: 'answer 8' });
  expect(kept).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect((await lines(thread)).slice(-3)).toEqual([
    'assistant: answer 7',
    'user: more 7',
    'assistant: answer 8',
  ]);
});

onBothStores('a turn ends at the agent’s limit of steps', async ({ thread: start }) => {
  const { thread } = await start({
    tools: [ping],
    agent: { maxSteps: 2 },
    script: Array.from({ length: 5 }, () => ({ text: 'again', toolCalls: [{ name: 'ping' }] })),
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'limit', steps: 2, text: 'again' });
  expect((await lines(thread)).at(-1)).toBe('tool: pong');
});

onBothStores('execution.stop ends the turn after its step', async ({ thread: start }) => {
  const { thread } = await start({
    tools: [
      defineTool({
        name: 'enough',
        execute: (_input, { state }) => {
          state.execution.stop();
          return 'stopping';
        },
      }),
    ],
    script: [{ text: 'one', toolCalls: [{ name: 'enough' }] }, 'two'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'stopped', steps: 1, text: 'one' });
  expect((await lines(thread)).at(-1)).toBe('tool: stopping');
});

onBothStores('execution.stop before the first step: the model is not called', async ({ thread: start }) => {
  const { thread, model } = await start({
    policies: [
      defineHook({
        hook: 'after_create_message',
        id: 'stop',
        execute: async (state) => state.execution.stop(),
      }),
    ],
    script: ['never said'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'stopped', steps: 0, text: null });
  expect(model.calls).toEqual([]);
});

onBothStores('sends of one thread run one after another', async ({ thread: start }) => {
  const order: string[] = [];
  const { thread } = await start({
    script: ['a', 'b', 'c'].map((text) => async () => {
      order.push(`start ${text}`);
      await runWhatIsReady(5);
      order.push(`end ${text}`);
      return text;
    }),
  });
  const results = await Promise.all([thread.send('1'), thread.send('2'), thread.send('3')]);
  expect(results.map(({ text }) => text)).toEqual(['a', 'b', 'c']);
  expect(order).toEqual(['start a', 'end a', 'start b', 'end b', 'start c', 'end c']);
  expect(await lines(thread)).toEqual([
    ...['user: 1', 'assistant: a', 'user: 2'],
    ...['assistant: b', 'user: 3', 'assistant: c'],
  ]);
});

onBothStores('a turn that fails holds up none of the next', async ({ thread: start }) => {
  const { thread, events } = await start({ script: [new Error('boom'), 'fine'] });
  const [first, second] = await Promise.allSettled([thread.send('1'), thread.send('2')]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'model_failed' } });
  expect(second).toMatchObject({ status: 'fulfilled', value: { status: 'completed', text: 'fine' } });
  await runWhatIsReady();
  const ends = events.filter(({ type }) => type === 'turn_ended');
  expect(ends.map((event) => (event as { status: string }).status)).toEqual(['failed', 'completed']);
});

onBothStores('a turn is aborted only where somebody stopped it', async ({ thread: start }) => {
  const { thread } = await start({ script: [new RunError('aborted', 'the provider gave up')] });
  expect(await thrownBy(thread.send('1'))).toMatchObject({ code: 'aborted' });
});

onBothStores('a failed turn leaves an error row that the model never sees', async ({ thread: start }) => {
  const { thread, model } = await start({ script: [new Error('boom'), 'fine'] });
  await thrownBy(thread.send('1'));
  expect((await thread.messages()).at(-1)).toMatchObject({
    role: 'assistant',
    content: 'The turn ended with an error: model_failed.',
    error_code: 'model_failed',
  });
  await thread.send('2');
  expect(JSON.stringify(model.calls[1])).not.toContain('model_failed');
});

onBothStores('a message of a user must have a text, and may change afterwards', async ({ thread: start }) => {
  const { thread } = await start({ script: ['ok'] });
  const broken = await thrownBy(thread.send({ role: 'user' } as never));
  expect(broken).toMatchObject({ code: 'invalid_message' });
  expect(broken.message).toBe(
    'A user message needs a text or parts: send("…"), send({ content: "…" }) or send({ content: [{ type: "text", text: "…" }] }).',
  );
  const input = { content: 'as sent' };
  const sending = thread.send(input);
  input.content = 'changed later';
  await sending;
  expect((await lines(thread))[0]).toBe('user: as sent');
});

onBothStores('the system message may be a function; its failure is told without its text', async (kit) => {
  const systems: Array<() => string | Promise<string>> = [
    async () => 'Be brief.',
    () => {
      throw new Error('secret-in-system');
    },
    () => 7 as never,
  ];
  const { thread, model } = await kit.thread({
    prompt: { system: () => (systems.shift() as (typeof systems)[0])() },
    script: ['ok'],
  });
  await thread.send('1');
  expect(model.calls[0]?.prompt[0]).toEqual({ role: 'system', content: 'Be brief.' });
  const errors = [await thrownBy(thread.send('2')), await thrownBy(thread.send('3'))];
  expect(errors.map(({ message }) => message)).toEqual([
    'The system message of the prompt "prompt" could not be rendered: its function failed.',
    'The system message of the prompt "prompt" could not be rendered: its function gave no string.',
  ]);
  expect(errors.map(({ code }) => code)).toEqual(['invalid_result', 'invalid_result']);
});

onBothStores('queued messages and tools come at the start of the next step', async ({ thread: start }) => {
  const { thread, model } = await start({ tools: [ping], script: ['ok', 'fine'] });
  await thread.queue({ role: 'user', content: 'queued' }, { wake: false });
  const sending = thread.send('Go');
  await thread.state.queueTool('ping', {});
  await sending;
  const stored = ['user: Go', 'user: queued', 'assistant: null', 'tool: pong', 'assistant: ok'];
  expect(await lines(thread)).toEqual(stored);
  expect(model.calls[0]?.prompt).toHaveLength(4);
  await thread.send('Again');
  expect(await lines(thread)).toEqual([...stored, 'user: Again', 'assistant: fine']);
});

onBothStores('a turn with a hanging tool is running until it is stopped', async ({ thread: start }) => {
  const started = gate();
  const { thread } = await start({
    tools: [
      defineTool({
        name: 'hang',
        execute: () => {
          started.open();
          return never<string>();
        },
      }),
    ],
    script: [{ toolCalls: [{ name: 'hang' }] }],
  });
  const sending = thread.send('Go');
  await started.opened;
  expect(thread.state.execution.stepCount).toBe(1);
  void thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted', text: null, steps: 1 });
  expect(thread.state.execution.stepCount).toBe(0);
});

const broken = defineHook({
  hook: 'before_create_message',
  id: 'broken',
  onError: 'block',
  execute: async (_state, message) => {
    if (message.role === 'assistant') throw new Error('no luck');
    return message;
  },
});

onBothStores(
  'an error of a turn says its thread and its turn, whatever failed',
  async ({ thread: start }) => {
    const byHook = await start({ policies: [broken], script: ['Hello.'] });
    expect(await thrownBy(byHook.thread.send('Go', { id: 'one' }))).toMatchObject({
      code: 'hook_failed',
      hook: 'before_create_message',
      id: 'broken',
      threadId: byHook.thread.id,
      turnId: 'one',
    });
    // Kept with the thread, and told again.
    const again = await thrownBy(byHook.thread.send('Go', { id: 'one' }));
    expect(again).toMatchObject({ code: 'hook_failed', threadId: byHook.thread.id, turnId: 'one' });

    const byModel = await start({ script: [new Error('no luck')] });
    const failed = await thrownBy(byModel.thread.send('Go'));
    expect(failed).toMatchObject({ code: 'model_failed', threadId: byModel.thread.id });
    expect((failed as RunError).turnId).toMatch(/\S/);
  },
);
