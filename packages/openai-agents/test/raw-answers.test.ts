import {
  Agent,
  type AgentOutputItem,
  getGlobalTraceProvider,
  OpenAIResponsesModel,
  type Span,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  Usage,
} from '@openai/agents';
import { assistantMessage, functionCall, modelResponse, ScriptedModel } from '@openai/agents/testing';
import { defineHook } from '@spec/hooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createHooks } from '../src/index.ts';

const CARD = '4111111111111111';
const hide = (text: string): string => text.replaceAll(CARD, '[CARD]');

const hideCards = defineHook({
  hook: 'before_create_message',
  id: 'hide_cards',
  execute: async (_state, message) => ({
    ...message,
    content: message.content === null ? null : hide(message.content),
    ...(typeof message.tool_calls === 'string' ? { tool_calls: hide(message.tool_calls) } : {}),
  }),
});
const hooks = createHooks({ hooks: [hideCards], allowPartial: ['hide_cards'] });

const spans: unknown[] = [];

beforeEach(() => {
  spans.length = 0;
  setTraceProcessors([
    {
      onTraceStart: async () => {},
      onTraceEnd: async () => {},
      onSpanStart: async () => {},
      onSpanEnd: async (span: Span<never>) => void spans.push(span.spanData),
      forceFlush: async () => {},
      shutdown: async () => {},
    },
  ]);
  setTracingDisabled(true);
});
afterEach(() => setTracingDisabled(true));

/** A response as providers give it: with all that they said, word by word. */
const respond = (output: AgentOutputItem[]) =>
  modelResponse({ usage: new Usage(), responseId: 'r1', output, providerData: { raw: output } });

test.each([false, true])(
  'what the provider said word by word does not go on beside a changed answer (stream: %s)',
  async (stream) => {
    const model = new ScriptedModel([respond([assistantMessage(`It is ${CARD}.`)])]);
    const agent = new Agent({ name: 'clerk', model });
    const seen: unknown[] = [];
    const result = stream
      ? await hooks.run(agent, 'Which card?', { stream: true })
      : await hooks.run(agent, 'Which card?');
    if ('toStream' in result) for await (const event of result) seen.push(event);
    expect(result.finalOutput).toBe('It is [CARD].');
    expect(JSON.stringify(seen)).not.toContain(CARD);
    expect(JSON.stringify(result.rawResponses)).not.toContain(CARD);
    expect(result.state.toString()).not.toContain(CARD);
  },
);

test('what the provider said goes on where hooks leave the answer alone', async () => {
  const model = new ScriptedModel([respond([assistantMessage('None.')])]);
  const { rawResponses } = await hooks.run(new Agent({ name: 'clerk', model }), 'Which card?');
  expect(rawResponses[0]?.providerData).toMatchObject({ raw: [{ role: 'assistant' }] });
});

test('a span of a model has no answer that hooks may still change', async () => {
  const message = { type: 'message', id: 'm', role: 'assistant', status: 'completed' };
  const content = [{ type: 'output_text', text: `It is ${CARD}.`, annotations: [] }];
  const body = { id: 'r1', usage: {}, output: [{ ...message, content }] };
  const asked = Object.assign(Promise.resolve(body), {
    withResponse: async () => ({ data: body, response: { headers: new Headers() }, request_id: null }),
  });
  const client = { baseURL: 'https://example.com', responses: { create: () => asked } };
  const model = new OpenAIResponsesModel(
    client as unknown as ConstructorParameters<typeof OpenAIResponsesModel>[0],
    'gpt-5',
  );
  setTracingDisabled(false);
  const { finalOutput } = await hooks.run(new Agent({ name: 'clerk', model }), 'Which card?');
  await getGlobalTraceProvider().forceFlush();
  expect(finalOutput).toBe('It is [CARD].');
  expect(spans).toContainEqual(expect.objectContaining({ type: 'response' }));
  expect(JSON.stringify(spans)).not.toContain(CARD);
});

test('what a model says aloud is an answer', async () => {
  const audio = { type: 'audio', audio: 'AAAA', transcript: `It is ${CARD}.` } as const;
  const model = new ScriptedModel([[{ ...assistantMessage(''), content: [audio] }]]);
  const { history, finalOutput } = await hooks.run(new Agent({ name: 'clerk', model }), 'Which card?');
  expect(finalOutput).toBe('It is [CARD].');
  expect(JSON.stringify(history)).not.toMatch(/4111111111111111|AAAA/);
});

test('a call that hooks have changed has the caller that it had', async () => {
  const execute = async () => 'paid';
  const pay = tool({ name: 'pay', description: '', parameters: z.object({ card: z.string() }), execute });
  const call = {
    ...functionCall('pay', { card: CARD }, { callId: 'c1' }),
    caller: { type: 'direct' } as const,
  };
  const model = new ScriptedModel([[call], [assistantMessage('Done.')]]);
  await hooks.run(new Agent({ name: 'clerk', model, tools: [pay] }), 'Pay.');
  expect(model.calls[1]?.request.input[1]).toMatchObject({
    arguments: '{"card":"[CARD]"}',
    caller: { type: 'direct' },
  });
});
