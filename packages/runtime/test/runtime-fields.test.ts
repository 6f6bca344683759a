import { defineHook } from '@spec/hooks';
import { describe, expect } from 'vitest';
import { onBothStores, thrownBy } from './kit.ts';

describe.each(['summary_through', 'error_code', 'refused_by'])('%s', (field) => {
  const names = `field "${field}" of `;

  onBothStores('is refused in what callers give, and nothing is stored', async (kit) => {
    const { thread, model } = await kit.thread({ script: ['ok'] });
    const message = { role: 'user', content: 'hello', [field]: 'x' } as const;
    const errors = [
      await thrownBy(thread.send(message)),
      await thrownBy(thread.send({ ...message, [field]: null })),
      await thrownBy(thread.inject(message)),
      await thrownBy(thread.queue(message)),
      await thrownBy(thread.state.injectMessage(message)),
      await thrownBy(thread.state.queueMessage(message)),
    ];
    for (const error of errors) {
      expect(error.code).toBe('invalid_message');
      expect(error.message).toContain(names);
    }
    await thread.idle();
    expect(await thread.messages()).toEqual([]);
    expect(model.calls).toEqual([]);
    expect(await thread.send({ content: 'hello', [field]: undefined } as never)).toMatchObject({
      text: 'ok',
    });
  });

  onBothStores('is refused in updates, of callers and of hooks', async (kit) => {
    const mark = defineHook({
      hook: 'before_update_message',
      id: 'mark',
      execute: async (_state, _id, updates) =>
        updates.content === 'by hook' ? { ...updates, [field]: 'x' } : updates,
    });
    const { thread } = await kit.thread({ policies: [mark] });
    const { id } = await thread.inject({ role: 'user', content: 'a' });
    const errors = [
      await thrownBy(thread.update(id, { [field]: 'x' })),
      await thrownBy(thread.update(id, { content: 'by hook' })),
    ];
    for (const error of errors) expect(error.message).toContain(`${names}message ${id}`);
    expect(await thread.messages()).toMatchObject([{ content: 'a' }]);
    expect((await thread.messages())[0]).not.toHaveProperty(field);
  });

  onBothStores('is refused in what before_create_message returns', async (kit) => {
    const mark = defineHook({
      hook: 'before_create_message',
      id: 'mark',
      execute: async (_state, message) =>
        message.content === 'mark me' ? { ...message, [field]: 'x' } : message,
    });
    const { thread } = await kit.thread({ policies: [mark] });
    const error = await thrownBy(thread.inject({ role: 'user', content: 'mark me' }));
    expect(error).toMatchObject({ code: 'invalid_message', message: expect.stringContaining(names) });
    expect(await thread.messages()).toEqual([]);
  });

  onBothStores('is not taken from a tool’s result', async (kit) => {
    const add = defineHook({
      hook: 'before_store_tool_result',
      id: 'add',
      execute: async (_state, _call, result) => ({ ...result, [field]: 'x', cost: 5 }),
    });
    const { thread, model } = await kit.thread({
      policies: [add],
      tools: [{ name: 'look', execute: () => 'found' }],
      script: [{ toolCalls: [{ name: 'look' }] }, 'ok'],
    });
    await thread.send('Look.');
    expect((await thread.messages())[2]).toMatchObject({ role: 'tool', cost: 5 });
    expect((await thread.messages())[2]).not.toHaveProperty(field);
    expect(JSON.stringify(model.calls[1]?.prompt)).toContain('found');
  });
});

describe('what the runtime has marked itself', () => {
  onBothStores('keeps its mark, whether or not a hook gives it back', async (kit) => {
    const rebuild = defineHook({
      hook: 'before_create_message',
      id: 'rebuild',
      execute: async (_state, message) => ({
        id: message.id,
        role: message.role,
        content: message.content,
        created_at: message.created_at,
      }),
    });
    for (const policies of [[], [rebuild]]) {
      const { thread } = await kit.thread({ policies, script: [new Error('down')] });
      await thrownBy(thread.send('a'));
      const row = (await thread.messages())[1];
      expect(row).toMatchObject({ error_code: 'model_failed' });
      expect(await thread.update(row?.id ?? '', { ...row, content: 'b' })).toMatchObject({ content: 'b' });
      for (const fields of [{ error_code: undefined }, { error_code: 'other' }]) {
        expect((await thrownBy(thread.update(row?.id ?? '', fields))).code).toBe('invalid_message');
      }
    }
  });

  onBothStores('a summary stays one', async (kit) => {
    const { thread } = await kit.thread({ script: ['One.', 'Short.'] });
    await thread.send('a');
    await thread.compact();
    const summary = (await thread.messages())[2];
    expect(summary).toHaveProperty('summary_through');
    await thread.update(summary?.id ?? '', { ...summary, content: 'Shorter.' });
    const error = await thrownBy(thread.update(summary?.id ?? '', { summary_through: undefined }));
    expect(error.code).toBe('invalid_message');
    expect((await thread.messages())[2]).toMatchObject({ ...summary, content: 'Shorter.' });
  });
});
