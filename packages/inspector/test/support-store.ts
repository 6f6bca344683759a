import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, defineTool, type Runtime } from '@spec/runtime';
import { sqliteStore } from '@spec/runtime/sqlite';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';

/** What no list, stream or address may hold where nothing was traced. */
export const card = '4111 1111 1111 1111';

/** Where no file is yet. */
export function newPath(name = 'support.db'): string {
  return join(mkdtempSync(join(tmpdir(), 'inspector-')), name);
}

const redactCards = defineHook({
  hook: 'before_store_tool_result',
  id: 'redact_cards',
  execute: async (_state, _call, result) =>
    result.status === 'error'
      ? result
      : { ...result, result: result.result?.replace(/(?:\d{4} ){3}\d{4}/g, '[CARD]') },
});
const noDeletes = defineHook({
  hook: 'before_tool_call',
  id: 'no_deletes',
  match: 'delete_*',
  execute: async (_state) => ({ decision: 'deny', reason: 'Orders are not deleted here.' }),
});
const audit = defineHook({ hook: 'after_create_message', id: 'audit', execute: async () => {} });
const stamp = defineHook({
  hook: 'before_create_message',
  id: 'stamp',
  execute: async (_state, message) => message,
});
const window = defineHook({
  hook: 'filter_messages',
  id: 'limit_history',
  execute: async (_state, messages) => messages.slice(-8),
});

/** A customer asks how she paid, and wants an order deleted. */
export const conversation: readonly ScriptedStep[] = [
  { toolCalls: [{ id: 'call_pay', name: 'get_payment', input: { order: 'A-1042' } }] },
  'You paid by card.',
  { toolCalls: [{ id: 'call_del', name: 'delete_order', input: { order: 'A-1042' } }] },
  'Orders cannot be deleted here.',
];

const requests = ['How did I pay?', 'Then delete my order.'] as const;

/** A runtime over a file, with hooks that change, deny, pass over and watch. */
export function openSupport(
  path: string,
  script: Iterable<ScriptedStep> = conversation,
  trace?: 'values',
): Runtime {
  return createRuntime({
    store: sqliteStore({ path, synchronous: 'NORMAL' }),
    policies: [redactCards, noDeletes, audit, stamp, window],
    models: { scripted: scriptedModel(script) },
    tools: [
      defineTool({ name: 'get_payment', execute: () => `Paid with ${card}.` }),
      defineTool({ name: 'delete_order', execute: () => 'deleted' }),
    ],
    prompts: [definePrompt({ name: 'support', tools: ['get_payment', 'delete_order'] })],
    agents: [defineAgent({ name: 'support', prompt: 'support' })],
    ...(trace !== undefined && { trace }),
  });
}

/** A file with that conversation. Gives its path and the thread's id. */
export async function makeSupportStore(trace?: 'values'): Promise<{ path: string; thread: string }> {
  const path = newPath();
  const runtime = openSupport(path, conversation, trace);
  const thread = await runtime.createThread({ agent: 'support', id: 'order-1042' });
  for (const request of requests) await thread.send(request);
  await runtime.close();
  return { path, thread: thread.id };
}
