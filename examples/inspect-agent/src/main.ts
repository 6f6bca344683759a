// Hooks change, deny and pass over, and the inspector shows it. With --keep the page stays open: npm start -- --keep
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineHook } from '@spec/hooks';
import { createInspector } from '@spec/inspector';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { sqliteReader, sqliteStore } from '@spec/runtime/sqlite';
import { scriptedModel } from '@spec/runtime/testing';
import { readConversation } from './page.ts';

const folder = mkdtempSync(join(tmpdir(), 'inspect-agent-'));
const path = join(folder, 'threads.db');

const hideCards = (text: string): string => text.replace(/(?:\d{4} ){3}\d{4}/g, '[CARD]');
const redactCards = defineHook({
  hook: 'before_store_tool_result',
  id: 'redact_cards',
  execute: async (_state, _call, { result, error, stack, ...rest }) => ({
    ...rest,
    ...(result !== undefined && { result: hideCards(result) }),
    ...(error !== undefined && { error: hideCards(error) }),
    ...(stack !== undefined && { stack: hideCards(stack) }),
  }),
});
const noDeletes = defineHook({
  hook: 'before_tool_call',
  id: 'no_deletes',
  match: 'delete_*',
  execute: async (_state) => ({ decision: 'deny', reason: 'Orders are not deleted here.' }),
});

const runtime = createRuntime({
  store: sqliteStore({ path }),
  policies: [redactCards, noDeletes],
  models: {
    scripted: scriptedModel([
      { toolCalls: [{ name: 'get_payment' }] },
      'You paid by card.',
      { toolCalls: [{ name: 'delete_order' }] },
      'Orders cannot be deleted here.',
    ]),
  },
  tools: [
    defineTool({ name: 'get_payment', execute: () => 'Paid with 4111 1111 1111 1111.' }),
    defineTool({ name: 'delete_order', execute: () => 'deleted' }),
  ],
  prompts: [definePrompt({ name: 'support', tools: ['get_payment', 'delete_order'] })],
  agents: [defineAgent({ name: 'support', prompt: 'support' })],
});
const thread = await runtime.createThread({ agent: 'support', id: 'order-1042' });
await thread.send('How did I pay?');
await thread.send('Then delete my order.');

const records = sqliteReader({ path });
const inspector = await createInspector({ records, name: 'threads.db' }).listen();
if (process.argv.includes('--keep')) {
  console.log(inspector.makeLink());
  await new Promise((resolve) => process.once('SIGINT', resolve));
}
for (const { role, content, runs } of await readConversation(inspector.makeLink(), thread.id)) {
  console.log(`${role}: ${content ?? '(calls a tool)'}`);
  for (const { id, outcome, why } of runs) console.log(`  ${[id, outcome, why].filter(Boolean).join(', ')}`);
}

await inspector.close();
await records.close();
await runtime.close();
rmSync(folder, { recursive: true });
