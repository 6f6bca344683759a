import type { HookMessage } from '@spec/hooks';
import { defineHook } from '@spec/hooks';
import type { UIMessage } from 'ai';
import { expect, test } from 'vitest';
import { browserChat } from '../../test/browser-chat.ts';
import { chatRoute } from '../../test/chat-route.ts';
import { onBothStores } from '../../test/kit.ts';
import { defineTool } from '../index.ts';
import { streamTurn, toUIMessages, uiMessageStreamResponse, userInputOf } from './index.ts';

/** Messages without ids and states: a stream has no state for what it has ended. */
function bare(messages: readonly UIMessage[]): unknown {
  return messages.map(({ role, parts }) => ({
    role,
    parts: parts.map((part) => {
      const { state: _, ...fields } = JSON.parse(JSON.stringify(part)) as Record<string, unknown>;
      return fields;
    }),
  }));
}

onBothStores('a page that is opened again shows what the stream has shown', async (kit) => {
  const tools = [
    defineTool({ name: 'weather', execute: () => ({ degrees: 7 }) }),
    defineTool({
      name: 'fail',
      execute: (_: unknown, { state }) => {
        void state.queueTool('weather', { city: 'Bonn' });
        throw new Error('no');
      },
    }),
  ];
  const note = defineHook({
    hook: 'after_tool_batch',
    id: 'note',
    execute: async (_state) => 'for the model',
  });
  const both = [
    { id: 'c1', name: 'weather', input: { city: 'Bern' } },
    { id: 'c2', name: 'fail' },
  ];
  const script = [{ text: 'I look.', toolCalls: both }, 'Cold.', 'Bye.', new Error('broken')];
  const { thread } = await kit.thread({ tools, policies: [note], script });
  const route = await chatRoute((body) => uiMessageStreamResponse(streamTurn(thread, userInputOf(body))));
  const chat = browserChat(route.url);
  for (const text of ['How is Bern?', 'Thanks', 'More']) await chat.sendMessage({ text });
  await route.close();

  const shown = toUIMessages(await thread.messages());
  expect(bare(shown as UIMessage[])).toEqual(
    bare(chat.messages.filter(({ parts }) => parts.length > 1 || parts[0]?.type === 'text')),
  );
  expect(shown.filter(({ role }) => role === 'assistant').map(({ id }) => id)).toEqual(
    chat.messages
      .filter(({ role }) => role === 'assistant')
      .slice(0, 2)
      .map(({ id }) => id),
  );
  expect(JSON.stringify(shown)).not.toContain('for the model');
});

onBothStores(
  'a call that a person refused is shown as refused, a call that a hook denied as failed',
  async (kit) => {
    const pay = defineTool({ name: 'pay', permission: 'ask', execute: () => 'paid' });
    const never = defineHook({
      hook: 'before_tool_call',
      id: 'never',
      execute: async (_, { id }) => (id === 'c2' ? { decision: 'deny' } : null),
    });
    const calls = ['c1', 'c2'].map((id) => ({ id, name: 'pay' }));
    const script = [{ toolCalls: calls }, 'Done.'];
    const { thread } = await kit.thread({ tools: [pay], policies: [never], script, onAsk: () => false });
    const live: string[] = [];
    for await (const { type } of streamTurn(thread, 'Pay.')) live.push(type);
    expect(live.filter((type) => type.startsWith('tool-output'))).toEqual([
      'tool-output-denied',
      'tool-output-error',
    ]);
    const shown = toUIMessages(await thread.messages())
      .at(-1)
      ?.parts.filter((part) => 'toolCallId' in part);
    expect(shown).toMatchObject([
      { toolCallId: 'c1', state: 'output-denied', approval: { id: 'c1', approved: false } },
      { toolCallId: 'c2', state: 'output-error' },
    ]);
  },
);

test('messages of no turn, calls without results and results without calls', () => {
  const row = (fields: Partial<HookMessage>): HookMessage => ({
    id: 'x',
    role: 'user',
    content: null,
    created_at: 1,
    ...fields,
  });
  const call = { id: 'c1', type: 'function', function: { name: 'ping', arguments: 'not JSON' } };
  const shown = toUIMessages([
    row({ id: 'u1', content: 'imported' }),
    row({ id: 'a1', role: 'assistant', content: 'one' }),
    row({ id: 'r0', role: 'tool', content: 'whose?', tool_call_id: 'c0' }),
    row({ id: 'a2', role: 'assistant', tool_calls: JSON.stringify([call]) }),
    row({ id: 's1', role: 'system', content: 'rules' }),
  ]);
  expect(shown).toEqual([
    { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'imported', state: 'done' }] },
    {
      id: 'a1',
      role: 'assistant',
      parts: [
        { type: 'text', text: 'one', state: 'done' },
        { type: 'tool-ping', toolCallId: 'c1', state: 'input-available', input: 'not JSON' },
      ],
    },
  ]);
});

for (const id of ['two\nlines', 'a\r\nb', 'a\u2028b', 'a.b\n~%'])
  onBothStores(
    `a turn with the id ${JSON.stringify(id)} is one message, without what hooks wrote`,
    async (kit) => {
      const note = defineHook({
        hook: 'after_tool_batch',
        id: 'note',
        execute: async (state) => {
          await state.injectMessage({ role: 'user', content: 'for the model' });
          return null;
        },
      });
      const tools = [defineTool({ name: 'look', execute: () => 'seen' })];
      const script = [{ toolCalls: [{ id: 'c1', name: 'look' }] }, 'Done.'];
      const { thread } = await kit.thread({ tools, policies: [note], script });
      await thread.send('Go', { id });
      const shown = toUIMessages(await thread.messages());
      expect(shown.map(({ role }) => role)).toEqual(['user', 'assistant']);
      expect(shown[1]?.id).toBe(id);
      expect(JSON.stringify(shown)).not.toContain('for the model');
    },
  );
