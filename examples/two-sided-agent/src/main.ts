import { defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, defineTool, saidText } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';

// What each side's model says; put models of any AI SDK provider in their place.
const buyer = scriptedModel([
  'I offer 60 for the bicycle.',
  { text: 'Let me count my money.', toolCalls: [{ name: 'look_into_wallet' }] },
  'I can go up to 75.',
]);
const seller = scriptedModel(['I cannot let it go under 80.', 'Well. Deal.']);

const wallet = defineTool({ name: 'look_into_wallet', execute: () => 'There are 90 in it.' });

// The buyer's prompt names this hook, the seller's does not.
const noteStep = defineHook({
  hook: 'before_create_message',
  id: 'note_step',
  execute: async (state, message) => ({ ...message, step: state.execution.stepCount }),
});

const runtime = createRuntime({
  hooks: [noteStep],
  models: { buyer, seller },
  tools: [wallet],
  prompts: [
    definePrompt({
      name: 'buy',
      model: 'buyer',
      system: 'Buy it cheaply.',
      tools: ['look_into_wallet'],
      hooks: ['note_step'],
    }),
    definePrompt({ name: 'sell', model: 'seller', system: 'Sell it dearly.' }),
  ],
  agents: [
    defineAgent({
      name: 'haggle',
      type: 'dual_ai',
      sides: {
        a: { prompt: 'buy', label: 'Buyer', maxSteps: 3 },
        b: { prompt: 'sell', label: 'Seller', maxTurns: 5, stopWhen: saidText(/\bdeal\b/i) },
      },
    }),
  ],
});

const thread = await runtime.createThread({ agent: 'haggle' });
const { status, steps } = await thread.send('It is about a used bicycle.');
console.log(`The talk is ${status} after ${steps} steps:`);
for (const message of await thread.messages()) {
  const { side, step } = message as { side?: string; step?: number };
  const who = side === undefined ? 'for both' : `side ${side}`;
  console.log(
    `  [${who}${step === undefined ? '' : `, step ${step}`}] ${message.name ?? message.role}: ${message.content}`,
  );
}

console.log('What the seller was told at last:');
for (const { role, content } of seller.calls.at(-1)?.prompt ?? []) {
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : part.type)).join(', ');
  console.log(`  ${role}: ${text}`);
}
await runtime.close();
