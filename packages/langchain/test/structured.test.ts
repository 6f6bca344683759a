import { MemorySaver } from '@langchain/langgraph';
import { defineHook, type ModelCall } from '@spec/hooks';
import { AIMessage, createAgent, fakeModel, HumanMessage, providerStrategy, toolStrategy } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hooksMiddleware } from '../src/index.ts';

const config = { configurable: { thread_id: 'chat-1' } };
const schema = z.object({ of: z.number() }).meta({ title: 'answer' });
const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
const say = (content: string, tool_calls: AIMessage['tool_calls'] = []): AIMessage =>
  Object.assign(new AIMessage({ id: crypto.randomUUID(), content, tool_calls }), { usage_metadata });
const callAnswer = (args: Record<string, unknown>, content = ''): AIMessage =>
  say(content, [{ id: 'call_1', name: 'answer', args, type: 'tool_call' }]);

const mask = defineHook({
  hook: 'before_create_message',
  id: 'mask',
  execute: async (_state, message) => ({
    ...message,
    content: message.content?.replace('4111111111111111', '#') ?? null,
  }),
});
const masks = hooksMiddleware({ hooks: [mask], allowPartial: ['mask'] });

describe('a response of a schema', () => {
  test('that does not fit, and was changed by a hook, comes to no model as it was', async () => {
    const model = fakeModel()
      .respond(callAnswer({ of: 'x' }, 'card 4111111111111111'))
      .respond(callAnswer({ of: 5 }));
    const checkpointer = new MemorySaver();
    const responseFormat = toolStrategy(schema);
    const agent = createAgent({ model, tools: [], responseFormat, middleware: [masks], checkpointer });
    const made = agent.invoke({ messages: [new HumanMessage('hi')] }, config);
    await expect(made).rejects.toThrow('a structured response was read from');
    const { values } = await agent.graph.getState(config);
    expect(JSON.stringify([values, model.calls])).not.toContain('4111111111111111');
  });

  test.each([
    ['a tool', toolStrategy(schema), callAnswer({ of: 5 })],
    ['the provider', providerStrategy(schema), say('{"of":5}')],
  ] as const)('by %s costs what the model says', async (_way, responseFormat, answer) => {
    const told: ModelCall[] = [];
    const count = defineHook({
      hook: 'after_model_call',
      id: 'count',
      execute: async (_state, call) => void told.push(call),
    });
    const model = fakeModel().respond(answer);
    const middleware = [hooksMiddleware({ hooks: [count] })] as const;
    const agent = createAgent({ model, tools: [], responseFormat: responseFormat as never, middleware });
    await agent.invoke({ messages: [new HumanMessage('hi')] });
    expect(told.map(({ usage }) => [usage.inputTokens, usage.outputTokens])).toEqual([[10, 5]]);
  });

  test('is read from a text where the model can do that by itself, with hooks as without', async () => {
    const model = fakeModel().respond(new AIMessage('{"of":5}'));
    Object.defineProperty(model, 'profile', { value: { structuredOutput: true } });
    const agent = createAgent({ model, tools: [], responseFormat: schema, middleware: [masks] });
    const { structuredResponse, messages } = await agent.invoke({ messages: [new HumanMessage('hi')] });
    expect(structuredResponse).toEqual({ of: 5 });
    expect(messages.map(({ text }) => text)).toEqual(['hi', '{"of":5}']);
  });
});

test('a model that is made by its name is called by it, also where the invocation names another', async () => {
  const named: string[] = [];
  const look = defineHook({
    hook: 'before_model_call',
    id: 'look',
    execute: async (_state, { model }) => {
      named.push(model);
      return null;
    },
  });
  const model = Object.assign(fakeModel().respond(new AIMessage('one')).respond(new AIMessage('two')), {
    _defaultConfig: { model: 'gpt-5' },
    _modelParams: ({ configurable }: { configurable: { model?: string } }) => ({ model: configurable.model }),
  });
  const agent = createAgent({ model, tools: [], middleware: [hooksMiddleware({ hooks: [look] })] });
  await agent.invoke({ messages: [new HumanMessage('hi')] });
  await agent.invoke({ messages: [new HumanMessage('hi')] }, { configurable: { model: 'gpt-5-mini' } });
  expect(named).toEqual(['gpt-5', 'gpt-5-mini']);
});
