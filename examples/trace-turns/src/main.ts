import { trace } from '@opentelemetry/api';
import { defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { printTree, startTracing } from './tracing.ts';

const spans = startTracing();
const tracer = trace.getTracer('shop');

const findOrder = defineTool({
  name: 'find_order',
  // A span of the tool's own: it belongs to the call that runs it, as do those of an instrumented fetch or database.
  execute: () =>
    tracer.startActiveSpan('SELECT orders', (span) => {
      span.end();
      return { order: 'A-1042', card: '4111 1111 1111 1111' };
    }),
});
const refund = defineTool({ name: 'refund', execute: () => 'refunded' });

const guard = defineHook({
  hook: 'before_tool_call',
  id: 'no_refunds_at_night',
  match: 'refund',
  execute: async (_state) => ({ decision: 'deny', reason: 'Refunds are made by day.' }),
});
const withoutCards = (text?: string) => text?.replace(/(?:\d{4} ){3}\d{4}/g, '[CARD]');
const hideCards = defineHook({
  hook: 'before_store_tool_result',
  id: 'hide_cards',
  execute: async (_state, _call, result) =>
    result.status === 'error'
      ? { status: 'error', error: withoutCards(result.error) }
      : { ...result, result: withoutCards(result.result) },
});

const runtime = createRuntime({
  policies: [guard, hideCards],
  models: {
    scripted: scriptedModel([
      { toolCalls: [{ name: 'ask_orders', input: { question: 'Where is A-1042?' } }, { name: 'refund' }] },
      'It is on its way; the refund has to wait until tomorrow.',
    ]),
    orders: scriptedModel([{ toolCalls: [{ name: 'find_order' }] }, 'A-1042 was sent today.']),
  },
  tools: [findOrder, refund, defineTool({ name: 'ask_orders', agent: 'orders' })],
  prompts: [
    definePrompt({ name: 'support', model: 'scripted', tools: ['ask_orders', 'refund'] }),
    definePrompt({ name: 'orders', model: 'orders', tools: ['find_order'] }),
  ],
  agents: [
    defineAgent({ name: 'support', prompt: 'support' }),
    defineAgent({ name: 'orders', prompt: 'orders' }),
  ],
});

const thread = await runtime.createThread({ agent: 'support' });
await tracer.startActiveSpan('POST /chat', async (span) => {
  await thread.send('Where is my order A-1042? Refund it, please.');
  span.end();
});

printTree(spans);

console.log('\nWhat the ledger adds: the hooks that did not run, and why.');
for (const { hook, id, outcome, why } of await runtime.ledger.runs({ outcome: 'skipped' }))
  console.log(`  ${hook} ${id}: ${outcome}, ${why}`);
await runtime.close();
