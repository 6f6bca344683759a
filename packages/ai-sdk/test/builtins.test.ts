// Ready-made hooks of @spec/builtins in the loop of the AI SDK.
import { cacheModelCalls, redact } from '@spec/builtins';
import type { AnyHook } from '@spec/hooks';
import { memoryStore } from '@spec/runtime';
import { generateText, stepCountIs, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AiSdkOptions, createHooks } from '../src/index.ts';
import { scriptedModel } from './scripted-model.ts';

const partial = (hooks: readonly AnyHook[]): AiSdkOptions => ({
  hooks,
  allowPartial: hooks.map(({ id }) => id),
});

describe.each([
  ['without a store', {}],
  ['with a store', { store: memoryStore() }],
])('redact with restore (%s)', (_, more) => {
  test('gives tools the values, and models their placeholders', async () => {
    const hooks = createHooks({ ...partial(redact({ restore: 'tools' })), ...more });
    const sent: string[] = [];
    const mail = tool({
      inputSchema: z.object({ to: z.string() }),
      execute: async ({ to }) => {
        sent.push(to);
        return `sent to ${to}`;
      },
    });
    const model = scriptedModel(
      { calls: [{ id: 'c', name: 'mail', input: { to: '[EMAIL_1]' } }] },
      { text: 'Sent.' },
    );
    const given = { model, tools: { mail }, prompt: 'Mail ada@example.com', stopWhen: stepCountIs(3) };
    await generateText(hooks.hooked(given, { threadId: 't' }));
    expect(sent).toEqual(['ada@example.com']);
    expect(JSON.stringify(model.sent)).toContain('sent to [EMAIL_1]');
    expect(JSON.stringify(model.sent)).not.toContain('ada@example.com');
  });
});

test('cacheModelCalls, which could keep nothing here, is refused when the hooks are created', () => {
  const create = () => createHooks({ hooks: cacheModelCalls(), store: memoryStore() });
  expect(create).toThrow(
    'cache_model_calls_before (before_model_call) never runs: requests in the loop of a framework do not show all that is sent',
  );
});
