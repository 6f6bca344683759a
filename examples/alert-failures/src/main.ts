import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import alertPaymentFailures from './hooks/alert-payment-failures.ts';

const processPayment = defineTool({
  name: 'payment_process',
  execute: () => {
    throw new Error('The bank did not answer.');
  },
});

const getTime = defineTool({
  name: 'get_time',
  execute: () => {
    throw new Error('The clock stopped.');
  },
});

const runtime = createRuntime({
  hooks: [alertPaymentFailures],
  models: {
    scripted: scriptedModel([
      { toolCalls: [{ name: 'get_time' }, { name: 'payment_process' }] },
      'The payment did not go through.',
    ]),
  },
  tools: [processPayment, getTime],
  prompts: [
    definePrompt({ name: 'shop', tools: ['payment_process', 'get_time'], hooks: ['alert_payment_failures'] }),
  ],
  agents: [defineAgent({ name: 'shop', prompt: 'shop' })],
});

const thread = await runtime.createThread({ agent: 'shop' });
const { text } = await thread.send('Pay my order, please.');
console.log(`The model answered: ${text}`);

// The record says why the hook did not run for the other failure.
for (const { id, outcome, why } of await thread.runs())
  console.log(`${id}: ${outcome}${why === undefined ? '' : ` (${why})`}`);

await runtime.close();
