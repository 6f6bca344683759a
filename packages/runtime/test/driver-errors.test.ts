import { expect, test } from 'vitest';
import { createRuntime, defineAgent, definePrompt, defineTool, type Store } from '../src/index.ts';
import { createStore, type StoreDriver } from '../src/stores/derive/index.ts';
import { scriptedModel } from '../src/testing/index.ts';
import { jsonFileDriver } from './json-file-driver.ts';
import { tempFiles } from './sqlite/temp-files.ts';

const newFile = tempFiles();

/** A driver that fails as a database does: once, where a commit stores the result of a call. */
function failOnce(driver: StoreDriver, when: 'before' | 'after'): StoreDriver {
  let hasFailed = false;
  return {
    ...driver,
    async commit(threadId, fence, commit) {
      const isResult = commit.messages?.some(({ role }) => role === 'tool') ?? false;
      if (!isResult || hasFailed) return driver.commit(threadId, fence, commit);
      hasFailed = true;
      if (when === 'after') await driver.commit(threadId, fence, commit);
      throw new Error('SECRET: Connection terminated unexpectedly');
    },
  };
}

async function refundOnce(store: Store) {
  const paid: string[] = [];
  const runtime = createRuntime({
    store,
    models: { scripted: scriptedModel([{ toolCalls: [{ name: 'refund' }] }, 'Refunded.']) },
    tools: [
      defineTool({
        name: 'refund',
        execute: (_, { state }) => {
          paid.push(state.execution.callKey ?? '');
          return 'Paid.';
        },
      }),
    ],
    prompts: [definePrompt({ name: 'desk', tools: ['refund'] })],
    agents: [defineAgent({ name: 'desk', prompt: 'desk' })],
  });
  const thread = await runtime.createThread({ agent: 'desk' });
  const first = await thread.send('Refund it.', { id: 'r1' }).catch((error: unknown) => error);
  const again = await thread.send('Refund it.', { id: 'r1' });
  const roles = (await thread.messages()).map(({ role }) => role);
  await runtime.close();
  return { paid, first, again, roles };
}

test.each(['before', 'after'] as const)(
  "an error that a driver throws %s a write is the store's, and the turn goes on under its id",
  async (when) => {
    const { paid, first, again, roles } = await refundOnce(
      createStore(failOnce(jsonFileDriver(newFile()), when)),
    );
    expect(first).toMatchObject({ code: 'store_failed', message: expect.stringContaining('in commit') });
    expect(String(first)).not.toContain('SECRET');
    expect(again).toMatchObject({ status: 'completed', text: 'Refunded.' });
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant']);
    expect(paid).toHaveLength(1);
  },
);

test('a driver may be an object of a class', async () => {
  const inner = jsonFileDriver(newFile());
  class Driver {}
  for (const [name, method] of Object.entries(inner))
    Object.defineProperty(Driver.prototype, name, { value: method });
  const { roles } = await refundOnce(createStore(new Driver() as StoreDriver));
  expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant']);
});
