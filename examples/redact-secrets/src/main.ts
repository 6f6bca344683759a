import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import redactCreditCards from './hooks/redact-credit-cards.ts';

const getPayment = defineTool({
  name: 'get_payment',
  execute: () => 'Paid 89.90 with card 4111 1111 1111 1111.',
});

const model = scriptedModel([{ toolCalls: [{ name: 'get_payment' }] }, 'You paid 89.90 by card.']);

const runtime = createRuntime({
  hooks: [redactCreditCards],
  models: { scripted: model },
  tools: [getPayment],
  prompts: [definePrompt({ name: 'support', tools: ['get_payment'], hooks: ['redact_credit_cards'] })],
  agents: [defineAgent({ name: 'support', prompt: 'support' })],
});

const thread = await runtime.createThread({ agent: 'support' });
await thread.send('What did I pay?');

console.log('Stored:');
for (const { role, content } of await thread.messages())
  console.log(`  ${role}: ${content ?? '(tool call)'}`);

console.log('The hook:');
for (const { hook, id, outcome } of await thread.runs()) console.log(`  ${hook} ${id}: ${outcome}`);

const sent = JSON.stringify(model.calls);
console.log(`The model was sent the card number: ${sent.includes('4111') ? 'yes' : 'no'}`);

await runtime.close();
