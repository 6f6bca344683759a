import { defineHook, type StoredToolResult } from '@spec/hooks';
import { expect } from 'vitest';
import { defineTool } from '../src/index.ts';
import type { ScriptedToolCall } from '../src/testing/index.ts';
import { type Kit, never, onBothStores, runWhatIsReady } from './kit.ts';

const makeCalls = (...names: string[]): { toolCalls: ScriptedToolCall[] } => ({
  toolCalls: names.map((name) => ({ name })),
});

const SECRET = 'raw-secret-4111';

async function withheldEverywhere(kit: Kit, execute: () => Promise<never>): Promise<void> {
  const redact = defineHook({ hook: 'before_store_tool_result', id: 'redact', timeout: 20, execute });
  const batches: StoredToolResult[][] = [];
  const batch = defineHook({
    hook: 'after_tool_batch',
    id: 'batch',
    execute: async (_, results) => {
      batches.push(results);
      return JSON.stringify(results);
    },
  });
  const leaky = defineTool({
    name: 'leaky',
    execute: () => ({
      status: 'success' as const,
      result: SECRET,
      attachments: [{ name: SECRET, mimeType: 'text/plain', data: btoa(SECRET) }],
    }),
  });
  const { thread, model, events } = await kit.thread({
    policies: [redact, batch],
    tools: [leaky],
    script: [makeCalls('leaky'), 'ok'],
  });
  expect(await thread.send('Go')).toMatchObject({ status: 'completed' });
  const why =
    'The result of this tool call was withheld, because the hook "redact" that must see it first did not succeed.';
  expect((await thread.messages())[2]).toMatchObject({ role: 'tool', content: why, status: 'error' });
  expect(await thread.state.listFiles()).toEqual([]);
  await runWhatIsReady();
  const everything = JSON.stringify([
    await thread.messages(),
    model.calls,
    await thread.runs(),
    events,
    batches,
    await kit.store.listQueue(thread.id),
  ]);
  expect(everything).not.toContain(SECRET);
  expect(everything).not.toContain(btoa(SECRET));
}

onBothStores('a result whose redaction fails is withheld everywhere', async (kit) => {
  await withheldEverywhere(kit, () => Promise.reject(new Error(`cannot redact ${SECRET}`)));
});

onBothStores('a result whose redaction hangs is withheld everywhere', async (kit) => {
  await withheldEverywhere(kit, () => never());
});

onBothStores('a result whose redaction returns nonsense is withheld everywhere', async (kit) => {
  await withheldEverywhere(kit, async () => ({ text: SECRET }) as never);
});
