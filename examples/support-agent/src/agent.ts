import {
  type AgentDefinition,
  type AnyTool,
  defineAgent,
  definePrompt,
  defineTool,
  type PromptDefinition,
} from '@spec/runtime';
import type { ScriptedStep } from '@spec/runtime/testing';
import { z } from 'zod';

const customer = {
  name: 'Ada Moreno',
  email: 'ada.moreno@example.com',
  date_of_birth: '1986-03-14',
  card: '4111 1111 1111 1111',
};

export const tools: readonly AnyTool[] = [
  defineTool({
    name: 'find_customer',
    description: 'Find the customer by e-mail address.',
    input: z.object({ email: z.string() }),
    execute: () => customer,
  }),
  defineTool({
    name: 'refund_order',
    description: 'Refund an order to the card that paid for it.',
    input: z.object({ order_id: z.string() }),
    execute: ({ order_id }) => `Refunded ${order_id} to ${customer.card}.`,
  }),
];

export const prompt: PromptDefinition<never> = definePrompt({
  name: 'support',
  system: 'You are a support agent of a small shop.',
  tools: ['find_customer', 'refund_order'],
});

export const agent: AgentDefinition<never> = defineAgent({ name: 'support', prompt: 'support' });

/** What the model says; put a model of any AI SDK provider in its place. */
export const script: readonly ScriptedStep[] = [
  { toolCalls: [{ name: 'find_customer', input: { email: 'ada.moreno@example.com' } }] },
  'Your order A-1077 is on its way.',
  { toolCalls: [{ name: 'refund_order', input: { order_id: 'A-1042' } }] },
  'Done. A confirmation goes to ada.moreno@example.com.',
];
