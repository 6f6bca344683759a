import { redact } from '@spec/builtins';
import { createRuntime, defineAgent, definePrompt, defineTool, type Runtime } from '@spec/runtime';
import { type ScriptedStep, scriptedModel } from '@spec/runtime/testing';

const findOrder = defineTool({
  name: 'find_order',
  description: 'Find an order by its number.',
  parameters: { type: 'object', properties: { order: { type: 'string' } } },
  execute: (_input, { state }) => {
    state.emit('progress', { looked: 'in the archive' });
    return { state: 'sent', to: 'ada.moreno@example.com' };
  },
});

const script: ScriptedStep[] = [
  { text: 'I will look.', toolCalls: [{ name: 'find_order', input: { order: 'A-1077' } }] },
  'It was sent, and a mail went to ada.moreno@example.com.',
];

/** A shop with one agent, as it is or with the policies that keep personal data out of the store. */
export function openShop({ redacts }: { redacts: boolean }): Runtime {
  return createRuntime({
    policies: redacts ? redact({ defaultCountry: 'US' }) : [],
    models: { scripted: scriptedModel(script) },
    tools: [findOrder],
    prompts: [definePrompt({ name: 'shop', system: 'You answer for a small shop.', tools: ['find_order'] })],
    agents: [defineAgent({ name: 'shop', prompt: 'shop' })],
  });
}
