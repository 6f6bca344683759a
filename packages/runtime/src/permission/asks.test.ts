import { type AnyHook, defineHook } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { gate, type Kit, lines, onBothStores, runWhatIsReady, type Setup } from '../../test/kit.ts';
import { defineAgent, definePrompt, defineTool, type PermissionAsk } from '../index.ts';

const pay = defineTool({ name: 'pay', permission: 'ask', execute: () => 'paid' });
const HOOK_MS = 2_000;
const SLOW_MS = 2_600;

/** A person who takes longer than any hook may. */
async function slowPerson(): Promise<boolean> {
  await runWhatIsReady(SLOW_MS);
  return true;
}

/** A hook that has a tool called when the user sends something. */
const invoking = (tool: string, answers: unknown[]): AnyHook =>
  defineHook({
    hook: 'before_user_message',
    id: 'invoking',
    timeout: HOOK_MS,
    execute: async (state) => {
      answers.push(await state.invokeTool(tool, {}));
      return null;
    },
  });

async function send(kit: Kit, setup: Setup): Promise<Record<string, string>> {
  const { thread } = await kit.thread({ script: ['ok'], ...setup });
  await thread.send('Go');
  return Object.fromEntries((await thread.runs()).map(({ id, outcome }) => [id, outcome]));
}

// Side by side: they wait for clocks.
describe.concurrent('the clock of a hook', () => {
  onBothStores('no clock runs while a person decides: of a hook that invoked the tool', async (kit) => {
    const answers: unknown[] = [];
    const outcomes = await send(kit, {
      policies: [invoking('pay', answers)],
      tools: [pay],
      onAsk: slowPerson,
    });
    expect(answers).toEqual([{ status: 'success', result: 'paid' }]);
    expect(outcomes).toEqual({ invoking: 'ok' });
  });

  onBothStores('… of a hook around a tool that invokes another', async (kit) => {
    const answers: unknown[] = [];
    const shop = defineTool({
      name: 'shop',
      execute: async (_input, { state }) => JSON.stringify(await state.invokeTool('pay', {})),
    });
    const policies = [invoking('shop', answers)];
    const outcomes = await send(kit, { policies, tools: [pay, shop], onAsk: slowPerson });
    expect(answers).toEqual([{ status: 'success', result: '{"status":"success","result":"paid"}' }]);
    expect(outcomes).toEqual({ invoking: 'ok' });
  });

  onBothStores('… of a hook around a whole subagent', async (kit) => {
    const answers: unknown[] = [];
    const outcomes = await send(kit, {
      hooks: [invoking('helper', answers)],
      prompt: { hooks: ['invoking'] },
      tools: [pay, defineTool({ name: 'helper', agent: 'child' })],
      agents: [defineAgent({ name: 'child', prompt: 'child' })],
      prompts: [definePrompt({ name: 'child', tools: ['pay'] })],
      script: [{ toolCalls: [{ name: 'pay' }] }, 'The child paid.', 'ok'],
      onAsk: slowPerson,
    });
    expect(answers).toEqual([{ status: 'success', result: 'The child paid.' }]);
    expect(outcomes).toEqual({ invoking: 'ok' });
  });

  onBothStores('… of a hook that runs in a hook', async (kit) => {
    const answers: unknown[] = [];
    const inner = defineHook({
      hook: 'after_create_message',
      id: 'inner',
      timeout: HOOK_MS,
      execute: async (state, { content }) => {
        if (content === 'note') answers.push(await state.invokeTool('pay', {}));
      },
    });
    const outer = defineHook({
      hook: 'before_user_message',
      id: 'outer',
      timeout: HOOK_MS,
      execute: async (state) => {
        await state.injectMessage({ role: 'user', content: 'note' });
        return null;
      },
    });
    const outcomes = await send(kit, { policies: [inner, outer], tools: [pay], onAsk: slowPerson });
    expect(answers).toEqual([{ status: 'success', result: 'paid' }]);
    expect(outcomes).toEqual({ inner: 'ok', outer: 'ok' });
  });

  onBothStores('the clock runs on once the person has decided', async (kit) => {
    const answers: unknown[] = [];
    const hangs = defineTool({
      name: 'pay',
      permission: 'ask',
      execute: () => runWhatIsReady(3 * HOOK_MS).then(() => 'paid'),
    });
    const policies = [invoking('pay', answers)];
    expect(await send(kit, { policies, tools: [hangs], onAsk: slowPerson })).toEqual({
      invoking: 'timed_out',
    });
  });
});

onBothStores('a person may say why not; the model is told', async (kit) => {
  const { thread } = await kit.thread({
    tools: [pay],
    script: [{ toolCalls: [{ name: 'pay' }] }, 'ok'],
    onAsk: () => ({ allow: false, reason: 'Too expensive.' }),
  });
  await thread.send('Go');
  expect(await lines(thread)).toContain(
    'tool: This tool call was denied. Permission was refused: Too expensive.',
  );
});

onBothStores('the question has what the hook wants the person to read', async (kit) => {
  const asks: PermissionAsk[] = [];
  const unsure = defineHook({
    hook: 'before_tool_call',
    id: 'unsure',
    execute: async (_) => ({ decision: 'ask', reason: 'for the model', userMessage: 'Really pay?' }),
  });
  const { thread, events } = await kit.thread({
    policies: [unsure],
    tools: [pay],
    script: [{ toolCalls: [{ id: 'c1', name: 'pay', input: { n: 1 } }] }, 'ok'],
    onAsk: (ask) => {
      asks.push(ask);
      return { allow: true };
    },
  });
  await thread.send('Go');
  await runWhatIsReady();
  expect(asks).toMatchObject([{ reason: 'for the model', userMessage: 'Really pay?', input: { n: 1 } }]);
  expect(events.filter(({ type }) => type.startsWith('permission') || type === 'notification')).toMatchObject(
    [
      { type: 'permission_asked', toolCallId: 'c1', tool: 'pay', input: '{"n":1}', reason: 'for the model' },
      { type: 'notification', notification: { kind: 'permission', message: 'Really pay?' } },
      { type: 'permission_answered', toolCallId: 'c1', allowed: true },
      { type: 'notification', notification: { kind: 'waiting' } },
    ],
  );
});

onBothStores(
  'nobody is asked twice: a rewrite is decided on first, and what was asked about is what runs',
  async (kit) => {
    const asked: unknown[] = [];
    const ran: unknown[] = [];
    const order: string[] = [];
    const tool = defineTool({
      name: 'pay',
      permission: 'ask',
      parameters: { type: 'object' },
      execute: (input: unknown) => {
        ran.push(input);
        return 'paid';
      },
    });
    const look = defineHook({
      hook: 'before_tool_call',
      id: 'look',
      execute: async (_, call) => {
        order.push(`decided on ${call.function.arguments}`);
        return null;
      },
    });
    const cap = defineHook({
      hook: 'before_permission_request',
      id: 'cap',
      execute: async (_) => ({ input: { euros: 20 } }),
    });
    const { thread } = await kit.thread({
      policies: [look, cap],
      tools: [tool],
      script: [{ toolCalls: [{ name: 'pay', input: { euros: 90 } }] }, 'ok'],
      onAsk: (ask) => {
        asked.push(ask.about === 'tool_call' && ask.input);
        order.push('asked');
        return true;
      },
    });
    await thread.send('Go');
    expect([asked, ran]).toEqual([[{ euros: 20 }], [{ euros: 20 }]]);
    expect(order).toEqual(['decided on {"euros":90}', 'decided on {"euros":20}', 'asked']);
  },
);

onBothStores('two calls of a batch are asked about at the same time', async (kit) => {
  const both = gate();
  let asked = 0;
  const { thread } = await kit.thread({
    tools: [pay],
    script: [{ toolCalls: [{ name: 'pay' }, { name: 'pay' }] }, 'ok'],
    onAsk: async () => {
      if (++asked === 2) both.open();
      await both.opened;
      return true;
    },
  });
  await thread.send('Go');
  expect((await lines(thread)).slice(2, 4)).toEqual(['tool: paid', 'tool: paid']);
});

onBothStores('a question that nobody answers any more is told to be over', async (kit) => {
  for (const ending of ['stop', 'delete'] as const) {
    const asked = gate();
    const { thread, events } = await kit.thread({
      tools: [pay],
      script: [{ toolCalls: [{ id: 'c1', name: 'pay' }] }],
      onAsk: () => {
        asked.open();
        return new Promise<boolean>(() => {});
      },
    });
    const sending = thread.send('Go');
    await asked.opened;
    await thread[ending]();
    expect(await sending).toMatchObject({ status: 'aborted' });
    await runWhatIsReady();
    expect(events.filter(({ type }) => type === 'permission_answered')).toEqual([
      {
        type: 'permission_answered',
        askId: expect.any(String),
        about: 'tool_call',
        toolCallId: 'c1',
        allowed: false,
      },
    ]);
  }
});

onBothStores('nobody is asked about a tool that is not there', async (kit) => {
  const asked: string[] = [];
  const other = defineTool({ name: 'other', permission: 'ask', execute: () => 'ran' });
  const unsure = defineHook({
    hook: 'before_tool_call',
    id: 'unsure',
    match: 'nothing',
    execute: async (_) => ({ decision: 'ask' }),
  });
  const { runtime } = kit.start({
    policies: [unsure],
    tools: [pay, other],
    prompt: { tools: ['pay'] },
    script: [{ toolCalls: [{ name: 'nothing' }, { name: 'other' }, { name: 'missing' }] }, 'ok'],
    onAsk: (ask) => asked.push(ask.about) > 0,
  });
  const thread = await runtime.createThread({ agent: 'agent', permissionMode: 'ask' });
  const events: unknown[] = [];
  thread.on((event) => event.type === 'tool_called' && events.push(event.decision));
  await thread.send('Go');
  expect(asked).toEqual([]);
  expect((await lines(thread)).filter((line) => line.startsWith('tool'))).toEqual(
    ['nothing', 'other', 'missing'].map(
      (name) => `tool: There is no tool named "${name}". Available tools: pay.`,
    ),
  );
  expect(events).toEqual(['unknown', 'unknown', 'unknown']);
});

onBothStores(
  'questions are told apart by their ids, whatever ids the provider gives the calls',
  async (kit) => {
    const waiting = new Map<string, { threadId: string; resolve: (allowed: boolean) => void }>();
    const paid: string[] = [];
    const payer = defineTool({
      name: 'pay',
      permission: 'ask',
      execute: (_input, { state }) => {
        paid.push(state.threadId);
        return 'paid';
      },
    });
    const calls = { toolCalls: [{ id: 'call_0', name: 'pay' }] };
    const { runtime } = kit.start({
      tools: [payer],
      script: [calls, calls, 'ok', 'ok'],
      onAsk: ({ id, threadId }) => new Promise((resolve) => waiting.set(id, { threadId, resolve })),
    });
    const threads = await Promise.all(
      ['alice', 'bob'].map((id) => runtime.createThread({ agent: 'agent', id })),
    );
    const asked: string[] = [];
    for (const thread of threads)
      thread.on((event) => event.type === 'permission_asked' && asked.push(event.askId));
    const turns = threads.map((thread) => thread.send('Go'));
    await expect.poll(() => waiting.size).toBe(2);
    expect([...waiting.keys()].sort()).toEqual(asked.sort());
    for (const { threadId, resolve } of waiting.values()) resolve(threadId === 'bob');
    await Promise.all(turns);
    expect(paid).toEqual(['bob']);
  },
);
