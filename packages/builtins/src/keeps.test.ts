import type { AnyHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { expect, onTestFinished, test } from 'vitest';
import { cacheModelCalls, limitCost, redact } from './index.ts';

/** Which of these values a tool may set, beside what guards keep. */
async function trySetting(policies: readonly AnyHook[], names: readonly string[]): Promise<string[]> {
  const set: string[] = [];
  const remember = defineTool({
    name: 'remember',
    execute: async (_input, { state }) => {
      for (const name of names)
        await state.setValue(name, null).then(
          () => set.push(name),
          () => {},
        );
      return 'remembered';
    },
  });
  const runtime = createRuntime({
    policies,
    models: { scripted: scriptedModel([{ toolCalls: [{ name: 'remember' }] }, 'ok']) },
    tools: [remember],
    prompts: [definePrompt({ name: 'clerk', tools: ['remember'] })],
    agents: [defineAgent({ name: 'clerk', prompt: 'clerk' })],
  });
  onTestFinished(() => runtime.close());
  const thread = await runtime.createThread({ agent: 'clerk' });
  await thread.send('Write to ada@example.org.');
  return set;
}

test.each<[string, readonly AnyHook[], readonly string[]]>([
  ['redact', redact(), ['redact', 'redact_marks', 'redact_values_0']],
  ['redact by another id', redact({ id: 'hide' }), ['hide', 'hide_marks', 'hide_values_1']],
  ['limitCost', limitCost({ tokens: 1_000_000 }), ['limit_cost/account']],
  ['cacheModelCalls', cacheModelCalls(), ['cache_model_calls/answers']],
])('no tool sets what %s keeps with the thread', async (_, policies, kept) => {
  expect(await trySetting(policies, [...kept, 'redacted', 'notes/1'])).toEqual(['redacted', 'notes/1']);
});

test('a store of the application is none of the thread', async () => {
  const store = { reserve: () => ({ fits: true, spent: 0 }), settle: () => {} };
  const policies = limitCost({ tokens: 1_000_000, store: store as never });
  expect(await trySetting(policies, ['limit_cost/account'])).toEqual(['limit_cost/account']);
});
