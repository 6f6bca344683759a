import { defineHook } from '@spec/hooks';
import { expect } from 'vitest';
import { lines, never, onBothStores, thrownBy } from './kit.ts';

onBothStores('before_create_message that fails blocks, whoever writes', async (kit) => {
  const guard = defineHook({
    hook: 'before_create_message',
    id: 'guard',
    execute: async (_, message) => {
      if (`${message.content}`.includes('bad')) throw new Error('bad-secret');
      return message;
    },
  });
  const { thread, model } = await kit.thread({ policies: [guard], script: ['bad answer', 'good'] });
  const blocked = 'Hook "guard" (before_create_message) failed';
  const errors = [
    await thrownBy(thread.inject({ role: 'user', content: 'bad' })),
    await thrownBy(thread.queue({ role: 'user', content: 'bad' }, { wake: false })),
    await thrownBy(thread.send('bad')),
    await thrownBy(thread.send('fine')),
  ];
  for (const error of errors) {
    expect(error).toMatchObject({ code: 'hook_failed', id: 'guard', hook: 'before_create_message' });
    expect(error.message).toContain(blocked);
    expect(error.message).not.toContain('bad-secret');
  }
  expect(model.calls).toHaveLength(1);
  const row = 'assistant: The turn ended with an error: hook_failed.';
  expect(await lines(thread)).toEqual([row, 'user: fine', row]);
  expect(await thread.send('fine')).toMatchObject({ text: 'good' });
});

onBothStores('before_update_message that fails blocks', async (kit) => {
  const { thread } = await kit.thread({
    policies: [
      defineHook({
        hook: 'before_update_message',
        id: 'frozen',
        execute: async () => {
          throw new Error('no');
        },
      }),
    ],
  });
  const { id } = await thread.inject({ role: 'user', content: 'a' });
  expect(await thrownBy(thread.update(id, { content: 'b' }))).toMatchObject({ code: 'hook_failed' });
  expect(await lines(thread)).toEqual(['user: a']);
});

onBothStores('after hooks that fail or hang stop nothing, and are recorded', async (kit) => {
  const { thread } = await kit.thread({
    policies: [
      defineHook({
        hook: 'after_create_message',
        id: 'failing',
        execute: () => {
          throw 'not even an error';
        },
      }),
      defineHook({ hook: 'after_create_message', id: 'hanging', timeout: 10, execute: () => never<void>() }),
      defineHook({
        hook: 'after_update_message',
        id: 'refusing',
        execute: () => Promise.reject(new Error('x')),
      }),
    ],
    script: ['ok'],
  });
  expect(await thread.send('Hello')).toMatchObject({ status: 'completed', text: 'ok' });
  const [user] = await thread.messages();
  expect(await thread.update(user?.id ?? '', { content: 'Hi' })).toMatchObject({ content: 'Hi' });
  const runs = (await thread.runs()).map(({ id, outcome }) => `${id} ${outcome}`);
  expect([...new Set(runs)]).toEqual(['failing failed', 'hanging timed_out', 'refusing failed']);
});

onBothStores('hooks that write within hooks are stopped four deep', async (kit) => {
  const echo = defineHook({
    hook: 'before_create_message',
    id: 'echo',
    execute: async (state, message) => {
      await state.injectMessage({ role: 'user', content: `${message.content}!` });
      return message;
    },
  });
  const { thread } = await kit.thread({ policies: [echo] });
  expect(await thrownBy(thread.inject({ role: 'user', content: 'a' }))).toMatchObject({
    code: 'hook_failed',
  });
  expect(await lines(thread)).toEqual([]);
  const runs = await thread.runs();
  expect(runs.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'failed', 'failed']);
  expect(runs[0]?.why).toBe('it was refused something: depth_exceeded');
});

onBothStores('a hook may write once without end', async (kit) => {
  const footnote = defineHook({
    hook: 'after_create_message',
    id: 'footnote',
    execute: async (state, { content }) => {
      if (!`${content}`.endsWith('*')) await state.injectMessage({ role: 'user', content: `${content}*` });
    },
  });
  const { thread } = await kit.thread({ policies: [footnote] });
  await thread.inject({ role: 'user', content: 'a' });
  expect(await lines(thread)).toEqual(['user: a', 'user: a*']);
});

onBothStores('an identity is never lost, and none is taken twice', async (kit) => {
  const answers: Array<(message: Record<string, unknown>) => Record<string, unknown>> = [
    ({ id: _, created_at: __, ...rest }) => rest,
    (message) => ({ ...message, id: 'chosen', created_at: 5 }),
    (message) => ({ ...message, id: 'chosen' }),
  ];
  const { thread } = await kit.thread({
    policies: [
      defineHook({
        hook: 'before_create_message',
        id: 'identity',
        execute: async (_, message) => (answers.shift() as (typeof answers)[0])(message),
      }),
    ],
  });
  const first = await thread.inject({ id: undefined, role: 'user', content: 'a' } as never);
  expect(first).toMatchObject({ id: expect.any(String), created_at: expect.any(Number) });
  expect(await thread.inject({ role: 'user', content: 'b' })).toMatchObject({ id: 'chosen', created_at: 5 });
  const error = await thrownBy(thread.inject({ role: 'user', content: 'c' }));
  expect(error).toMatchObject({ code: 'invalid_message' });
  expect(error.message).toBe(
    'A hook gave a new message the id chosen, which another message of the thread has.',
  );
  expect(await thread.messages()).toEqual([first, expect.objectContaining({ id: 'chosen' })]);
});

onBothStores('what is no message reaches neither hooks nor the store', async (kit) => {
  const seen: unknown[] = [];
  const look = defineHook({
    hook: 'before_create_message',
    id: 'look',
    execute: async (_, message) => {
      seen.push(message);
      return message;
    },
  });
  for (const policies of [[look], []]) {
    const { thread } = await kit.thread({ policies });
    for (const message of [{ role: 'robot', content: 'x' }, { role: 'user' }, { role: 'user', content: 7 }]) {
      expect(await thrownBy(thread.inject(message as never))).toMatchObject({ code: 'invalid_message' });
    }
    expect(await lines(thread)).toEqual([]);
  }
  expect(seen).toEqual([]);
});

onBothStores('field names that mean something to JavaScript are just names, or refused', async (kit) => {
  const { thread } = await kit.thread();
  const odd = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };
  const stored = await thread.inject({ role: 'user', content: 'x', ...odd } as never);
  expect({ ...(stored as object) }).toMatchObject(odd);
  expect(await thread.messages()).toEqual([stored]);
  const poisoned = JSON.parse('{"role":"user","content":"x","__proto__":{"content":"evil"}}') as never;
  expect(await thrownBy(thread.inject(poisoned))).toMatchObject({ code: 'invalid_message' });
});

onBothStores('what a hook gives such a name is refused too', async (kit) => {
  const poison = defineHook({
    hook: 'before_create_message',
    id: 'poison',
    execute: async (_, message) =>
      JSON.parse(JSON.stringify(message).replace('}', ',"__proto__":{"content":"evil"}}')),
  });
  const { thread } = await kit.thread({ policies: [poison] });
  const refused = await thrownBy(thread.inject({ role: 'user', content: 'x' }));
  expect(refused).toMatchObject({ code: 'invalid_result', id: 'poison' });
  expect(await thread.messages()).toEqual([]);
});

onBothStores('updating what is not there, or an id, is refused', async (kit) => {
  const { thread } = await kit.thread();
  const { id } = await thread.inject({ role: 'user', content: 'a' });
  const missing = await thrownBy(thread.update('nobody', { content: 'b' }));
  expect(missing).toMatchObject({ code: 'not_found', threadId: thread.id });
  expect(missing.message).toBe(`Thread ${thread.id} has no message nobody.`);
  const renamed = await thrownBy(thread.update(id, { id: 'other' }));
  expect(renamed).toMatchObject({ code: 'invalid_message' });
  expect(renamed.message).toBe(`The id of message ${id} cannot be changed.`);
  expect(await thread.deleteMessage(id)).toBe(true);
  expect(await thread.deleteMessage(id)).toBe(false);
});
