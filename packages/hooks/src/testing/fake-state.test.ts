import { describe, expect, test } from 'vitest';
import { fakeState } from './fake-state.ts';
import { fixtureEpoch, toolError, toolResult, userMessage } from './fixtures.ts';
import { virtualClock } from './virtual-clock.ts';

describe('messages of a fake state', () => {
  test('are stored in order, found by id, and read whole or the newest of them', async () => {
    const first = userMessage('one');
    const state = fakeState({ messages: [first, { role: 'assistant', content: 'two' }] });
    const third = await state.injectMessage({ role: 'user', content: 'three', lang: 'en' });
    expect(third).toMatchObject({ role: 'user', content: 'three', lang: 'en', id: expect.any(String) });
    const contents = async (range?: { last: number }) =>
      (await state.getMessages(range)).map(({ content }) => content);
    expect(await contents()).toEqual(['one', 'two', 'three']);
    expect(await contents({ last: 2 })).toEqual(['two', 'three']);
    expect(await contents({ last: 9 })).toEqual(['one', 'two', 'three']);
    expect(await contents({ last: 0 })).toEqual([]);
    expect(await state.getMessage(third.id)).toEqual(third);
    expect(await state.getMessage('none')).toBeNull();
    expect(state.stored.map(({ id }) => id)).toEqual([first.id, expect.any(String), third.id]);
  });

  test('have times in microseconds that only grow, by the clock', async () => {
    const clock = virtualClock();
    const state = fakeState({ clock, messages: [userMessage('old', { created_at: 5 })] });
    const a = await state.injectMessage({ role: 'user', content: 'a' });
    const b = await state.injectMessage({ role: 'user', content: 'b' });
    await clock.advance('2s');
    const c = await state.injectMessage({ role: 'user', content: 'c' });
    expect([a, b, c].map(({ created_at }) => created_at - fixtureEpoch)).toEqual([0, 1, 2_000_000]);
  });

  test('one with an id that is there is not stored again', async () => {
    const message = userMessage('one');
    const state = fakeState({ messages: [message] });
    expect(await state.injectMessage({ ...message, content: 'other' })).toEqual(message);
    expect(state.stored).toEqual([message]);
  });

  test('are updated by fields, and deleted', async () => {
    const message = userMessage('one', { tag: 'x' });
    const state = fakeState({ messages: [message] });
    const updated = await state.updateMessage(message.id, { content: 'two', tag: undefined, note: 1 });
    const { tag: _, ...rest } = message;
    expect(updated).toEqual({ ...rest, content: 'two', note: 1 });
    expect(state.stored).toEqual([updated]);
    await expect(state.updateMessage('none', {})).rejects.toMatchObject({ code: 'not_found' });
    await expect(state.updateMessage(message.id, { id: 'other' })).rejects.toMatchObject({
      code: 'invalid_message',
    });
    expect(await state.deleteMessage(message.id)).toBe(true);
    expect(await state.deleteMessage(message.id)).toBe(false);
    expect(state.stored).toEqual([]);
  });

  test('that are none are refused', async () => {
    const state = fakeState();
    await expect(state.injectMessage({ role: 'robot' as 'user', content: '' })).rejects.toMatchObject({
      code: 'invalid_message',
      message: expect.stringContaining('role must be system, user, assistant or tool'),
    });
    expect(() => fakeState({ messages: [{ role: 'user', content: 1 as never }] })).toThrow('content must be');
  });

  test('are copies on the way in and out', async () => {
    const draft = { role: 'user' as const, content: 'a', tags: ['x'] };
    const state = fakeState();
    const stored = await state.injectMessage(draft);
    draft.tags.push('y');
    (stored.content as string) = 'changed';
    ((await state.getMessages())[0] as { content: string }).content = 'changed';
    const [read] = state.stored;
    expect(read).toMatchObject({ content: 'a', tags: ['x'] });
  });
});

describe('everything else of a fake state', () => {
  test('identity and execution, with defaults and given', () => {
    expect(fakeState()).toMatchObject({ agentId: 'agent_1', userId: null, children: [], terminated: null });
    expect(fakeState().threadId).not.toBe(fakeState().threadId);
    expect(fakeState().execution).toMatchObject({ currentSide: 'a', stepCount: 1, stopped: false });
    const execution = { flowId: 'f', currentSide: 'b', stepCount: 7, stopped: true, callKey: 'k' } as const;
    const state = fakeState({ threadId: 't', agentId: 'support', userId: 'u', execution });
    expect(state).toMatchObject({ threadId: 't', agentId: 'support', userId: 'u', execution });
  });

  test('stop and abort', () => {
    const state = fakeState();
    state.execution.stop();
    expect(state.execution).toMatchObject({ stopped: true, abortSignal: { aborted: false } });
    state.abort('enough');
    expect(state.execution.abortSignal).toMatchObject({ aborted: true, reason: 'enough' });
  });

  test('the queue, events, and the end of the thread', async () => {
    const state = fakeState();
    await state.queueMessage({ role: 'user', content: 'later' });
    state.emit('progress', { percent: 50 });
    expect(state.queued).toEqual([{ role: 'user', content: 'later' }]);
    expect(state.events).toEqual([{ event: 'progress', data: { percent: 50 } }]);
    await state.terminate('done');
    expect(state).toMatchObject({ terminated: 'done', execution: { stopped: true } });
    await expect(state.injectMessage({ role: 'user', content: 'x' })).rejects.toMatchObject({
      code: 'thread_terminated',
    });
  });

  test('values are JSON and copies', async () => {
    const state = fakeState({ values: { seen: { ids: ['a'] } } });
    const seen = (await state.getValue('seen')) as { ids: string[] };
    seen.ids.push('b');
    expect(state.values).toEqual({ seen: { ids: ['a'] } });
    await state.setValue('seen', seen);
    await state.setValue('count', 1);
    expect(state.values).toEqual({ seen: { ids: ['a', 'b'] }, count: 1 });
    await state.setValue('count', undefined);
    expect(await state.getValue('count')).toBeUndefined();
    for (const value of [() => 1, new Date(), new Map(), 1n, Number.NaN, { deep: [new Uint8Array()] }]) {
      await expect(state.setValue('bad', value)).rejects.toMatchObject({ code: 'invalid_input' });
    }
    expect(Object.keys(state.values)).toEqual(['seen']);
  });

  test('files', async () => {
    const state = fakeState({ files: { 'notes/a.txt': 'hé' } });
    expect(await state.statFile('notes/a.txt')).toEqual({
      type: 'file',
      path: 'notes/a.txt',
      name: 'a.txt',
      mimeType: 'text/plain',
      size: 3,
    });
    await state.writeFile('b.bin', new Uint8Array([1, 2]));
    await state.writeFile('notes/c.md', '# c', 'text/markdown');
    expect((await state.listFiles()).map(({ path }) => path)).toEqual(['b.bin', 'notes/a.txt', 'notes/c.md']);
    expect((await state.listFiles('notes/')).map(({ name }) => name)).toEqual(['a.txt', 'c.md']);
    expect(await state.readFile('b.bin')).toEqual(new Uint8Array([1, 2]));
    expect(await state.readFile('none')).toBeNull();
    expect(state.files['notes/c.md']).toMatchObject({ text: '# c', mimeType: 'text/markdown' });
    expect(await state.unlinkFile('b.bin')).toBe(true);
    expect(await state.unlinkFile('b.bin')).toBe(false);
    await expect(state.writeFile('notes/', '')).rejects.toThrow('A file path must name a file');
  });

  test('tools answer as they were given, and what was asked of them is kept', async () => {
    const state = fakeState({
      tools: {
        text: 'sunny',
        result: toolError('down'),
        function: ({ city }) => toolResult(`${String(city)}: sunny`),
        broken: () => {
          throw new Error('no network');
        },
      },
    });
    expect(state.toolNames()).toEqual(['text', 'result', 'function', 'broken']);
    expect(await state.invokeTool('text', {})).toEqual(toolResult('sunny'));
    expect(await state.invokeTool('result', {})).toEqual(toolError('down'));
    expect(await state.invokeTool('function', { city: 'Oslo' })).toEqual(toolResult('Oslo: sunny'));
    expect(await state.invokeTool('broken', {})).toEqual(toolError('no network'));
    await state.queueTool('text', { a: 1 });
    expect(state.invokedTools.map(({ name }) => name)).toEqual(['text', 'result', 'function', 'broken']);
    expect(state.queuedTools).toEqual([{ name: 'text', input: { a: 1 } }]);
    await expect(state.invokeTool('none', {})).rejects.toThrow(
      'There is no tool named "none"; there are: text, result, function, broken. Give it to fakeState({ tools: { none: … } }).',
    );
    await expect(state.queueTool('toString', {})).rejects.toMatchObject({ code: 'not_found' });
  });

  test('definitions', async () => {
    const state = fakeState({
      agents: { support: { name: 'support' } },
      prompts: { p: 1 },
      models: { m: 2 },
    });
    expect(await state.loadAgent('support')).toEqual({ name: 'support' });
    expect(await state.loadPrompt('none')).toBeNull();
    expect([state.agentNames(), state.promptNames(), state.modelNames()]).toEqual([
      ['support'],
      ['p'],
      ['m'],
    ]);
  });

  test('parents and children know each other', async () => {
    const child = fakeState({ threadId: 'child' });
    const parent = fakeState({ children: [child] });
    expect(parent.children).toEqual(['child']);
    expect(await parent.getChildThread('child')).toBe(child);
    expect(await parent.getChildThread('none')).toBeNull();
    expect(await child.getParentThread()).toBe(parent);
    expect(await parent.getParentThread()).toBeNull();
    expect(await child.injectMessage({ role: 'user', content: 'x' })).toMatchObject({ depth: 1 });
    expect(await parent.injectMessage({ role: 'user', content: 'x' })).not.toHaveProperty('depth');
  });

  test('a method can be replaced', async () => {
    const state = fakeState();
    state.getValue = async () => {
      throw new Error('store is down');
    };
    await expect(state.getValue('x')).rejects.toThrow('store is down');
  });
});
