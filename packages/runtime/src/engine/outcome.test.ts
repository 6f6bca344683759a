import { readFileSync } from 'node:fs';
import { defineHook, RunError } from '@spec/hooks';
import { expect, test } from 'vitest';
import { type Kit, newFile, onBothStores, thrownBy } from '../../test/kit.ts';
import { startRuntime } from '../../test/start-runtime.ts';
import { sqliteStore } from '../stores/sqlite/index.ts';
import { type Journal, journalEngine } from '../testing/index.ts';
import { exportThread } from '../transfer/index.ts';

const SECRET = 'ANSWER-SECRET-77';

async function exported({ store }: Kit, threadId: string): Promise<string> {
  let text = '';
  for await (const line of exportThread(store, threadId)) text += line;
  return text;
}

const engines = [undefined, () => journalEngine({ journal: new Map() as Journal })];
for (const engine of engines)
  onBothStores(
    `the result of a named turn has the answer as it is now${engine ? ' (journal)' : ''}`,
    async (kit) => {
      const { thread } = await kit.thread({
        script: [SECRET, SECRET],
        ...(engine && { engine: engine() }),
      });
      const first = await thread.send('q', { id: 'k1' });
      expect(first).toMatchObject({ status: 'completed', text: SECRET, steps: 1 });
      expect(await thread.send('q', { id: 'k1' })).toEqual(first);
      expect(await thread.send('again', { id: 'k2' })).toEqual({ ...first, turnId: 'k2' });
      await thread.update('k1.1.answer', { content: 'rephrased' });
      await thread.deleteMessage('k2.1.answer');
      expect(await thread.send('q', { id: 'k1' })).toEqual({ ...first, text: 'rephrased' });
      expect(await thread.send('q', { id: 'k2' })).toEqual({ ...first, turnId: 'k2', text: null });
      expect(await exported(kit, thread.id)).not.toContain(SECRET);
    },
  );

onBothStores('a named turn that failed fails again, and one that was denied is denied again', async (kit) => {
  const { thread } = await kit.thread({
    script: [
      () => {
        throw new RunError('model_failed', 'no answer');
      },
    ],
    policies: [
      defineHook({
        hook: 'before_user_message',
        id: 'rude',
        execute: async (_, { content }) =>
          content === 'rude' ? { decision: 'deny', reason: 'be kind' } : null,
      }),
    ],
  });
  const failure = await thrownBy(thread.send('x', { id: 'k1' }));
  expect(await thrownBy(thread.send('x', { id: 'k1' }))).toMatchObject({
    code: failure.code,
    message: failure.message,
  });
  const denied = await thread.send('rude', { id: 'k2' });
  expect(denied).toMatchObject({ status: 'denied', text: null, reason: 'be kind' });
  expect(await thread.send('rude', { id: 'k2' })).toEqual(denied);
});

test('the text of a named turn leaves the file with its message', async () => {
  const path = newFile();
  const { runtime } = startRuntime(sqliteStore({ path }), { script: [SECRET] });
  const thread = await runtime.createThread({ agent: 'agent' });
  await thread.send('q', { id: 'k1' });
  expect(readFileSync(`${path}-wal`).includes(SECRET)).toBe(true);
  await thread.deleteMessage('k1.1.answer');
  for (const file of [path, `${path}-wal`]) expect(readFileSync(file).includes(SECRET), file).toBe(false);
  await runtime.close();
});

onBothStores('a kept outcome of a wrong form has a code and its place, and no value', async (kit) => {
  const { thread } = await kit.thread({ script: ['one'] });
  await thread.send('q', { id: 'k1' });
  const { fence = 0 } = (await kit.store.getLease(thread.id)) ?? {};
  const result = { turnId: 'k1', status: 'completed', steps: 1, answerId: null };
  const wrong = [5, null, SECRET, [], {}, { result: SECRET }, { error: 5 }, { error: { code: 1 } }];
  const wrongResults = [
    { ...result, answerId: 5 },
    { ...result, steps: SECRET },
    { ...result, status: 7 },
  ].map((one) => ({ result: one }));
  for (const value of [...wrong, ...wrongResults]) {
    await kit.store.setValue(thread.id, fence, { key: 'runtime/turns/k1', value });
    const error = await thrownBy(thread.send('q', { id: 'k1' }));
    expect(error).toMatchObject({ name: 'RunError', code: 'store_unreadable' });
    expect(error.message).toContain(`The value runtime/turns/k1 of thread ${thread.id} is damaged`);
    expect(error.message).not.toContain(SECRET);
  }
});
