import { limitMessages, redact } from '@spec/builtins';
import type { AnyHook } from '@spec/hooks';
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

/** The support agent of the demonstration: real tools over invented customers, who say more than they should. */

export const demoHooks: readonly AnyHook[] = [...redact({ defaultCountry: 'US' }), limitMessages(8)];

const customers = [
  {
    name: 'Ada Moreno',
    email: 'ada.moreno@example.com',
    phone: '+1 415 555 2671',
    date_of_birth: '1986-03-14',
    card: '4111 1111 1111 1111',
    orders: ['A-1042', 'A-1077'],
  },
];

const orders: Record<string, { status: string; total: number; eta: string | null }> = {
  'A-1042': { status: 'delivered', total: 89.9, eta: null },
  'A-1077': { status: 'in transit', total: 249, eta: '2026-11-24' },
};

/** The first customer is found whatever the address says: where it is redacted, the model only has its placeholder. */
const findCustomer = defineTool({
  name: 'find_customer',
  description: 'Find the customer that this conversation is with, by e-mail address.',
  input: z.object({ email: z.string() }),
  execute: () => customers[0] ?? 'There is no such customer.',
});

const getOrder = defineTool({
  name: 'get_order',
  description: 'Look up one order by its id.',
  input: z.object({ order_id: z.string() }),
  execute: ({ order_id }) => orders[order_id] ?? `There is no order ${order_id}.`,
});

const refundOrder = defineTool({
  name: 'refund_order',
  description: 'Refund one order to the card that paid for it.',
  input: z.object({ order_id: z.string(), reason: z.string() }),
  execute: ({ order_id }) => ({
    order_id,
    refunded: orders[order_id]?.total ?? 0,
    to_card: customers[0]?.card,
  }),
});

export const demoTools: readonly AnyTool[] = [findCustomer, getOrder, refundOrder];

export const demoPrompt: PromptDefinition<never> = definePrompt({
  name: 'support',
  system: 'You are a support agent of a small shop. Be brief. Look things up before you answer.',
  tools: demoTools.map(({ name }) => name),
});

export const demoAgent: AgentDefinition<never> = defineAgent({ name: 'support', prompt: 'support' });

/** What the customer says, turn by turn. */
export const demoUser: readonly string[] = [
  'Hi, this is Ada Moreno, ada.moreno@example.com, born March 14, 1986. Where is my order A-1077?',
  'Thanks. Please refund A-1042, it arrived broken. I paid with 4111 1111 1111 1111.',
  'Great. You can call me at +1 415 555 2671 if there is anything else.',
];

/** What the model says where there is none: the same steps that a real one takes. */
export const demoScript: readonly ScriptedStep[] = [
  { toolCalls: [{ name: 'find_customer', input: { email: 'ada.moreno@example.com' } }] },
  { toolCalls: [{ name: 'get_order', input: { order_id: 'A-1077' } }] },
  'Your order A-1077 is in transit and should arrive on 2026-11-24.',
  { toolCalls: [{ name: 'refund_order', input: { order_id: 'A-1042', reason: 'arrived broken' } }] },
  'I have refunded 89.90 for A-1042 to the card ending in 1111. A confirmation goes to ada.moreno@example.com.',
  'Thank you, Ada. I have noted your number. Have a good day!',
];
