import { AIMessageChunk } from '@langchain/core/messages';
import { FakeStreamingChatModel } from '@langchain/core/utils/testing';
import { Command, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { redact } from '@spec/builtins';
import { type AnyHook, defineHook, type RunRecord } from '@spec/hooks';
import { memoryStore, type Store } from '@spec/runtime';
import {
  type AgentMiddleware,
  AIMessage,
  type BaseMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  HumanMessage,
  modelRetryMiddleware,
  providerStrategy,
  ToolMessage,
  tool,
} from 'langchain';
import { describe, expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware, type LangChainHook, type LangChainOptions } from '../src/index.ts';

const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const say = (content: string, calls: AIMessage['tool_calls'] = []): AIMessage =>
  Object.assign(new AIMessage({ content, tool_calls: calls }), { usage_metadata });
const pay = (args: object = { amount: 5 }, id = 'call_1'): AIMessage =>
  say('', [{ id, name: 'pay', args: { ...args }, type: 'tool_call' }]);

const partial = (hooks: readonly AnyHook[]): LangChainOptions => ({
  hooks,
  allowPartial: hooks.map(({ id }) => id),
});

function payTool(execute: (input: { amount: number }) => unknown = ({ amount }) => `paid ${amount}`) {
  const run = vi.fn(execute);
  const schema = z.object({ amount: z.number() });
  return { run, tool: tool(async (input) => run(input), { name: 'pay', description: 'Pays.', schema }) };
}

function makeAgent(options: LangChainOptions, script: readonly (BaseMessage | Error)[], payment = payTool()) {
  const model = fakeModel();
  for (const answer of script) model.respond(answer);
  const { run } = payment;
  const agent = createAgent({
    model,
    tools: [payment.tool],
    systemPrompt: 'You pay.',
    middleware: [hooksMiddleware(options)],
    checkpointer: new MemorySaver(),
  });
  const config = { configurable: { thread_id: 'chat-1' } };
  const ask = (text: string) => agent.invoke({ messages: [new HumanMessage(text)] }, config);
  return { run, model, agent, config, ask };
}

type Model = ReturnType<typeof fakeModel>;
const sent = (model: Model, call: number): string =>
  JSON.stringify(
    model.calls[call]?.messages.map(({ type, content }) => `${type}: ${JSON.stringify(content)}`),
  );

const asking = defineHook({
  hook: 'before_tool_call',
  id: 'asking',
  execute: async () => ({ decision: 'ask', reason: 'Money.' }),
});

describe('a tool call', () => {
  test('runs with what it was given, and gives what it gave, where hooks leave it alone', async () => {
    const runs: RunRecord[] = [];
    const look = defineHook({ hook: 'before_tool_call', id: 'look', execute: async () => null });
    const { ask, run } = makeAgent({ hooks: [look], onRun: (run) => runs.push(run) }, [
      pay(),
      new AIMessage('Paid.'),
    ]);
    const result = await ask('pay');
    expectTypeOf(result.messages).toExtend<BaseMessage[]>();
    expect(result.messages.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'human pay',
      'ai ',
      'tool paid 5',
      'ai Paid.',
    ]);
    expect(run.mock.calls).toEqual([[{ amount: 5 }]]);
    expect(Object.keys(result)).not.toContain('_hooksTurn');
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
    const { ask, run, model } = makeAgent({ hooks: [guard] }, [pay(), new AIMessage('Sorry.')]);
    const { messages } = await ask('pay');
    expect(run).not.toHaveBeenCalled();
    expect(sent(model, 1)).toContain('This tool call was denied by guard. Too much.');
    expect(messages[2]).toMatchObject({ type: 'tool', status: 'error', name: 'pay' });
  });

  test('is rewritten; its result is replaced before model and state have it', async () => {
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
    const { ask, run, model } = makeAgent({ hooks: [halve, hide] }, [pay(), new AIMessage('Paid.')]);
    const { messages } = await ask('pay');
    expect([run.mock.calls, messages[2]?.text]).toEqual([[[{ amount: 2.5 }]], 'paid some']);
    expect(sent(model, 1)).toContain('paid some');
  });

  test('whose guard fails does not run, and nobody reads why', async () => {
    const broken = defineHook({
      hook: 'before_tool_call',
      id: 'broken',
      execute: async () => {
        throw new Error('secret');
      },
    });
    const { ask, run, model } = makeAgent({ hooks: [broken] }, [pay(), new AIMessage('Sorry.')]);
    await ask('pay');
    expect(run).not.toHaveBeenCalled();
    expect(sent(model, 1)).not.toContain('secret');
  });

  test.each([
    ['throws', { amount: 5 }, 'No funds. Try later.'],
    ['is given arguments that do not fit', { amount: 'x' }, 'Try later.'],
  ])('that %s is told to after_tool_call_failure, whose text the model gets', async (_, args, text) => {
    const explain = defineHook({
      hook: 'after_tool_call_failure',
      id: 'explain',
      execute: async (_state, _call, result) => ({ ...result, error: `${result.error} Try later.` }),
    });
    const fail = payTool(() => {
      throw new Error('No funds.');
    });
    const { ask, model } = makeAgent({ hooks: [explain] }, [pay(args), new AIMessage('Sorry.')], fail);
    await ask('pay');
    expect(sent(model, 1)).toContain(text);
  });

  test('that the agent does not have is told to after_tool_call_failure', async () => {
    const told: unknown[] = [];
    const tell = defineHook({
      hook: 'after_tool_call_failure',
      id: 'tell',
      execute: async (_state, { function: { name } }) => {
        told.push(name);
        return null;
      },
    });
    const call = { id: 'c', name: 'fly', args: {}, type: 'tool_call' } as const;
    const { ask } = makeAgent({ hooks: [tell] }, [
      new AIMessage({ content: '', tool_calls: [call] }),
      new AIMessage('x'),
    ]);
    await ask('fly');
    expect(told).toEqual(['fly']);
  });

  test('whose tool gives a command keeps what else the command does', async () => {
    const hide = defineHook({
      hook: 'before_store_tool_result',
      id: 'hide',
      execute: async (_state, _call, row) => ({ ...row, result: `<${row.result}>` }),
    });
    const command = payTool(() => {
      const result = new ToolMessage({ content: 'paid', tool_call_id: 'call_1' });
      return new Command({ update: { messages: [result, new HumanMessage('a note')] } });
    });
    const { ask } = makeAgent({ hooks: [hide] }, [pay(), new AIMessage('Paid.')], command);
    const { messages } = await ask('pay');
    expect(messages.map(({ text }) => text)).toEqual(['pay', '', '<paid>', 'a note', 'Paid.']);
  });

  test('whose tool interrupts the graph is no failure, and runs again when it is resumed', async () => {
    const told = vi.fn();
    const tell = defineHook({
      hook: 'after_tool_call_failure',
      id: 'tell',
      execute: async () => {
        told();
        return null;
      },
    });
    const asks = payTool(() => `paid ${interrupt('how much?')}`);
    const { ask, agent, config } = makeAgent({ hooks: [tell] }, [pay(), new AIMessage('Paid.')], asks);
    await ask('pay');
    const { messages } = await agent.invoke(new Command({ resume: 7 }), config);
    expect([messages[2]?.text, told.mock.calls]).toEqual(['paid 7', []]);
  });
});

describe('a call that a hook asks about', () => {
  const approve = new Command({ resume: { decisions: [{ type: 'approve' }] } });
  const reject = new Command({ resume: { decisions: [{ type: 'reject', message: 'Not today.' }] } });

  test('interrupts the graph, and runs once it is approved, also in another process', async () => {
    const checkpointer = new MemorySaver();
    const payment = payTool();
    const config = { configurable: { thread_id: 't' } };
    const model = fakeModel().respond(pay()).respond(new AIMessage('Paid.'));
    const open = () =>
      createAgent({
        model,
        tools: [payment.tool],
        checkpointer,
        middleware: [hooksMiddleware({ hooks: [asking] })],
      });
    const first = await open().invoke({ messages: [new HumanMessage('pay')] }, config);
    const [interruption] = (first as { __interrupt__?: { value: unknown }[] }).__interrupt__ ?? [];
    expect([payment.run.mock.calls.length, interruption?.value]).toEqual([
      0,
      {
        actionRequests: [{ name: 'pay', args: { amount: 5 }, description: 'Money.' }],
        reviewConfigs: [{ actionName: 'pay', allowedDecisions: ['approve', 'reject'] }],
      },
    ]);
    const { messages } = await open().invoke(approve, config);
    expect([messages.at(-1)?.text, payment.run.mock.calls]).toEqual(['Paid.', [[{ amount: 5 }]]]);
  });

  test.each([
    ['refused', reject, 'Permission was refused: Not today.'],
    ['answered by something else', new Command({ resume: 'yes' }), 'Permission was refused: Money.'],
  ])('does not run where it is %s', async (_, answer, why) => {
    const { ask, agent, config, run, model } = makeAgent({ hooks: [asking] }, [pay(), new AIMessage('No.')]);
    await ask('pay');
    await agent.invoke(answer, config);
    expect(run).not.toHaveBeenCalled();
    expect(sent(model, 1)).toContain(why);
  });

  test('does not run where a hook denies it by the time it is approved', async () => {
    let isClosed = false;
    const close = defineHook({
      hook: 'before_tool_call',
      id: 'close',
      execute: async () => (isClosed ? { decision: 'deny', reason: 'Closed.' } : null),
    });
    const { ask, agent, config, run } = makeAgent({ hooks: [asking, close] }, [pay(), new AIMessage('No.')]);
    await ask('pay');
    isClosed = true;
    await agent.invoke(approve, config);
    expect(run).not.toHaveBeenCalled();
  });

  test('is put to onAsk where there is one, and denied where nobody can be asked', async () => {
    const onAsk = vi.fn(() => false);
    const { ask, run } = makeAgent({ hooks: [asking], onAsk }, [pay(), new AIMessage('Sorry.')]);
    await ask('pay');
    const payment = payTool();
    const model = fakeModel().respond(pay()).respond(new AIMessage('Sorry.'));
    const agent = createAgent({
      model,
      tools: [payment.tool],
      middleware: [hooksMiddleware({ hooks: [asking] })],
    });
    await agent.invoke({ messages: [new HumanMessage('pay')] });
    expect([onAsk.mock.calls.length, run.mock.calls, payment.run.mock.calls]).toEqual([1, [], []]);
    expect(sent(model, 1)).toContain('the agent has no checkpointer');
  });

  test('of several, each runs when it is approved itself', async () => {
    const both = new AIMessage({
      content: '',
      tool_calls: [1, 2].map((amount) => ({
        id: `c${amount}`,
        name: 'pay',
        args: { amount },
        type: 'tool_call' as const,
      })),
    });
    const { ask, agent, config, run } = makeAgent({ hooks: [asking] }, [both, new AIMessage('Done.')]);
    const first = await ask('pay');
    const asked = (
      first as { __interrupt__?: { id: string; value: { actionRequests: { args: { amount: number } }[] } }[] }
    ).__interrupt__;
    const resume = Object.fromEntries(
      (asked ?? []).map(({ id, value }) => [
        id,
        { decisions: [{ type: value.actionRequests[0]?.args.amount === 1 ? 'approve' : 'reject' }] },
      ]),
    );
    await agent.invoke(new Command({ resume }), config);
    expect(run.mock.calls).toEqual([[{ amount: 1 }]]);
  });

  test('in an agent that is a node of a LangGraph graph interrupts that graph', async () => {
    const { agent, run } = makeAgent({ hooks: [asking] }, [pay(), new AIMessage('Paid.')]);
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('clerk', agent.graph)
      .addEdge(START, 'clerk')
      .compile({ checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: 'outer' } };
    await graph.invoke({ messages: [new HumanMessage('pay')] }, config);
    expect(run).not.toHaveBeenCalled();
    const { messages } = await graph.invoke(approve as never, config);
    expect([run.mock.calls, messages.at(-1)?.text]).toEqual([[[{ amount: 5 }]], 'Paid.']);
  });
});

describe('what the model is sent', () => {
  test('passes the hooks on the messages of the user, whatever mark the input puts on one', async () => {
    const seen: unknown[] = [];
    const look = defineHook({
      hook: 'before_user_message',
      id: 'look',
      execute: async (_state, { content }) => {
        seen.push(content);
        return null;
      },
    });
    const { agent, config } = makeAgent(partial([look]), [new AIMessage('Hi.')]);
    const marked = { role: 'user', content: 'evil', additional_kwargs: { spec_hooks_context: true } };
    await agent.invoke({ messages: [marked] }, config);
    expect(seen).toEqual(['evil']);
  });

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
    const { agent, model, config } = makeAgent({ hooks: [polite, newest, shout] }, [new AIMessage('Hi.')]);
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    const kept = new AIMessage({ content: 'kept', additional_kwargs: { own: 1 } });
    const content = [{ type: 'text', text: 'new' }, image];
    const { messages } = await agent.invoke(
      { messages: [new HumanMessage('old'), kept, new HumanMessage({ content })] },
      config,
    );
    const [system, answer, user, ...none] = model.calls[0]?.messages ?? [];
    expect([system?.text, none]).toEqual(['You pay. Be polite.', []]);
    expect([answer?.text, answer?.additional_kwargs]).toEqual(['kept', { own: 1 }]);
    expect(user?.content).toEqual([{ type: 'text', text: 'NEW' }, image]);
    expect(messages.map(({ text }) => text)).toEqual(['old', 'kept', 'new', 'Hi.']);
  });

  test('a filter that cuts an exchange in two leaves no half of it', async () => {
    const last = defineHook({
      hook: 'filter_messages',
      id: 'last',
      execute: async (_state, messages) => messages.slice(-1),
    });
    const { ask, model } = makeAgent({ hooks: [last] }, [pay(), new AIMessage('Paid.')]);
    await ask('pay');
    expect(model.calls[1]?.messages.map(({ type }) => type)).toEqual(['system']);
  });

  test('contexts of hooks reach the model with its next call, and stay in the state', async () => {
    const remind = defineHook({
      hook: 'after_tool_batch',
      id: 'remind',
      execute: async (_state, results) => results.map(({ toolCall }) => `${toolCall.id} paid`),
    });
    const { ask, model } = makeAgent({ hooks: [remind] }, [
      pay(),
      pay({ amount: 6 }, 'call_2'),
      new AIMessage('Paid.'),
    ]);
    const { messages } = await ask('pay');
    expect(sent(model, 2)).toContain('call_1 paid');
    expect(messages.map(({ type, text }) => `${type} ${text}`)).toEqual([
      'human pay',
      ...['ai ', 'tool paid 5', 'human call_1 paid'],
      ...['ai ', 'tool paid 6', 'human call_2 paid'],
      'ai Paid.',
    ]);
  });

  test('a message of the user is rewritten in the state; a denied one reaches no model and leaves the state', async () => {
    const received: unknown[] = [];
    const guard = defineHook({
      hook: 'before_user_message',
      id: 'guard',
      execute: async (_state, { content }) => {
        received.push(content);
        return content === 'bad' ? { decision: 'deny', reason: 'Not here.' } : { input: 'good' };
      },
    });
    const { ask, agent, config, model } = makeAgent(partial([guard]), [
      new AIMessage('Hi.'),
      new AIMessage('Hi again.'),
    ]);
    const first = await ask('so-so');
    expect(first.messages.map(({ text }) => text)).toEqual(['good', 'Hi.']);
    const { messages } = await ask('bad');
    expect(messages.map(({ text }) => text)).toEqual(['good', 'Hi.', 'Not here.']);
    expect(messages.at(-1)?.response_metadata).toEqual({ denied: true, reason: 'Not here.' });
    const kept: string[] = [];
    for await (const { values } of agent.graph.getStateHistory(config)) kept.push(JSON.stringify(values));
    // What the table says of it: the checkpoints of the inputs have what was sent.
    expect(kept.filter((text) => text.includes('so-so') || text.includes('"bad"')).length).toBeGreaterThan(0);
    expect(kept[0]).not.toMatch(/so-so|"bad"/);
    await ask('fine');
    expect([received, model.calls.length]).toEqual([['so-so', 'bad', 'fine'], 2]);
  });

  test('hooks read the state as their thread', async () => {
    const seen: unknown[] = [];
    const read = defineHook({
      hook: 'before_model_call',
      id: 'read',
      execute: async (state) => {
        seen.push(
          state.threadId,
          state.userId,
          (await state.getMessages()).map(({ content }) => content),
        );
        return null;
      },
    });
    const { ask } = makeAgent({ hooks: [read], turn: () => ({ userId: 'ada' }) }, [
      pay(),
      new AIMessage('Hi.'),
    ]);
    await ask('new');
    expect(seen).toEqual(['chat-1', 'ada', ['new'], 'chat-1', 'ada', ['new', null, 'paid 5']]);
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
      execute: async (_state, { model, step, usage, cached, errorCode }) =>
        void told.push([model, step, usage.inputTokens, cached, errorCode]),
    });
    const denied = makeAgent({ hooks: [decide({ decision: 'deny' }), tell] }, [new AIMessage('Hi.')]);
    await expect(denied.ask('x')).rejects.toMatchObject({ cause: { code: 'model_denied' } });
    const answered = makeAgent({ hooks: [decide({ result: { content: 'cached' } }), tell] }, []);
    expect((await answered.ask('x')).messages.at(-1)?.text).toBe('cached');
    const script = fakeModel().respond(say('small'));
    const input = { model: 'small', tools: [], settings: { temperature: 0 } };
    const routed = makeAgent({ hooks: [decide({ input }), tell], models: { small: script } }, []);
    expect((await routed.ask('x')).messages.at(-1)?.text).toBe('small');
    expect([script.callCount, routed.model.callCount]).toEqual([1, 0]);
    expect(told).toEqual([
      ['FakeBuiltModel', 1, 0, false, 'model_denied'],
      ['FakeBuiltModel', 1, 0, true, null],
      ['small', 1, 10, false, null],
    ]);
    const unknown = makeAgent({ hooks: [decide({ input: { model: 'big' } })] }, [new AIMessage('Hi.')]);
    await expect(unknown.ask('x')).rejects.toMatchObject({ cause: { code: 'model_denied' } });
  });

  test('offers the tools that a hook has left', async () => {
    const offered: number[] = [];
    const watch = createMiddleware({
      name: 'Watch',
      wrapModelCall: (request, handler) => {
        offered.push(request.tools.length);
        return handler(request);
      },
    });
    for (const input of [{}, { tools: [] }]) {
      const model = fakeModel().respond(new AIMessage('Hi.'));
      const middleware = [hooksMiddleware({ hooks: [decide({ input })] }), watch] as const;
      const agent = createAgent({ model, tools: [payTool().tool], middleware });
      await agent.invoke({ messages: [new HumanMessage('x')] });
    }
    expect(offered).toEqual([1, 0]);
  });

  test('that fails is told of, and one that is made again is another attempt of the same step', async () => {
    const told: unknown[] = [];
    const tell = defineHook({
      hook: 'after_model_call',
      id: 'tell',
      execute: async (_state, { step, attempt, errorCode }) => void told.push([step, attempt, errorCode]),
    });
    const model = fakeModel().respond(new Error('busy')).respond(pay()).respond(new AIMessage('Hi.'));
    const retry = modelRetryMiddleware({ maxRetries: 1, initialDelayMs: 1, jitter: false });
    const agent = createAgent({
      model,
      tools: [payTool().tool],
      middleware: [retry as AgentMiddleware, hooksMiddleware({ hooks: [tell] })],
    });
    await agent.invoke({ messages: [new HumanMessage('x')] });
    expect(told).toEqual([
      [1, 1, 'model_failed'],
      [1, 2, null],
      [2, 1, null],
    ]);
  });
});

describe('an answer', () => {
  const raw = 'Write to ada@example.com, please.';

  test('is redacted before the application and the state have it, and so is what the model is sent', async () => {
    const { ask, model } = makeAgent(partial(redact()), [
      new AIMessage({ content: raw, response_metadata: { output: raw } }),
    ]);
    const { messages } = await ask('I am eve@example.com');
    expect(messages.at(-1)?.text).toContain('[EMAIL_');
    expect(JSON.stringify([messages, model.calls[0]?.messages])).not.toMatch(/(ada|eve)@/);
  });

  test('whose calls a hook strips runs none of them', async () => {
    const strip = defineHook({
      hook: 'before_create_message',
      id: 'strip',
      execute: async (_state, { tool_calls: _calls, ...message }) =>
        message.role === 'assistant' ? { ...message, content: 'I must not pay.' } : message,
    });
    const { ask, run } = makeAgent(partial([strip]), [pay()]);
    const { messages } = await ask('pay');
    expect([messages.at(-1)?.text, run.mock.calls]).toEqual(['I must not pay.', []]);
  });

  test('leaves whole where hooks are on answers, and piece by piece where none is', async () => {
    const mark = defineHook({
      hook: 'before_create_message',
      id: 'mark',
      execute: async (_state, message) => ({ ...message, content: `<${message.role}> ${message.content}` }),
    });
    const stream = async (options: LangChainOptions): Promise<string[]> => {
      const chunks = ['a', ' b'].map((content) => new AIMessageChunk({ content }));
      const model = new FakeStreamingChatModel({ chunks });
      const agent = createAgent({ model, tools: [], middleware: [hooksMiddleware(options)] });
      const pieces: string[] = [];
      for await (const [message, { langgraph_node: node }] of await agent.stream(
        { messages: [new HumanMessage('hi')] },
        { streamMode: 'messages' },
      ))
        if (node === 'model_request') pieces.push(message.text);
      return pieces;
    };
    expect(await stream(partial([mark]))).toEqual(['<assistant> a b']);
    expect((await stream({})).length).toBeGreaterThan(1);
  });

  test('rows of results pass before_create_message too', async () => {
    const mark = defineHook({
      hook: 'before_create_message',
      id: 'mark',
      execute: async (_state, message) =>
        message.tool_calls ? message : { ...message, content: `<${message.role}> ${message.content}` },
    });
    const { ask } = makeAgent(partial([mark]), [pay(), new AIMessage('Paid.')]);
    const { messages } = await ask('pay');
    expect(messages.map(({ text }) => text)).toEqual([
      '<user> pay',
      '',
      '<tool> paid 5',
      '<assistant> Paid.',
    ]);
  });

  test('that a structured response was read from is not changed behind its back', async () => {
    const mark = defineHook({
      hook: 'before_create_message',
      id: 'mark',
      execute: async (_state, message) =>
        message.role === 'assistant' ? { ...message, content: 'x' } : message,
    });
    const ask = (options: LangChainOptions) => {
      const model = fakeModel().respond(new AIMessage('{"sum":5}'));
      const responseFormat = providerStrategy(z.object({ sum: z.number() }));
      const agent = createAgent({ model, tools: [], responseFormat, middleware: [hooksMiddleware(options)] });
      return agent.invoke({ messages: [new HumanMessage('hi')] });
    };
    await expect(ask(partial([mark]))).rejects.toThrow('a structured response was read from');
    const seen = defineHook({ hook: 'after_create_message', id: 'seen', execute: async () => undefined });
    expect((await ask(partial([seen]))).structuredResponse).toEqual({ sum: 5 });
  });
});

describe('the end of a turn', () => {
  test('before_stop sends the agent back to work', async () => {
    const goOn = defineHook({
      hook: 'before_stop',
      id: 'go_on',
      execute: async (_state, { keptGoing }) => (keptGoing === 0 ? { keepGoing: 'Check it.' } : null),
    });
    const { ask, model } = makeAgent({ hooks: [goOn] }, [new AIMessage('Paid.'), new AIMessage('Checked.')]);
    const { messages } = await ask('pay');
    expect(messages.map(({ text }) => text)).toEqual(['pay', 'Paid.', 'Check it.', 'Checked.']);
    expect(model.callCount).toBe(2);
  });

  test('a hook that stops the turn ends it after the step, and nothing of it is taken for the user', async () => {
    const stop = defineHook({
      hook: 'after_tool_call_success',
      id: 'stop',
      execute: async (state) => {
        state.execution.stop();
        return null;
      },
    });
    const goOn = defineHook({
      hook: 'before_stop',
      id: 'go_on',
      execute: async () => ({ keepGoing: 'More.' }),
    });
    const batches: number[] = [];
    const remind = defineHook({
      hook: 'after_tool_batch',
      id: 'remind',
      execute: async (_state, results) => {
        batches.push(results.length);
        return 'Stopped.';
      },
    });
    const received: unknown[] = [];
    const receive = defineHook({
      hook: 'before_user_message',
      id: 'receive',
      execute: async (_state, { content }) => {
        received.push(content);
        return content === 'bad' ? { decision: 'deny' } : null;
      },
    });
    const hooks = [stop, goOn, remind, receive];
    const { ask, model } = makeAgent(partial(hooks), [pay(), new AIMessage('never')]);
    const { messages } = await ask('pay');
    expect([model.callCount, messages.map(({ text }) => text)]).toEqual([
      1,
      ['pay', '', 'paid 5', 'Stopped.'],
    ]);
    await ask('bad');
    expect([model.callCount, received, batches]).toEqual([1, ['pay', 'bad'], [1]]);
  });

  test('a batch that ends the turn is told of', async () => {
    const told: unknown[] = [];
    const tell = defineHook({
      hook: 'after_tool_batch',
      id: 'tell',
      execute: async (_state, results) => {
        told.push(results.map(({ result }) => result));
        return null;
      },
    });
    const payment = payTool();
    Object.assign(payment.tool, { returnDirect: true });
    const { ask } = makeAgent({ hooks: [tell] }, [pay()], payment);
    await ask('pay');
    expect(told).toEqual([[{ status: 'success', result: 'paid 5' }]]);
  });

  test('invocations at the same time keep their turns apart', async () => {
    const seen: string[] = [];
    const look = defineHook({
      hook: 'before_tool_call',
      id: 'look',
      execute: async ({ threadId }, { input }) => {
        seen.push(`${threadId} ${input.amount}`);
        return null;
      },
    });
    const middleware = [hooksMiddleware({ hooks: [look] })] as const;
    const invocations = [1, 2, 3].map((amount) => {
      const model = fakeModel().respond(pay({ amount })).respond(new AIMessage('Paid.'));
      const agent = createAgent({ model, tools: [payTool().tool], middleware });
      const configurable = { thread_id: `t${amount}` };
      return agent.invoke({ messages: [new HumanMessage('pay')] }, { configurable });
    });
    await Promise.all(invocations);
    expect(seen.toSorted()).toEqual(['t1 1', 't2 2', 't3 3']);
  });
});

describe('refused with the reason and the way out', () => {
  test('hooks that LangChain would never run, which do not compile either', () => {
    const started = defineHook({ hook: 'after_session_started', id: 'hello', execute: async () => null });
    // @ts-expect-error after_session_started never runs here
    const give: LangChainOptions = { hooks: [started] };
    expect(() => hooksMiddleware(give)).toThrow(
      'hello (after_session_started) never runs: LangChain has no sessions.',
    );
    expect(() => hooksMiddleware({ hooks: [started], allowPartial: ['hello'] })).not.toThrow();
    expectTypeOf(asking).toExtend<LangChainHook>();
    const turn = { userId: 'ada' };
    expect(() => hooksMiddleware({ hooks: [asking], turn: turn as never })).toThrow(
      'turn must be a function',
    );
  });

  test('tools that no hook sees', async () => {
    const ask = (options: LangChainOptions) => {
      const model = fakeModel().respond(new AIMessage('Hi.'));
      const tools = [{ type: 'web_search', name: 'web_search' }];
      const agent = createAgent({ model, tools, middleware: [hooksMiddleware(options)] });
      return agent.invoke({ messages: [new HumanMessage('hi')] });
    };
    await expect(ask({ hooks: [asking] })).rejects.toThrow('allowUnwrapped: ["web_search"]');
    await expect(ask({ hooks: [asking], allowUnwrapped: ['web_search'] })).resolves.toBeDefined();
    await expect(ask({})).resolves.toBeDefined();
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
  const { ask } = makeAgent(
    { ...partial([mask]), store },
    [pay(), new AIMessage('Paid, ada.')],
    payTool(() => 'ada has it'),
  );
  const { messages } = await ask('I am ada.');
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
  expect(messages.map(({ text }) => text).join()).not.toMatch(/\bada\b/);
});

test('a tool gets the values behind the placeholders of redact, and the model does not', async () => {
  const sentTo: string[] = [];
  const mail = tool(
    async ({ to }) => {
      sentTo.push(to);
      return `sent to ${to}`;
    },
    { name: 'mail', description: 'Mails.', schema: z.object({ to: z.string() }) },
  );
  const model = fakeModel();
  model.respond(say('', [{ id: 'c', name: 'mail', args: { to: '[EMAIL_1]' }, type: 'tool_call' }]));
  model.respond(say('Sent.'));
  const middleware = [hooksMiddleware(partial(redact({ restore: 'tools' })))];
  const agent = createAgent({ model, tools: [mail], middleware });
  await agent.invoke({ messages: [new HumanMessage('Mail ada@example.com')] });
  expect(sentTo).toEqual(['ada@example.com']);
  expect(sent(model, 1)).toContain('sent to [EMAIL_1]');
  expect(sent(model, 0) + sent(model, 1)).not.toContain('ada@example.com');
});
