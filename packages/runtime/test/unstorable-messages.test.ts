import type { NewMessage } from '@spec/hooks';
import { expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import { lines, onBothStores, thrownBy } from './kit.ts';

const user = { role: 'user', content: 'x' };

/** Messages that no store takes, as plain JavaScript may write them. */
const unstorable: Record<string, object> = {
  'no fields': {},
  'an unknown role': { ...user, role: 'robot' },
  'a content that is no text': { ...user, content: 5 },
  'an empty id': { ...user, id: '' },
  'a time that is none': { ...user, created_at: 'soon' },
  'a name that is no text': { ...user, name: 7 },
  'a depth that is no number': { ...user, depth: 'deep' },
  'a date in a field': { ...user, at: new Date(0) },
  'a map in its metadata': { ...user, metadata: new Map() },
};

for (const [what, message] of Object.entries(unstorable)) {
  onBothStores(`a message with ${what} is refused to who queues it`, async (kit) => {
    const { thread } = await kit.thread({ script: ['One.'] });
    const error = await thrownBy(thread.queue(message as NewMessage, { wake: false }));
    expect(error).toMatchObject({ code: 'invalid_message' });
    expect(await kit.store.listQueue(thread.id)).toEqual([]);
    expect(await thread.send('Go')).toMatchObject({ text: 'One.' });
  });

  onBothStores(
    `a message with ${what} is refused to the tool that writes it, and the turn goes on`,
    async (kit) => {
      const codes: unknown[] = [];
      const write = defineTool({
        name: 'write',
        execute: async (_: unknown, { state }) => {
          codes.push((await thrownBy(state.injectMessage(message as NewMessage))).code);
          codes.push((await thrownBy(state.queueMessage(message as NewMessage))).code);
          return 'ran';
        },
      });
      const { thread } = await kit.thread({
        tools: [write],
        script: [{ toolCalls: [{ name: 'write' }] }, 'One.'],
      });
      expect(await thread.send('Go')).toMatchObject({ status: 'completed', text: 'One.' });
      expect(codes).toEqual(['invalid_message', 'invalid_message']);
      expect(await lines(thread)).toEqual(['user: Go', 'assistant: null', 'tool: ran', 'assistant: One.']);
    },
  );
}

for (const kind of ['message', 'inject'] as const)
  onBothStores(
    `what waits and cannot be stored (${kind}) is dropped, an error row tells of it, and the rest is kept`,
    async (kit) => {
      const { thread, model, events } = await kit.thread({ script: ['One.', 'Two.'] });
      const good = { id: 'good', role: 'user', content: 'kept', created_at: 1 };
      const bad = { id: 'bad', role: 'user', content: { secret: 'canary' }, created_at: 1 };
      for (const payload of [bad, good]) await kit.store.post(thread.id, { id: payload.id, kind, payload });
      expect(await thread.send('Go')).toMatchObject({ text: 'One.' });
      expect(await thread.send('Again')).toMatchObject({ text: 'Two.' });
      const row =
        'assistant: A message that waited in the queue was dropped, because it cannot be stored: invalid_message.';
      expect((await lines(thread)).slice(0, 4)).toEqual(['user: Go', row, 'user: kept', 'assistant: One.']);
      expect(await kit.store.listQueue(thread.id)).toEqual([]);
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'message',
          message: expect.objectContaining({ error_code: 'invalid_message' }),
        }),
      );
      expect(JSON.stringify([await thread.messages(), model.calls])).not.toMatch('canary');
    },
  );
