import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { defineHook } from '@spec/hooks';
import { describe, expect, test } from 'vitest';
import { createKit, gate, never, runWhatIsReady, thrownBy } from '../../test/kit.ts';
import { registerSdk } from '../../test/spans.ts';
import { defineAgent, definePrompt, defineTool, memoryStore } from '../index.ts';
import { scriptedModel } from '../testing/index.ts';

const weather = defineTool({ name: 'get_weather', execute: () => 'sunny' });
const news = defineTool({ name: 'get_news', execute: () => 'none' });

const watch = defineHook({
  hook: 'before_tool_call',
  id: 'watch_calls',
  execute: async (_state) => null,
});
const limit = defineHook({
  hook: 'filter_messages',
  id: 'limit',
  execute: async (_state, messages) => messages.slice(-2),
});

// The first test of the file: it is the thread that has the API loaded.
test('hooks that run outside of turns belong to what is active there', async () => {
  const spans = registerSdk();
  const kit = createKit(memoryStore());
  const created = defineHook({ hook: 'after_thread_created', id: 'created', execute: async (_state) => {} });
  const stored = defineHook({ hook: 'after_create_message', id: 'stored', execute: async (_state) => {} });
  await trace.getTracer('app').startActiveSpan('import', async (span) => {
    const { thread } = await kit.thread({ policies: [created, stored] });
    await thread.inject({ role: 'user', content: 'x' });
    span.end();
  });
  await kit.close();
  expect(spans.tree()).toEqual(['import', '  after_thread_created created', '  after_create_message stored']);
  expect(spans.attributes('after_create_message stored')).not.toHaveProperty('spec.turn.id');
});

describe('the spans of a turn', () => {
  test('a turn with parallel tools, a subagent and hooks is one tree', async () => {
    const spans = registerSdk();
    const kit = createKit(memoryStore());
    const { thread } = await kit.thread({
      models: {
        parent: scriptedModel([
          {
            toolCalls: [
              { name: 'get_weather' },
              { name: 'get_news' },
              { name: 'ask_expert', input: { q: 'x' } },
            ],
          },
          'done',
        ]),
        child: scriptedModel([{ toolCalls: [{ name: 'get_news' }] }, 'from the child']),
      },
      tools: [weather, news, defineTool({ name: 'ask_expert', agent: 'expert' })],
      policies: [watch, limit],
      prompt: { model: 'parent' },
      agents: [defineAgent({ name: 'expert', prompt: 'expert' })],
      prompts: [definePrompt({ name: 'expert', model: 'child', tools: ['get_news'] })],
    });
    await thread.send('go');
    await kit.close();
    expect(spans.tree()).toEqual([
      'invoke_agent agent',
      '  chat scripted',
      '    filter_messages limit',
      '  execute_tool get_weather',
      '    before_tool_call watch_calls',
      '  execute_tool get_news',
      '    before_tool_call watch_calls',
      '  execute_tool ask_expert',
      '    before_tool_call watch_calls',
      '    invoke_agent expert',
      '      chat scripted',
      '        filter_messages limit',
      '      execute_tool get_news',
      '        before_tool_call watch_calls',
      '      chat scripted',
      '        filter_messages limit',
      '  chat scripted',
      '    filter_messages limit',
    ]);
    expect(new Set(spans.all().map((span) => span.spanContext().traceId)).size).toBe(1);
  });

  test('each says what it is, with the names of the conventions', async () => {
    const spans = registerSdk();
    const kit = createKit(memoryStore());
    const usage = {
      inputTokens: { total: 12, noCache: 12, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 3, text: 3, reasoning: undefined },
    };
    const model = {
      ...scriptedModel([]),
      provider: 'openai.chat',
      modelId: 'gpt-x',
      doStream: async () => ({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'text-delta', id: 't', delta: 'hi' });
            controller.enqueue({ type: 'finish', usage, finishReason: { unified: 'stop', raw: 'stop' } });
            controller.close();
          },
        }),
      }),
    };
    const { thread, runtime } = await kit.thread({
      models: { openai: model },
      policies: [limit],
      prompt: { settings: { temperature: 0.5, maxOutputTokens: 100 } },
    });
    const { turnId } = await thread.send('go');
    const where = {
      'gen_ai.conversation.id': thread.id,
      'gen_ai.agent.id': 'agent',
      'gen_ai.agent.name': 'agent',
      'spec.turn.id': turnId,
    };
    expect(spans.attributes('invoke_agent agent')).toEqual({
      ...where,
      'gen_ai.operation.name': 'invoke_agent',
      'spec.step': 0,
      'spec.turn.status': 'completed',
      'spec.turn.steps': 1,
    });
    expect(spans.one('chat gpt-x').kind).toBe(SpanKind.CLIENT);
    expect(spans.attributes('chat gpt-x')).toEqual({
      ...where,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt-x',
      'gen_ai.request.max_tokens': 100,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': 12,
      'gen_ai.usage.output_tokens': 3,
      'spec.step': 1,
    });
    expect(spans.attributes('filter_messages limit')).toEqual({
      ...where,
      'spec.hook.name': 'filter_messages',
      'spec.hook.id': 'limit',
      'spec.hook.source': 'policy',
      'spec.hook.outcome': 'ok',
      'spec.hook.changed': false,
      'spec.step': 1,
    });
    await runtime.close();
  });

  test('a tool call tells its tool, its id and how it ended', async () => {
    const spans = registerSdk();
    const kit = createKit(memoryStore());
    const guard = defineHook({
      hook: 'before_tool_call',
      id: 'guard',
      match: 'get_news',
      execute: async (_state) => ({ decision: 'deny', reason: 'no news' }) as const,
    });
    const broken = defineTool({
      name: 'broken',
      execute: () => {
        throw new Error('boom');
      },
    });
    const { thread } = await kit.thread({
      script: [{ toolCalls: [{ name: 'get_weather' }, { name: 'get_news' }, { name: 'broken' }] }, 'done'],
      tools: [weather, news, broken],
      policies: [guard],
    });
    await thread.send('go');
    await kit.close();
    const ends = ['get_weather', 'get_news', 'broken'].map((name) => {
      const { attributes, status } = spans.one(`execute_tool ${name}`);
      return [
        attributes['gen_ai.tool.call.id'],
        attributes['spec.tool.status'],
        attributes['error.type'],
        status,
      ];
    });
    expect(ends).toEqual([
      ['call_1', 'success', undefined, { code: SpanStatusCode.UNSET }],
      ['call_2', 'denied', undefined, { code: SpanStatusCode.UNSET }],
      ['call_3', 'error', 'tool_failed', { code: SpanStatusCode.ERROR, message: 'tool_failed' }],
    ]);
    expect(spans.attributes('before_tool_call guard')).toMatchObject({ 'spec.hook.outcome': 'denied' });
    // The guard was passed over for the other two calls: only the ledger tells of that.
    expect(spans.all().filter(({ name }) => name === 'before_tool_call guard')).toHaveLength(1);
  });

  test('a failing model fails its step and its turn', async () => {
    const spans = registerSdk();
    const kit = createKit(memoryStore());
    const { thread } = await kit.thread({ script: [new Error('quota of ada@example.com used up')] });
    await thrownBy(thread.send('go'));
    await kit.close();
    for (const name of ['chat scripted', 'invoke_agent agent']) {
      const { attributes, status, events } = spans.one(name);
      expect([attributes['error.type'], status, events]).toEqual([
        'model_failed',
        { code: SpanStatusCode.ERROR, message: 'model_failed' },
        [],
      ]);
    }
  });

  test('a hook that fails or is late has an error of its own, at its place', async () => {
    const spans = registerSdk();
    const kit = createKit(memoryStore());
    const late = defineHook({
      hook: 'filter_messages',
      id: 'late',
      timeout: 10,
      onError: 'continue',
      execute: () => never<never>(),
    });
    const failing = defineHook({
      hook: 'filter_messages',
      id: 'failing',
      onError: 'continue',
      execute: async (_state) => {
        throw new Error('secret');
      },
    });
    const send = async (): Promise<unknown> => {
      const { thread } = await kit.thread({ script: ['done'], policies: [late, failing] });
      return trace.getTracer('app').startActiveSpan('request', async (span) => {
        await thread.send('go');
        span.end();
      });
    };
    // The deadline of the second is armed in the context of the first.
    await Promise.all([send(), send()]);
    await kit.close();
    const one = [
      'request',
      '  invoke_agent agent',
      '    chat scripted',
      '      filter_messages late',
      '      filter_messages failing',
    ];
    expect(spans.tree()).toEqual([...one, ...one]);
    const failures = spans.all().filter(({ name }) => name.startsWith('filter_messages'));
    expect(failures.map(({ attributes }) => attributes['error.type']).toSorted()).toEqual([
      'hook_failed',
      'hook_failed',
      'hook_timed_out',
      'hook_timed_out',
    ]);
    const [first] = failures;
    expect(first!.duration[1] / 1e6).toBeGreaterThan(8);
  });

  test('an abort ends the turn without an error of its own; what it cut off has one', async () => {
    const spans = registerSdk();
    const kit = createKit(memoryStore());
    const started = gate();
    const slow = defineTool({
      name: 'slow',
      execute: () => {
        started.open();
        return never<string>();
      },
    });
    const { thread } = await kit.thread({ script: [{ toolCalls: [{ name: 'slow' }] }], tools: [slow] });
    const turn = thread.send('go');
    await started.opened;
    await thread.stop();
    await turn;
    await kit.close();
    expect(spans.attributes('invoke_agent agent')).toMatchObject({ 'spec.turn.status': 'aborted' });
    expect(spans.one('invoke_agent agent').status).toEqual({ code: SpanStatusCode.UNSET });
    expect(spans.attributes('execute_tool slow')).toMatchObject({ 'error.type': 'aborted' });
  });

  test('a message that a hook refuses has its span too', async () => {
    const spans = registerSdk();
    const kit = createKit(memoryStore());
    const refuse = defineHook({
      hook: 'before_user_message',
      id: 'refuse',
      execute: async (_state) => ({ decision: 'deny', reason: 'secret' }) as const,
    });
    const { thread } = await kit.thread({ policies: [refuse] });
    await thread.send('go');
    await kit.close();
    expect(spans.tree()).toEqual(['invoke_agent agent', '  before_user_message refuse']);
    expect(spans.attributes('invoke_agent agent')).toMatchObject({ 'spec.turn.status': 'denied' });
  });
});

describe('nesting', () => {
  const traced = defineTool({
    name: 'traced',
    execute: async () =>
      trace.getTracer('app').startActiveSpan('GET /weather', async (span) => {
        await Promise.resolve();
        span.end();
        return 'sunny';
      }),
  });

  test("spans of a tool's code, a turn queued behind another, and a tool that a hook calls", async () => {
    const spans = registerSdk();
    const kit = createKit(memoryStore());
    const calling = defineHook({
      hook: 'after_tool_batch',
      id: 'calling',
      execute: async (state) => {
        await state.invokeTool('get_news', {});
        return null;
      },
    });
    const { thread } = await kit.thread({
      script: [{ toolCalls: [{ name: 'traced' }] }, 'one', 'two'],
      tools: [traced, news],
      policies: [calling],
    });
    const tracer = trace.getTracer('app');
    const request = (name: string): Promise<void> =>
      tracer.startActiveSpan(name, async (span) => {
        await thread.send('go');
        span.end();
      });
    await Promise.all([request('POST /a'), request('POST /b')]);
    await kit.close();
    expect(spans.tree()).toEqual([
      'POST /a',
      '  invoke_agent agent',
      '    chat scripted',
      '    execute_tool traced',
      '      GET /weather',
      '    execute_tool get_news',
      '    after_tool_batch calling',
      '    chat scripted',
      'POST /b',
      '  invoke_agent agent',
      '    chat scripted',
    ]);
  });

  test('a turn that a process left behind belongs to whoever resumes it', async () => {
    const spans = registerSdk();
    const kit = createKit(memoryStore());
    const { runtime } = kit.start({ script: ['done'] });
    const { id } = await runtime.createThread({ agent: 'agent' });
    const { fence } = await kit.store.acquireLease({ threadId: id, owner: 'died', ttlMs: 1 });
    const message = { id: 'turn-1.0.user', role: 'user', content: 'go', created_at: 1 } as const;
    await kit.store.append(id, fence, { messages: [message], thread: { turn: { id: 'turn-1' } } });
    await runWhatIsReady(5);
    const tracer = trace.getTracer('app');
    await tracer.startActiveSpan('recovery', async (span) => {
      await (await kit.start({ script: ['done'] }).runtime.openThread(id)).resume();
      span.end();
    });
    await kit.close();
    expect(spans.tree()).toEqual(['recovery', '  invoke_agent agent', '    chat scripted']);
    expect(spans.attributes('chat scripted')).toMatchObject({ 'spec.turn.id': 'turn-1', 'spec.step': 1 });
  });

  test('without a context manager our own spans still are one tree', async () => {
    const spans = registerSdk({ withContext: false });
    const kit = createKit(memoryStore());
    const { thread } = await kit.thread({
      script: [{ toolCalls: [{ name: 'get_weather' }] }, 'done'],
      tools: [weather],
      policies: [watch],
    });
    await thread.send('go');
    await kit.close();
    expect(spans.tree()).toEqual([
      'invoke_agent agent',
      '  chat scripted',
      '  execute_tool get_weather',
      '    before_tool_call watch_calls',
      '  chat scripted',
    ]);
  });
});
