import {
  Agent,
  type getAllMcpTools,
  MemorySession,
  RunContext,
  Runner,
  RunState,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  user,
} from '@openai/agents';
import {
  assistantMessage,
  functionCall,
  modelError,
  modelStream,
  ScriptedModel,
  type ScriptedModelInput,
} from '@openai/agents/testing';
import { redact } from '@spec/builtins';
import { type AnyHook, defineHook, type RunRecord } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import { beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { createHooks, type OpenAIAgentsHook, type OpenAIAgentsOptions } from '../src/index.ts';

beforeAll(() => {
  setTraceProcessors([]);
  setTracingDisabled(true);
});

const pay = (args: object | string = { amount: 5 }, callId = 'call_1'): ScriptedModelInput => [
  functionCall('pay', args as string, { callId }),
];
const say = (text: string): ScriptedModelInput => [assistantMessage(text)];

const partial = (hooks: readonly AnyHook[]): OpenAIAgentsOptions => ({
  hooks,
  allowPartial: hooks.map(({ id }) => id),
});

function payTool(execute: (input: { amount: number }) => unknown = ({ amount }) => ({ paid: amount })) {
  const run = vi.fn(execute);
  return {
    run,
    pay: tool({
      name: 'pay',
      description: 'Pays.',
      parameters: z.object({ amount: z.number() }),
      execute: async (input) => run(input),
    }),
  };
}

function makeAgent(script: readonly ScriptedModelInput[], payment = payTool()) {
  const model = new ScriptedModel(script);
  const { run } = payment;
  return {
    run,
    model,
    agent: new Agent({ name: 'clerk', instructions: 'You pay.', model, tools: [payment.pay] }),
  };
}

const sent = (model: ScriptedModel, call: number): string => JSON.stringify(model.calls[call]?.request.input);

const asking = defineHook({
  hook: 'before_tool_call',
  id: 'asking',
  execute: async () => ({ decision: 'ask', reason: 'Money.' }),
});

describe('a tool call', () => {
  test('runs with what it was given, and gives what it gave, where hooks leave it alone', async () => {
    const runs: RunRecord[] = [];
    const look = defineHook({ hook: 'before_tool_call', id: 'look', execute: async () => null });
    const hooks = createHooks({ hooks: [look], onRun: (run) => runs.push(run) });
    const { run, agent, model } = makeAgent([pay(), say('Paid.')]);
    const result = await hooks.run(agent, 'pay');
    expectTypeOf(result.finalOutput).toEqualTypeOf<string | undefined>();
    expect([result.finalOutput, run.mock.calls]).toEqual(['Paid.', [[{ amount: 5 }]]]);
    expect(sent(model, 1)).toContain('{\\"paid\\":5}');
    expect(runs.map(({ id, outcome, about }) => [id, outcome, about])).toEqual([
      ['look', 'ok', { call: 'call_1' }],
    ]);
  });

  test('that is denied never runs, and the model is told why', async () => {
    const guard = defineHook({
      hook: 'before_tool_call',
      id: 'guard',
      match: 'pay',
      execute: async (_state, { input }) =>
        Number(input.amount) > 3 ? { decision: 'deny', reason: 'Too much.' } : null,
    });
    const { run, agent, model } = makeAgent([pay(), say('Sorry.')]);
    await createHooks({ hooks: [guard] }).run(agent, 'pay');
    expect(run).not.toHaveBeenCalled();
    expect(sent(model, 1)).toContain('This tool call was denied by guard. Too much.');
  });

  test('is rewritten; its result is replaced before model and session have it', async () => {
    const halve = defineHook({
      hook: 'before_tool_call',
      id: 'halve',
      execute: async (_state, { input }) => ({ input: { amount: Number(input.amount) / 2 } }),
    });
    const hide = defineHook({
      hook: 'before_store_tool_result',
      id: 'hide',
      execute: async (_state, _call, row) => ({ ...row, result: 'paid some' }),
    });
    const { run, agent, model } = makeAgent([pay(), say('Paid.')]);
    const session = new MemorySession();
    await createHooks({ hooks: [halve, hide] }).run(agent, 'pay', { session });
    expect(run.mock.calls).toEqual([[{ amount: 2.5 }]]);
    expect(sent(model, 1)).toContain('paid some');
    expect(JSON.stringify(await session.getItems())).not.toContain('2.5');
  });

  test('whose rewritten arguments do not fit the tool does not run', async () => {
    const spoil = defineHook({
      hook: 'before_tool_call',
      id: 'spoil',
      execute: async () => ({ input: { amount: 'much' } }),
    });
    const { run, agent } = makeAgent([pay(), say('Sorry.')]);
    await createHooks({ hooks: [spoil] }).run(agent, 'pay');
    expect(run).not.toHaveBeenCalled();
  });

  test('whose guard fails does not run, and nobody reads why', async () => {
    const broken = defineHook({
      hook: 'before_tool_call',
      id: 'broken',
      execute: async () => {
        throw new Error('secret');
      },
    });
    const { run, agent, model } = makeAgent([pay(), say('Sorry.')]);
    await createHooks({ hooks: [broken] }).run(agent, 'pay');
    expect(run).not.toHaveBeenCalled();
    expect(sent(model, 1)).not.toContain('secret');
  });

  test.each([true, false])(
    'that throws is told to after_tool_call_failure (tracing off: %s)',
    async (isOff) => {
      setTracingDisabled(isOff);
      const told: string[] = [];
      const explain = defineHook({
        hook: 'after_tool_call_failure',
        id: 'explain',
        execute: async (_state, _call, result) => ({ ...result, error: `${result.error} Try later.` }),
      });
      const success = defineHook({
        hook: 'after_tool_call_success',
        id: 'success',
        execute: async (_state, { id }) => {
          told.push(id);
          return null;
        },
      });
      const fail = payTool(() => {
        throw new Error('No funds.');
      });
      const { agent, model } = makeAgent([pay(), say('Sorry.')], fail);
      await createHooks(partial([explain, success])).run(agent, 'pay');
      setTracingDisabled(true);
      expect(sent(model, 1)).toContain(
        'An error occurred while running the tool. Please try again. Try later.',
      );
      expect(told).toEqual([]);
    },
  );

  test('in an agent that is a tool passes the hooks too, in a turn of its own', async () => {
    const seen: string[] = [];
    const turns = new Map<string, string>();
    const look = defineHook({
      hook: 'before_tool_call',
      id: 'look',
      execute: async ({ threadId }, call) => {
        seen.push(`${call.function.name} ${threadId}`);
        return null;
      },
    });
    const count = defineHook({
      hook: 'before_model_call',
      id: 'count',
      execute: async ({ execution }, { step }) => {
        turns.set(execution.flowId, `${turns.get(execution.flowId) ?? ''}${step}`);
        return null;
      },
    });
    const hooks = createHooks({ hooks: [look, count] });
    const inner = makeAgent([pay(), say('inner')]);
    const model = new ScriptedModel([
      [functionCall('clerk', { input: 'pay 5' }, { callId: 'outer' })],
      say('All done.'),
    ]);
    const clerk = hooks.hooked(inner.agent).asTool({ toolName: 'clerk' });
    const agent = new Agent({ name: 'boss', model, tools: [clerk] });
    const result = await hooks.inTurn({ threadId: 't' }).run(agent, 'pay');
    expect([seen, result.finalOutput]).toEqual([['clerk t', 'pay t'], 'All done.']);
    expect([...turns.values()]).toEqual(['12', '12']);
  });

  test('of an agent that was handed off to passes the hooks', async () => {
    const guard = defineHook({
      hook: 'before_tool_call',
      id: 'guard',
      execute: async () => ({ decision: 'deny' }),
    });
    const { agent, run } = makeAgent([pay(), say('Sorry.')]);
    const model = new ScriptedModel([[functionCall('transfer_to_clerk', {}, { callId: 'over' })]]);
    const first = new Agent({ name: 'desk', model, handoffs: [agent] });
    agent.handoffs = [first];
    const result = await createHooks({ hooks: [guard] }).run(first, 'pay');
    expect([run.mock.calls, result.finalOutput]).toEqual([[], 'Sorry.']);
  });
});

describe('a call that a hook asks about', () => {
  test.each([
    ['runs as it was when it was asked about', [0.5, 0.5], [{ amount: 2.5 }]],
    ['and as nothing else', [0.5, 100], []],
    ['nor as the model had given it', [0.5, 1], []],
  ] as const)('and rewrites %s', async (_, factors, paid) => {
    let [factor]: readonly number[] = factors;
    const halve = defineHook({
      hook: 'before_tool_call',
      id: 'halve',
      execute: async (_state, { input }) => ({
        decision: 'ask',
        input: { amount: Number(input.amount) * (factor ?? 0) },
      }),
    });
    const { run, agent } = makeAgent([pay(), say('Done.')]);
    const hooks = createHooks({ hooks: [halve] });
    const { state, interruptions } = await hooks.run(agent, 'pay');
    for (const interruption of interruptions) state.approve(interruption);
    factor = factors[1];
    await hooks.run(agent, state);
    expect(run.mock.calls.flat()).toEqual(paid);
  });

  test('interrupts the run, and runs once it is approved, also in another process', async () => {
    const { run, agent } = makeAgent([pay(), say('Paid.')]);
    const hooks = createHooks({ hooks: [asking] });
    const hooked = hooks.hooked(agent);
    const first = await hooks.run(hooked, 'pay');
    expect([run.mock.calls.length, first.interruptions[0]?.name]).toEqual([0, 'pay']);
    const state = await RunState.fromString(hooked, first.state.toString());
    const [interruption] = state.getInterruptions();
    if (interruption !== undefined) state.approve(interruption);
    const result = await hooks.run(hooked, state);
    expect([result.finalOutput, run.mock.calls]).toEqual(['Paid.', [[{ amount: 5 }]]]);
  });

  test('does not run where it is refused, nor where a hook denies it by then', async () => {
    let isClosed = false;
    const close = defineHook({
      hook: 'before_tool_call',
      id: 'close',
      execute: async () => (isClosed ? { decision: 'deny', reason: 'Closed.' } : null),
    });
    const hooks = createHooks({ hooks: [asking, close] });
    for (const answer of ['reject', 'approve'] as const) {
      isClosed = answer === 'approve';
      const { run, agent, model } = makeAgent([pay(), say('No.')]);
      const { state, interruptions } = await hooks.run(agent, 'pay');
      for (const interruption of interruptions) state[answer](interruption);
      isClosed = true;
      await hooks.run(agent, state);
      expect(run).not.toHaveBeenCalled();
      expect(sent(model, 1)).toContain(answer === 'reject' ? 'not approved' : 'Closed.');
      isClosed = false;
    }
  });

  test('is put to onAsk where there is one', async () => {
    const onAsk = vi.fn(() => false);
    const { run, agent } = makeAgent([pay(), say('Sorry.')]);
    const result = await createHooks({ hooks: [asking], onAsk }).run(agent, 'pay');
    expect([onAsk.mock.calls.length, run.mock.calls.length, result.interruptions]).toEqual([1, 0, []]);
  });

  test('in an agent that is a tool interrupts the outer run', async () => {
    const only = defineHook({ ...asking, match: 'pay' });
    const hooks = createHooks({ hooks: [only] });
    const { run, agent } = makeAgent([pay(), say('Paid.')]);
    const model = new ScriptedModel([
      [functionCall('clerk', { input: 'pay 5' }, { callId: 'outer' })],
      say('All done.'),
    ]);
    const inner = hooks.hooked(agent).asTool({ toolName: 'clerk' });
    const outer = new Agent({ name: 'boss', model, tools: [inner] });
    const { state, interruptions } = await hooks.run(outer, 'pay');
    expect([run.mock.calls.length, interruptions.length]).toEqual([0, 1]);
    for (const interruption of interruptions) state.approve(interruption);
    const result = await hooks.run(outer, state);
    expect([run.mock.calls.length, result.finalOutput]).toEqual([1, 'All done.']);
  });
});

describe('what the model is sent', () => {
  test('passes the hooks on the system message and the history, and keeps files as they are', async () => {
    const polite = defineHook({
      hook: 'after_system_message',
      id: 'polite',
      execute: async (_state, text) => `${text} Be polite.`,
    });
    const newest = defineHook({
      hook: 'filter_messages',
      id: 'newest',
      execute: async (_state, messages) => messages.slice(-2),
    });
    const shout = defineHook({
      hook: 'prefilter_llm_history',
      id: 'shout',
      execute: async (_state, messages) =>
        messages.map((message) =>
          message.role === 'user' ? { ...message, content: message.content?.toUpperCase() ?? null } : message,
        ),
    });
    const { agent, model } = makeAgent([say('Hi.')]);
    const image = { type: 'input_image', image: 'data:image/png;base64,AA==' } as const;
    const kept = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'kept', providerData: { a: 1 } }],
    } as const;
    const session = new MemorySession({
      initialItems: [user('old'), { ...kept, content: [...kept.content] }],
    });
    const parts = [{ type: 'input_text' as const, text: 'new' }, image];
    const input = [{ role: 'user' as const, content: parts }];
    await createHooks({ hooks: [polite, newest, shout] }).run(agent, input, { session });
    const { request } = model.calls[0] ?? {};
    expect(request?.systemInstructions).toBe('You pay. Be polite.');
    expect(request?.input).toEqual([
      kept,
      { role: 'user', content: [{ type: 'input_text', text: 'NEW' }, image] },
    ]);
    expect(JSON.stringify(await session.getItems())).not.toContain('NEW');
    expect(await session.getItems()).toHaveLength(4);
  });

  test('a filter that cuts an exchange in two leaves no half of it', async () => {
    const last = defineHook({
      hook: 'filter_messages',
      id: 'last',
      execute: async (_state, messages) => messages.slice(-1),
    });
    const { agent, model } = makeAgent([pay(), say('Paid.')]);
    await createHooks({ hooks: [last] }).run(agent, 'pay');
    expect(model.calls[1]?.request.input).toEqual([]);
  });

  test('a message of the user is rewritten before it is stored, and a denied one reaches no model', async () => {
    const guard = defineHook({
      hook: 'before_user_message',
      id: 'guard',
      execute: async (_state, { content }) =>
        content === 'bad' ? { decision: 'deny', reason: 'Not here.' } : { input: 'good' },
    });
    const { agent, model } = makeAgent([pay(), say('Paid.')]);
    const session = new MemorySession();
    const hooks = createHooks({ hooks: [guard] });
    await hooks.run(agent, 'so-so', { session });
    for (const call of [0, 1]) expect(sent(model, call)).toContain('good');
    expect((await session.getItems())[0]).toMatchObject({ role: 'user', content: 'good' });
    const denied = hooks.run(agent, [user('bad')], { session });
    await expect(denied).rejects.toMatchObject({ name: 'MessageDeniedError', message: 'Not here.' });
    expect(model.calls).toHaveLength(2);
  });

  test('contexts of hooks reach the model with its next call, and stay where they were said', async () => {
    const remind = defineHook({
      hook: 'after_tool_batch',
      id: 'remind',
      execute: async (_state, results) => `${results.length} paid`,
    });
    const { agent, model } = makeAgent([pay(), pay({ amount: 6 }, 'call_2'), say('Paid.')]);
    await createHooks({ hooks: [remind] }).run(agent, 'pay');
    const kinds = model.calls.map(({ request: { input } }) =>
      typeof input === 'string' ? [input] : input.map((item) => ('role' in item ? item.role : item.type)),
    );
    const exchange = ['function_call', 'function_call_result', 'user'];
    expect(kinds).toEqual([['user'], ['user', ...exchange], ['user', ...exchange, ...exchange]]);
    expect(sent(model, 2)).toContain('1 paid');
  });

  test('a rewritten message keeps its images', async () => {
    const guard = defineHook({
      hook: 'before_user_message',
      id: 'guard',
      execute: async () => ({ input: 'good' }),
    });
    const { agent, model } = makeAgent([say('Hi.')]);
    const image = { type: 'input_image', image: 'data:image/png;base64,AA==' } as const;
    const content = [{ type: 'input_text' as const, text: 'so-so' }, image];
    await createHooks({ hooks: [guard] }).run(agent, [
      user('old'),
      assistantMessage('ok'),
      { role: 'user', content },
    ]);
    expect(model.calls[0]?.request.input).toMatchObject([
      { content: [{ text: 'old' }] },
      { role: 'assistant' },
      { content: [{ type: 'input_text', text: 'good' }, image] },
    ]);
  });

  test.each([true, false])('a batch that ends the run is told of (streamed: %s)', async (stream) => {
    const told = vi.fn();
    const remind = defineHook({
      hook: 'after_tool_batch',
      id: 'remind',
      execute: async (_state, results) => {
        told(results.length);
        return null;
      },
    });
    const { agent } = makeAgent([pay()]);
    agent.toolUseBehavior = 'stop_on_first_tool';
    const hooks = createHooks({ hooks: [remind] });
    const result = stream ? await hooks.run(agent, 'pay', { stream }) : await hooks.run(agent, 'pay');
    if ('completed' in result) for await (const _ of result) void _;
    await expect.poll(() => told.mock.calls).toEqual([[1]]);
  });

  test('hooks read the session as their thread', async () => {
    const seen: unknown[] = [];
    const read = defineHook({
      hook: 'before_model_call',
      id: 'read',
      execute: async (state) => {
        seen.push(
          state.threadId,
          (await state.getMessages()).map(({ content }) => content),
        );
        return null;
      },
    });
    const { agent } = makeAgent([say('Hi.')]);
    const session = new MemorySession({ sessionId: 'chat-1', initialItems: [user('old')] });
    await createHooks({ hooks: [read] }).run(agent, 'new', { session });
    expect(seen).toEqual(['chat-1', ['old']]);
  });
});

describe('a call of the model', () => {
  const decide = (decision: object) =>
    defineHook({ hook: 'before_model_call', id: 'decide', execute: async () => decision });

  test('is decided on and told of: denied, answered, sent to another model, with what it used', async () => {
    const told: unknown[] = [];
    const tell = defineHook({
      hook: 'after_model_call',
      id: 'tell',
      execute: async (_state, { model, step, attempt, cached, errorCode }) =>
        void told.push([model, step, attempt, cached, errorCode]),
    });
    const { agent, model } = makeAgent([say('Hi.')]);
    const denied = createHooks({ hooks: [decide({ decision: 'deny' }), tell] }).run(agent, 'x');
    await expect(denied).rejects.toMatchObject({ code: 'model_denied' });
    const answering = createHooks({ hooks: [decide({ result: { content: 'cached' } }), tell] });
    expect((await answering.run(agent, 'x')).finalOutput).toBe('cached');
    const streamed = await answering.run(agent, 'x', { stream: true });
    let text = '';
    for await (const piece of streamed.toTextStream()) text += piece;
    expect([text, model.calls]).toEqual(['cached', []]);
    const small = new ScriptedModel([say('small')]);
    const input = { model: 'small', settings: { temperature: 0 }, tools: [] };
    const routing = createHooks({ hooks: [decide({ input }), tell], models: { small } });
    expect((await routing.run(agent, 'x')).finalOutput).toBe('small');
    expect(small.calls[0]?.request).toMatchObject({ modelSettings: { temperature: 0 }, tools: [] });
    expect(told).toEqual([
      ['unnamed', 1, 1, false, 'model_denied'],
      ['unnamed', 1, 1, true, null],
      ['unnamed', 1, 1, true, null],
      ['small', 1, 1, false, null],
    ]);
    const unknown = createHooks({ hooks: [decide({ input: { model: 'big' } })] }).run(agent, 'x');
    await expect(unknown).rejects.toMatchObject({ code: 'model_denied' });
  });

  test('whose stream breaks is told of', async () => {
    const told: unknown[] = [];
    const tell = defineHook({
      hook: 'after_model_call',
      id: 'tell',
      execute: async (_state, { errorCode }) => void told.push(errorCode),
    });
    async function* broken(): AsyncIterable<never> {
      yield* [];
      throw new Error('gone');
    }
    const agent = new Agent({ name: 'a', model: new ScriptedModel([modelStream(broken())]) });
    const result = await createHooks({ hooks: [tell] }).run(agent, 'x', { stream: true });
    await expect(result.completed).rejects.toThrow('gone');
    expect(told).toEqual(['model_failed']);
  });

  test('that fails is told of, and one that the SDK makes again is another attempt of the same step', async () => {
    const told: unknown[] = [];
    const tell = defineHook({
      hook: 'after_model_call',
      id: 'tell',
      execute: async (_state, { step, attempt, errorCode }) => void told.push([step, attempt, errorCode]),
    });
    const model = new ScriptedModel([modelError(new Error('busy')), say('Hi.')]);
    const retry = { maxRetries: 1, policy: () => true, backoff: { initialDelayMs: 1 } };
    const agent = new Agent({ name: 'a', model, modelSettings: { retry } });
    await createHooks({ hooks: [tell] }).run(agent, 'x');
    expect(told).toEqual([
      [1, 1, 'model_failed'],
      [1, 2, null],
    ]);
  });

  test('of a model of the runner passes the hooks', async () => {
    const seen: string[] = [];
    const look = defineHook({
      hook: 'before_model_call',
      id: 'look',
      execute: async (_state, { model }) => {
        seen.push(model);
        return null;
      },
    });
    const modelProvider = { getModel: () => new ScriptedModel([say('Hi.')]) };
    const hooks = createHooks({ hooks: [look], runConfig: { modelProvider } });
    await hooks.run(new Agent({ name: 'a', model: 'gpt-6' }), 'x');
    const model = new ScriptedModel([say('Hi.')]);
    const own = createHooks({ hooks: [look], runConfig: { model }, models: { mine: model } });
    await own.run(new Agent({ name: 'a' }), 'x');
    expect(seen).toEqual(['gpt-6', 'mine']);
  });
});

describe('an answer', () => {
  const raw = 'Write to ada@example.com, please. '.repeat(20);

  test('is redacted before the application and the session have it, and so is what the model is sent', async () => {
    const hooks = createHooks(partial(redact()));
    const { agent, model } = makeAgent([say(raw)]);
    const session = new MemorySession();
    const result = await hooks.run(agent, 'I am eve@example.com', { session });
    expect(result.finalOutput).toContain('[EMAIL_');
    expect(JSON.stringify([result.history, await session.getItems(), model.calls])).not.toMatch(/(ada|eve)@/);
  });

  test('streams behind the window of redact: no raw value leaves, and text leaves before the end', async () => {
    const { agent } = makeAgent([say(raw)]);
    const result = await createHooks(partial(redact())).run(agent, 'hi', { stream: true });
    const seen: string[] = [];
    const events: unknown[] = [];
    for await (const event of result) {
      events.push(event);
      if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta')
        seen.push(event.data.delta);
    }
    expect(seen.join('')).toBe(result.finalOutput);
    expect(seen.join('')).toContain('[EMAIL_1]');
    expect(JSON.stringify(seen)).not.toContain('ada@');
  });

  test('whose calls a hook strips runs none of them, streamed or not', async () => {
    const strip = defineHook({
      hook: 'before_create_message',
      id: 'strip',
      execute: async (_state, { tool_calls: _calls, ...message }) =>
        message.role === 'assistant' ? { ...message, content: 'I must not pay.' } : message,
    });
    const hooks = createHooks(partial([strip]));
    for (const stream of [true, false]) {
      const { agent, run } = makeAgent([pay()]);
      const result = stream ? await hooks.run(agent, 'pay', { stream }) : await hooks.run(agent, 'pay');
      if ('completed' in result) for await (const _ of result) void _;
      expect([result.finalOutput, run.mock.calls]).toEqual(['I must not pay.', []]);
    }
  });

  test('streams as it comes where no hook is on answers; hooks on tools work in streams too', async () => {
    const guard = defineHook({
      hook: 'before_tool_call',
      id: 'guard',
      execute: async () => ({ decision: 'deny' }),
    });
    const { agent, run } = makeAgent([pay(), say('All done.')]);
    const result = await createHooks({ hooks: [guard] }).run(agent, 'pay', { stream: true });
    let text = '';
    for await (const piece of result.toTextStream()) text += piece;
    expect([text, run.mock.calls]).toEqual(['All done.', []]);
  });

  test('rows of results pass before_create_message too', async () => {
    const mark = defineHook({
      hook: 'before_create_message',
      id: 'mark',
      execute: async (_state, message) => ({ ...message, content: `<${message.role}> ${message.content}` }),
    });
    const { agent, model } = makeAgent([pay(), say('Paid.')]);
    const hooks = createHooks(partial([mark]));
    const result = await hooks.run(agent, 'pay');
    expect(sent(model, 1)).toContain('<tool> {\\"paid\\":5}');
    expect([sent(model, 0).includes('<user> pay'), result.finalOutput]).toEqual([true, '<assistant> Paid.']);
    const streamed = await hooks.run(makeAgent([say('Hi.')]).agent, 'hi', { stream: true });
    let text = '';
    for await (const piece of streamed.toTextStream()) text += piece;
    expect(text).toBe('<assistant> Hi.');
  });

  test('that is changed goes on without its reasoning, and without ids that the provider knows with it', async () => {
    const mark = defineHook({
      hook: 'before_create_message',
      id: 'mark',
      execute: async (_state, message) => ({ ...message, content: 'changed' }),
    });
    const reasoning = {
      type: 'reasoning' as const,
      content: [{ type: 'input_text' as const, text: 'secret' }],
    };
    const call = functionCall('pay', { amount: 5 }, { callId: 'call_1', id: 'fc_1' });
    const { agent, model } = makeAgent([[reasoning, assistantMessage('raw'), call], say('Paid.')]);
    await createHooks(partial([mark])).run(agent, 'pay');
    expect(sent(model, 1)).not.toMatch(/secret|raw|fc_1/);
  });
});

test('a hook that stops the turn ends it after the step', async () => {
  const stop = defineHook({
    hook: 'after_tool_call_success',
    id: 'stop',
    execute: async (state) => {
      state.execution.stop();
      return null;
    },
  });
  const { agent, model } = makeAgent([pay(), say('never')]);
  await createHooks({ hooks: [stop] }).run(agent, 'pay');
  expect(model.calls).toHaveLength(1);
});

test('runs at the same time keep their turns apart', async () => {
  const seen: string[] = [];
  const look = defineHook({
    hook: 'before_tool_call',
    id: 'look',
    execute: async ({ threadId }, { input }) => {
      seen.push(`${threadId} ${input.amount}`);
      return null;
    },
  });
  const hooks = createHooks({ hooks: [look] });
  const runs = [1, 2, 3].map(async (amount) => {
    const { agent } = makeAgent([pay({ amount }), say('Paid.')]);
    await hooks.inTurn({ threadId: `t${amount}` }).run(agent, 'pay');
  });
  await Promise.all(runs);
  expect(seen.toSorted()).toEqual(['t1 1', 't2 2', 't3 3']);
});

describe('refused with the reason and the way out', () => {
  const look = defineHook({ hook: 'before_tool_call', id: 'look', execute: async () => null });
  const hooks = createHooks({ hooks: [look] });

  test('hooks that the SDK would never run, which do not compile either', () => {
    const goOn = defineHook({ hook: 'before_stop', id: 'go_on', execute: async () => null });
    // @ts-expect-error before_stop never runs here
    const give: OpenAIAgentsOptions = { hooks: [goOn] };
    expect(() => createHooks(give)).toThrow(
      'go_on (before_stop) never runs: the OpenAI Agents SDK ends its runs by itself.',
    );
    expect(createHooks({ hooks: [goOn], allowPartial: ['go_on'] }).scope).toEqual({});
    expectTypeOf(look).toExtend<OpenAIAgentsHook>();
  });

  test('tools that no hook sees', async () => {
    const search = { type: 'hosted_tool', name: 'web_search', providerData: {} } as const;
    const agent = new Agent({ name: 'a', tools: [search] });
    expect(() => hooks.hooked(agent)).toThrow(
      'No hook sees the calls of "web_search": it runs at the provider or in a computer, shell or editor. Leave it out, or accept that: allowUnwrapped: ["web_search"].',
    );
    expect(() => createHooks({ hooks: [look], allowUnwrapped: ['web_search'] }).hooked(agent)).not.toThrow();
    expect(() => createHooks({}).hooked(agent)).not.toThrow();
    const server = { name: 'files' } as Parameters<typeof getAllMcpTools>[0] extends {
      mcpServers: (infer S)[];
    }
      ? S
      : never;
    expect(() => hooks.hooked(new Agent({ name: 'b', mcpServers: [server] }))).toThrow('getAllMcpTools');
  });

  test('a prompt and a history that are kept at the provider', async () => {
    const system = defineHook({ hook: 'after_system_message', id: 's', execute: async () => null });
    const filter = defineHook({
      hook: 'filter_messages',
      id: 'f',
      execute: async (_state, messages) => messages,
    });
    const agent = new Agent({ name: 'a', prompt: { promptId: 'p' } });
    expect(() => createHooks({ hooks: [system] }).hooked(agent)).toThrow('Give it instructions instead.');
    const run = createHooks({ hooks: [filter] }).run(new Agent({ name: 'a' }), 'x', { conversationId: 'c' });
    await expect(run).rejects.toThrow('Give a session instead.');
  });

  test('what is no agent, and a run without what the user says', async () => {
    expect(() => hooks.hooked('clerk' as never)).toThrow('An agent of @openai/agents is needed first');
    await expect(hooks.run(undefined as never, 'pay')).rejects.toThrow('got nothing.');
    const { agent } = makeAgent([say('Hi.')]);
    await expect(hooks.run(agent, undefined as never)).rejects.toThrow('run needs what the user says');
  });

  test('agents with hooks in a run without them, and the other way round', async () => {
    const { agent } = makeAgent([pay(), say('Paid.')]);
    const modelProvider = { getModel: () => new ScriptedModel([say('Hi.')]) };
    const named = hooks.hooked(new Agent({ name: 'a', model: 'gpt-6' }));
    await expect(new Runner({ modelProvider }).run(named, 'pay')).rejects.toThrow(
      'An agent with hooks was run without them.',
    );
    const state = new RunState(new RunContext(), 'pay', agent, 3);
    await expect(hooks.run(agent, state)).rejects.toThrow('This state is one of an agent without hooks.');
  });
});

/** Marks what it sees, and takes an address out. */
const mask = defineHook({
  hook: 'before_create_message',
  id: 'mask',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replaceAll('ada', '***') ?? null,
    seen: true,
  }),
});

const listStored = async (store: Store, threadId: string): Promise<string[]> =>
  (await store.listMessages(threadId)).map(({ role, content, seen }) => `${role}: ${content} ${seen}`);

test('with a store, a thread has every message as its chain made it, and the runs of its hooks', async () => {
  const store = memoryStore();
  const { agent } = makeAgent(
    [pay(), say('Paid, ada.')],
    payTool(() => 'ada has it'),
  );
  const session = new MemorySession({ sessionId: 'chat-1' });
  await createHooks({ hooks: [mask], store }).run(agent, 'I am ada.', { session });
  expect(await listStored(store, 'chat-1')).toEqual([
    'user: I am ***. true',
    'assistant: null true',
    'tool: *** has it true',
    'assistant: Paid, ***. true',
  ]);
  expect((await store.listRuns({ threadId: 'chat-1' })).map(({ id }) => id)).toEqual([
    'mask',
    'mask',
    'mask',
    'mask',
  ]);
  expect(JSON.stringify(await session.getItems())).not.toMatch(/\bada\b/);
});

test('a tool gets the values behind the placeholders of redact, and the model does not', async () => {
  const sentTo: string[] = [];
  const mail = tool({
    ...{ name: 'mail', description: 'Mails.', parameters: z.object({ to: z.string() }) },
    execute: async ({ to }) => {
      sentTo.push(to);
      return `sent to ${to}`;
    },
  });
  const model = new ScriptedModel([
    [functionCall('mail', { to: '[EMAIL_1]' } as never, { callId: 'c' })],
    say('Sent.'),
  ]);
  const agent = new Agent({ name: 'clerk', instructions: 'You mail.', model, tools: [mail] });
  await createHooks(partial(redact({ restore: 'tools' }))).run(agent, 'Mail ada@example.com');
  expect(sentTo).toEqual(['ada@example.com']);
  expect(sent(model, 1)).toContain('sent to [EMAIL_1]');
  expect(sent(model, 0) + sent(model, 1)).not.toContain('ada@example.com');
});
