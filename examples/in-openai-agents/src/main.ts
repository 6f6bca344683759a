import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, MemorySession, setTracingDisabled, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { redact } from '@spec/builtins';
import { defineHook } from '@spec/hooks';
import { createHooks } from '@spec/openai-agents';
import { sqliteStore } from '@spec/runtime/sqlite';
import { z } from 'zod';

// An agent of the OpenAI Agents SDK. Hooks redact what it reads and says, and deny a refund; a store keeps the thread for the inspector.

setTracingDisabled(true);

const folder = mkdtempSync(join(tmpdir(), 'in-openai-agents-'));
const store = sqliteStore({ path: join(folder, 'threads.db') });
const redaction = redact();
const hooks = createHooks({
  store,
  hooks: [
    ...redaction,
    defineHook({
      hook: 'before_tool_call',
      id: 'refunds_need_a_person',
      match: 'refund',
      execute: async () => ({ decision: 'deny', reason: 'Refunds need a person.' }),
    }),
  ],
  // The SDK changes no stored message, so the hook of redact on changes never runs here.
  allowPartial: redaction.filter(({ hook }) => hook === 'before_update_message').map(({ id }) => id),
});

const refund = tool({
  name: 'refund',
  description: 'Pays an order back.',
  parameters: z.object({ order: z.number() }),
  execute: async () => console.log('never'),
});

// Stands for a model of a provider.
const model = new ScriptedModel([
  [functionCall('refund', { order: 7 }, { callId: 'call_1' })],
  [assistantMessage('A person will write to ada@example.com.')],
]);
const agent = new Agent({ name: 'clerk', instructions: 'You help with orders.', model, tools: [refund] });

const session = new MemorySession({ sessionId: 'chat-1' });
const { finalOutput } = await hooks.run(agent, 'I am ada@example.com. Refund order 7.', { session });
console.log('answer:', finalOutput);
for (const { role, content } of await store.listMessages('chat-1')) console.log(`${role}: ${content}`);
for (const { id, outcome } of await store.listRuns({ threadId: 'chat-1' }))
  if (outcome !== 'ok') console.log(`${id}: ${outcome}`);

await store.close();
rmSync(folder, { recursive: true });
