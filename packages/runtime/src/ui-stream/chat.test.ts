import { defineHook } from '@spec/hooks';
import { DefaultChatTransport, readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import { afterEach, describe, expect, test } from 'vitest';
import { browserChat } from '../../test/browser-chat.ts';
import { type ChatRoute, chatRoute } from '../../test/chat-route.ts';
import {
  createKit,
  gate,
  type Kit,
  never,
  runWhatIsReady,
  type Setup,
  type StartedThread,
} from '../../test/kit.ts';
import { type AnyTool, defineAgent, definePrompt, defineTool, memoryStore } from '../index.ts';
import {
  type StreamTurnOptions,
  streamTurn,
  toUIMessages,
  uiMessageStreamResponse,
  userInputOf,
} from './index.ts';

const open: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Served extends StartedThread {
  readonly kit: Kit;
  readonly route: ChatRoute;
}

/** One thread behind a chat route, as an application would offer it. */
async function serve(setup: Setup, options: StreamTurnOptions = {}): Promise<Served> {
  const kit = createKit(memoryStore());
  const started = await kit.thread(setup);
  const route = await chatRoute((body) =>
    uiMessageStreamResponse(streamTurn(started.thread, userInputOf(body), options)),
  );
  open.push(route.close, kit.close);
  return { ...started, kit, route };
}

function listParts({ parts }: Pick<UIMessage, 'parts'>): Record<string, unknown>[] {
  return parts.map((part) => {
    const { providerMetadata: _, ...told } = part as Record<string, unknown>;
    return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  });
}

const weather = defineTool({ name: 'weather', execute: () => ({ degrees: 7 }) });
const asksWeather = { text: 'I look.', toolCalls: [{ id: 'c1', name: 'weather', input: { city: 'Bern' } }] };

describe('a chat of the AI SDK over a thread', () => {
  test('shows what the model thinks, and the same when the page is opened again', async () => {
    const { route, thread } = await serve({ script: [{ reasoning: 'A greeting.', text: 'Hello!' }] });
    const chat = browserChat(route.url);
    await chat.sendMessage({ text: 'Hi' });
    const shown = [
      { type: 'step-start' },
      { type: 'reasoning', text: 'A greeting.', state: 'done' },
      { type: 'text', text: 'Hello!', state: 'done' },
    ];
    expect(listParts(chat.messages[1] as UIMessage)).toMatchObject(shown);
    expect(listParts(toUIMessages(await thread.messages())[1] as UIMessage)).toEqual(shown);
  });

  test('sends files along with the text', async () => {
    const { route, model } = await serve({ script: ['A pixel.'] });
    const chat = browserChat(route.url);
    const url = 'data:image/png;base64,iVBORw0KGgo=';
    await chat.sendMessage({
      text: 'What is this?',
      files: [{ type: 'file', mediaType: 'image/png', filename: 'pixel.png', url }],
    });
    expect([chat.status, chat.error]).toEqual(['ready', undefined]);
    expect(model.calls[0]?.prompt[0]?.content).toMatchObject([
      { type: 'text', text: 'What is this?' },
      { type: 'file', filename: 'pixel.png', mediaType: 'image/png' },
    ]);
  });

  test('shows text, the tool call and its result as one message, and sends the next one', async () => {
    const { thread, route } = await serve({
      tools: [weather],
      script: [asksWeather, 'It is cold.', 'You too.'],
    });
    const chat = browserChat(route.url);
    await chat.sendMessage({ text: 'How is Bern?' });
    expect([chat.status, chat.error]).toEqual(['ready', undefined]);
    const [, answer] = chat.messages as [UIMessage, UIMessage];
    expect(listParts(answer)).toEqual([
      { type: 'step-start' },
      { type: 'text', text: 'I look.', state: 'done' },
      {
        type: 'tool-weather',
        toolCallId: 'c1',
        state: 'output-available',
        input: { city: 'Bern' },
        output: { degrees: 7 },
      },
      { type: 'step-start' },
      { type: 'text', text: 'It is cold.', state: 'done' },
    ]);
    const stored = await thread.messages();
    expect(stored.at(-1)?.id).toBe(`${answer.id}.2.answer`);
    await chat.sendMessage({ text: 'Bye' });
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(
      (await thread.messages()).filter(({ role }) => role === 'user').map(({ content }) => content),
    ).toEqual(['How is Bern?', 'Bye']);
  });

  test('hears text while the model still writes', async () => {
    const { thread, events, route } = await serve({ script: ['Hello there'] });
    const lengths: number[] = [];
    for await (const { parts } of readUIMessageStream({ stream: await post(route.url, 'Hi') })) {
      const text = parts.find(({ type }) => type === 'text') as { text: string } | undefined;
      lengths.push(text?.text.length ?? 0);
    }
    expect([...new Set(lengths)]).toEqual([0, 6, 11]);
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(2);
    expect(thread.streaming().streams).toBe(true);
  });

  test('learns of a failure by its code, and of nothing else', async () => {
    const told: unknown[] = [];
    const { route } = await serve(
      { script: [new Error('key sk-secret was refused'), 'Better.'] },
      { onError: (error) => told.push(error) },
    );
    const chat = browserChat(route.url);
    await chat.sendMessage({ text: 'Hi' });
    expect(chat.status).toBe('error');
    expect(chat.error?.message).toBe('The turn ended with an error: model_failed.');
    expect(told).toMatchObject([{ code: 'model_failed' }]);
    chat.clearError();
    await chat.sendMessage({ text: 'Again' });
    expect([chat.status, listParts(chat.lastMessage as UIMessage).at(-1)]).toMatchObject([
      'ready',
      { text: 'Better.' },
    ]);
  });

  test('gets only what a redacting hook has left of the text', async () => {
    const redact = defineHook({
      hook: 'before_create_message',
      id: 'redact_message',
      execute: async (_, message) => ({
        ...message,
        content: `${message.content}`.replaceAll('41-card-11', '****'),
        ...(message.tool_calls
          ? { tool_calls: `${message.tool_calls}`.replaceAll('41-card-11', '****') }
          : {}),
      }),
    });
    const { thread, route } = await serve({
      policies: [redact],
      tools: [defineTool({ name: 'weather', execute: () => 'card 41-card-11' })],
      script: [
        { ...asksWeather, toolCalls: [{ id: 'c1', name: 'weather', input: { card: '41-card-11' } }] },
        'Card 41-card-11.',
      ],
    });
    expect(thread.streaming()).toEqual({
      streams: false,
      raw: false,
      holdBack: 0,
      heldBackBy: ['redact_message'],
    });
    const sent = await rawBody(route.url, 'Hi');
    expect(sent).toContain('Card ****.');
    expect(sent).toContain('card ****');
    expect(sent).toContain('{"card":"****"}');
    expect(sent).not.toContain('41-card-11');
  });

  test('gets what a hook wants the person to read, not its reason', async () => {
    const judge = defineHook({
      hook: 'before_user_message',
      id: 'judge',
      execute: async (_state, { content }) => ({
        decision: content === 'Hi' ? 'allow' : 'deny',
        reason: 'rule 7',
        userMessage: content === 'Hi' ? 'We are closed.' : 'Ask about orders only.',
      }),
    });
    const { route } = await serve({ policies: [judge], script: ['Hello.'] });
    const chat = browserChat(route.url);
    await chat.sendMessage({ text: 'Hi' });
    expect(listParts(chat.lastMessage as UIMessage)).toMatchObject([
      { type: 'data-notice', data: { text: 'We are closed.' } },
      { type: 'step-start' },
      { type: 'text', text: 'Hello.' },
    ]);
    await chat.sendMessage({ text: 'Sing' });
    expect(chat.error?.message).toBe('Ask about orders only.');
    expect(JSON.stringify(chat.messages)).not.toMatch(/rule 7|orders only/);
  });

  test('shows data that hooks and tools send', async () => {
    const work = defineTool({
      name: 'work',
      execute: (_: unknown, { state }) => {
        state.emit('progress', { done: 1 });
        state.emit('strange', 1n);
        return 'worked';
      },
    });
    const { route } = await serve({ tools: [work], script: [{ toolCalls: [{ name: 'work' }] }, 'Done.'] });
    const chat = browserChat(route.url);
    await chat.sendMessage({ text: 'Hi' });
    const data = listParts(chat.lastMessage as UIMessage).filter(({ type }) => `${type}`.startsWith('data-'));
    expect(data).toEqual([
      { type: 'data-progress', data: { done: 1 } },
      { type: 'data-strange', data: null },
    ]);
  });
});

describe('a client that goes away', () => {
  const hang = (started: () => void, finished: Promise<string> = never()): AnyTool =>
    defineTool({
      name: 'hang',
      execute: () => {
        started();
        return finished;
      },
    });
  const callsHang = [{ text: 'Wait.', toolCalls: [{ id: 'c1', name: 'hang' }] }, 'Done.'];

  test('stops the turn where the application says so', async () => {
    const { opened, open: started } = gate();
    const { thread, route } = await serve(
      { tools: [hang(started)], script: callsHang },
      { whenClientLeaves: 'stop' },
    );
    const chat = browserChat(route.url);
    const sending = chat.sendMessage({ text: 'Hi' });
    await opened;
    await chat.stop();
    await sending;
    expect(chat.status).toBe('ready');
    await thread.idle();
    const last = (await thread.messages()).at(-1);
    expect(last).toMatchObject({ role: 'tool', content: expect.stringContaining('stopped') });
  });

  test('leaves the turn to go on else, and unheard', async () => {
    const { opened, open: started } = gate();
    const { opened: finished, open: finish } = gate<string>();
    const slow = hang(started, finished);
    const { thread, route } = await serve({ tools: [slow], script: callsHang });
    const chat = browserChat(route.url);
    const sending = chat.sendMessage({ text: 'Hi' });
    await opened;
    await chat.stop();
    await sending;
    finish('worked');
    await thread.idle();
    expect((await thread.messages()).at(-1)?.content).toBe('Done.');
  });

  test('stops no other turn than its own', async () => {
    const { opened, open: started } = gate();
    const { opened: finished, open: finish } = gate<string>();
    const slow = hang(started, finished);
    const { thread } = await serve({ tools: [slow], script: [...callsHang, 'never said'] });
    const first = thread.send('first');
    await opened;
    const stream = streamTurn(thread, 'second', { whenClientLeaves: 'stop' });
    await stream.cancel();
    finish('worked');
    expect(await first).toMatchObject({ status: 'completed', text: 'Done.' });
    await thread.idle();
    await runWhatIsReady();
    expect((await thread.messages()).map(({ content }) => content)).not.toContain('never said');
  });

  test('sees an abort of the turn as its end', async () => {
    const { opened, open: started } = gate();
    const { thread, route } = await serve({ tools: [hang(started)], script: callsHang });
    const body = rawBody(route.url, 'Hi');
    await opened;
    await thread.stop();
    const chunks = (await body).trimEnd().split('\n\n');
    expect(chunks.slice(-2)).toEqual(['data: {"type":"abort"}', 'data: [DONE]']);
  });
});

describe('a person who is asked', () => {
  const script = [{ toolCalls: [{ id: 'c1', name: 'weather', input: { city: 'Bern' } }] }, 'Done.'];
  const careful = defineTool({ name: 'weather', permission: 'ask', execute: () => 'cold' });

  test.each([
    [true, { state: 'output-available', output: 'cold' }],
    [false, { state: 'output-denied' }],
  ])('sees the call, and says %s', async (allowed, expected) => {
    const { opened: answered, open: answer } = gate<boolean>();
    const { route } = await serve({ tools: [careful], script, onAsk: () => answered });
    const chat = browserChat(route.url);
    const sending = chat.sendMessage({ text: 'Hi' });
    await expect
      .poll(() => listParts(chat.lastMessage ?? { parts: [] }).at(-1))
      .toMatchObject({
        type: 'tool-weather',
        state: 'approval-requested',
        input: { city: 'Bern' },
        approval: { id: expect.any(String) },
      });
    const part = listParts(chat.lastMessage as UIMessage).at(-1) as { approval: { id: string } };
    await chat.addToolApprovalResponse({ id: part.approval.id, approved: allowed });
    answer(allowed);
    await sending;
    expect([chat.status, chat.error]).toEqual(['ready', undefined]);
    expect(listParts(chat.lastMessage as UIMessage)[1]).toMatchObject({ toolCallId: 'c1', ...expected });
  });
});

test('a page shows each of two calls with one id', async () => {
  let count = 0;
  const calls = [{ id: 'call_0', name: 'count' }];
  const { route } = await serve({
    tools: [defineTool({ name: 'count', execute: () => `${++count}` })],
    script: [{ toolCalls: calls }, { toolCalls: calls }, 'Done.'],
  });
  const chat = browserChat(route.url);
  await chat.sendMessage({ text: 'Hi' });
  const outputs = listParts(chat.lastMessage as UIMessage).flatMap((part) =>
    'output' in part ? [part.output] : [],
  );
  expect(outputs).toEqual(['1', '2']);
});

test('a page hears what a person is asked about in a subagent', async () => {
  const { opened: answered, open: answer } = gate<boolean>();
  const { route } = await serve({
    tools: [
      defineTool({ name: 'helper', agent: 'helper' }),
      defineTool({ name: 'pay', permission: 'ask', execute: () => 'paid' }),
    ],
    agents: [defineAgent({ name: 'helper', prompt: 'helper' })],
    prompts: [definePrompt({ name: 'helper', tools: ['pay'] })],
    script: [
      { toolCalls: [{ name: 'helper', input: { message: 'Pay.' } }] },
      { toolCalls: [{ name: 'pay', input: { cents: 5 } }] },
      'Paid.',
      'Done.',
    ],
    onAsk: () => answered,
  });
  const chat = browserChat(route.url);
  const sending = chat.sendMessage({ text: 'Hi' });
  const asked = () =>
    listParts(chat.lastMessage ?? { parts: [] }).find(({ type }) => type === 'data-permission');
  await expect.poll(asked).toMatchObject({ data: { tool: 'pay', input: { cents: 5 }, answer: 'waiting' } });
  answer(true);
  await sending;
  expect(asked()).toMatchObject({ data: { tool: 'pay', answer: 'allowed' } });
  expect(JSON.stringify(chat.lastMessage)).not.toContain('Paid.",');
});

function bodyWith(text: string): string {
  return JSON.stringify({
    id: 'chat',
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }],
  });
}

async function rawBody(url: string, text: string): Promise<string> {
  return (await fetch(url, { method: 'POST', body: bodyWith(text) })).text();
}

function post(url: string, text: string): Promise<ReadableStream<UIMessageChunk>> {
  return new DefaultChatTransport({ api: url }).sendMessages({
    chatId: 'chat',
    messageId: undefined,
    trigger: 'submit-message',
    abortSignal: undefined,
    messages: [{ id: 'm', role: 'user', parts: [{ type: 'text', text }] }],
  });
}
