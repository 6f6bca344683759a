import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenAICompatible as createOpenAICompatibleV4 } from '@ai-sdk/openai-compatible-v4';
import { readCause } from '@spec/hooks';
import { afterEach, expect } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../src/index.ts';
import { type ChatReply, type ChatServer, chatServer } from './chat-server.ts';
import {
  gate,
  type Kit,
  lines,
  onBothStores,
  runWhatIsReady,
  type Setup,
  type StartedThread,
  thrownBy,
} from './kit.ts';

const servers: ChatServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

const weather = defineTool({
  name: 'get_weather',
  description: 'The weather of a city.',
  input: z.object({ city: z.string() }),
  execute: ({ city }) => `Rain in ${city}.`,
});

/** Providers of both interface versions, as applications have them. */
const generations = { v3: createOpenAICompatible, v4: createOpenAICompatibleV4 };

interface Case {
  readonly kit: Kit;
  readonly generation: keyof typeof generations;
}

function onBothGenerations(name: string, run: (of: Case) => Promise<void>): void {
  for (const generation of ['v3', 'v4'] as const)
    onBothStores(`${name}, by a provider of ${generation}`, (kit) => run({ kit, generation }));
}

async function overHttp(
  { kit, generation }: Case,
  script: readonly ChatReply[],
  setup: Setup = {},
): Promise<StartedThread & { server: ChatServer }> {
  const server = await chatServer(script);
  servers.push(server);
  const local = generations[generation]({ name: 'local', baseURL: server.url, apiKey: 'sk-secret' })(
    'some-model',
  );
  const started = await kit.thread({
    models: { local },
    tools: [weather],
    prompt: { system: 'Be brief.' },
    ...setup,
  });
  return { ...started, server };
}

const toolCall = (id: string, args: string, name?: string): Record<string, unknown> => ({
  tool_calls: [
    {
      index: 0,
      ...(name === undefined ? {} : { id, type: 'function' }),
      function: { ...(name === undefined ? {} : { name }), arguments: args },
    },
  ],
});

onBothGenerations('a real provider, end to end: a tool call in pieces, then text', async (of) => {
  const { thread, server, events } = await overHttp(
    of,
    [
      {
        deltas: [
          { role: 'assistant', content: null },
          toolCall('call_x', '{"ci', 'get_weather'),
          toolCall('', 'ty":"Lima"}'),
        ],
        finish: 'tool_calls',
      },
      { deltas: [{ role: 'assistant', content: '' }, { content: 'It ' }, { content: 'rains.' }] },
    ],
    { prompt: { system: 'Be brief.', settings: { temperature: 0.5 } } },
  );
  expect(await thread.send('Weather in Lima?')).toMatchObject({
    status: 'completed',
    text: 'It rains.',
    steps: 2,
  });
  expect(await lines(thread)).toEqual([
    ...['user: Weather in Lima?', 'assistant: null', 'tool: Rain in Lima.', 'assistant: It rains.'],
  ]);
  expect((await thread.messages())[1]?.tool_calls).toBe(
    '[{"id":"call_x","type":"function","function":{"name":"get_weather","arguments":"{\\"city\\":\\"Lima\\"}"}}]',
  );
  await runWhatIsReady();
  expect(events.filter(({ type }) => type === 'text')).toMatchObject([
    { type: 'text', text: 'It ' },
    { type: 'text', text: 'rains.' },
  ]);
  expect(server.requests[0]).toMatchObject({
    model: 'some-model',
    stream: true,
    temperature: 0.5,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather in Lima?' },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'The weather of a city.',
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      },
    ],
  });
  const [, second] = server.requests as Array<{ messages: unknown[] }>;
  expect(second?.messages.slice(2)).toMatchObject([
    {
      role: 'assistant',
      tool_calls: [{ id: 'call_x', function: { name: 'get_weather', arguments: '{"city":"Lima"}' } }],
    },
    { role: 'tool', tool_call_id: 'call_x', content: 'Rain in Lima.' },
  ]);
});

onBothGenerations('reasoning goes back to the provider that it came from', async (of) => {
  const { thread, server } = await overHttp(of, [
    {
      deltas: [
        { role: 'assistant', content: null, reasoning_content: 'Lima is ' },
        { reasoning_content: 'in Peru.' },
        toolCall('call_x', '{"city":"Lima"}', 'get_weather'),
      ],
      finish: 'tool_calls',
    },
    { deltas: [{ role: 'assistant', content: 'It rains.' }] },
  ]);
  await thread.send('Weather in Lima?');
  expect((await thread.messages())[1]).toMatchObject({
    reasoning: [{ id: 'reasoning_1', text: 'Lima is in Peru.' }],
    provider_metadata: { provider: 'local.chat', model: 'some-model' },
  });
  const [, second] = server.requests as Array<{ messages: unknown[] }>;
  expect(second?.messages[2]).toMatchObject({
    role: 'assistant',
    reasoning_content: 'Lima is in Peru.',
    tool_calls: [{ id: 'call_x' }],
  });
});

onBothGenerations('an image goes to the provider in each request', async (of) => {
  const { thread, server } = await overHttp(of, [
    { deltas: [{ role: 'assistant', content: 'A pixel.' }] },
    { deltas: [{ role: 'assistant', content: 'Still.' }] },
  ]);
  const url = 'data:image/png;base64,iVBORw0KGgo=';
  await thread.send({
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image_url', image_url: { url } },
    ],
  });
  await thread.send('And now?');
  const requests = server.requests as Array<{ messages: unknown[] }>;
  const asked = [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url } },
  ];
  expect(requests.map(({ messages }) => messages[1])).toMatchObject([
    { role: 'user', content: asked },
    { role: 'user', content: asked },
  ]);
});

onBothGenerations('what a real provider says of its failure stays out of the error', async (of) => {
  const body = '{"error":{"message":"bad key sk-secret","type":"auth"}}';
  const { thread } = await overHttp(of, [{ failure: { status: 401, body } }]);
  const error = await thrownBy(thread.send('Hi'));
  expect(error).toMatchObject({ code: 'model_failed' });
  expect(error.message).toBe(
    'The model local.chat/some-model failed: HTTP 401 (check the API key). What was thrown: readCause(error) of @spec/hooks.',
  );
  expect(String(readCause(error))).toContain('bad key sk-secret');
  expect(JSON.stringify([await thread.messages(), await thread.runs()])).not.toContain('secret');
});

onBothGenerations('a connection that is cut midway is a failure, and the next turn works', async (of) => {
  const { thread } = await overHttp(of, [
    { deltas: [{ role: 'assistant', content: 'Half a sen' }], cut: true },
    { deltas: [{ content: 'Whole.' }] },
  ]);
  expect(await thrownBy(thread.send('Hi'))).toMatchObject({ code: 'model_failed' });
  expect(await lines(thread)).toEqual(['user: Hi', 'assistant: The turn ended with an error: model_failed.']);
  expect(await thread.send('Again')).toMatchObject({ text: 'Whole.' });
});

onBothGenerations('a stop closes the request, and keeps what was shown', async (of) => {
  const { thread, events } = await overHttp(of, [{ deltas: [{ content: 'Once upon' }], cut: true }]);
  const heard = gate();
  void (async () => {
    for await (const { type } of thread.events()) if (type === 'text') heard.open();
  })();
  const sending = thread.send('Tell me a story');
  await heard.opened;
  void thread.stop();
  expect(await sending).toMatchObject({ status: 'aborted' });
  expect(await lines(thread)).toEqual(['user: Tell me a story', 'assistant: Once upon']);
  await runWhatIsReady();
  expect(events.at(-1)).toMatchObject({ type: 'turn_ended', status: 'aborted' });
});
