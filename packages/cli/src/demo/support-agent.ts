import { limitMessages, redact } from '@spec/builtins';
import { type AnyHook, defineHook } from '@spec/hooks';
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

/** Stands for a service that does not answer: what it was to mask must not get through. */
const maskReceipt = defineHook({
  hook: 'before_store_tool_result',
  id: 'mask_receipt',
  match: 'refund_order',
  timeout: '200ms',
  execute: (_state) => new Promise<never>(() => {}),
});

export const demoHooks: readonly AnyHook[] = [
  ...redact({ defaultCountry: 'US', restore: 'tools' }),
  limitMessages(8),
  maskReceipt,
];

const customers = [
  {
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

/** The model only has a placeholder of the address; the tool gets the address. */
const findCustomer = defineTool({
  name: 'find_customer',
  description: 'Find the customer that this conversation is with, by e-mail address.',
  input: z.object({ email: z.string() }),
  execute: ({ email }) => customers.find((one) => one.email === email) ?? 'There is no such customer.',
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
    receipt: 'R-20931',
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
  'Hi, I am ada.moreno@example.com, born March 14, 1986. Where is my order A-1077?',
  'Thanks. Please refund A-1042, it arrived broken. I paid with 4111 1111 1111 1111.',
  'Great. You can call me at +1 415 555 2671 if there is anything else.',
];

/** What the model says where there is none: the same steps that a real one takes. */
export const demoScript: readonly ScriptedStep[] = [
  ({ prompt }) => ({ toolCalls: [{ name: 'find_customer', input: { email: findAddress(prompt) } }] }),
  { toolCalls: [{ name: 'get_order', input: { order_id: 'A-1077' } }] },
  'Your order A-1077 is in transit and should arrive on 2026-11-24.',
  { toolCalls: [{ name: 'refund_order', input: { order_id: 'A-1042', reason: 'arrived broken' } }] },
  'I have sent the refund of A-1042 on its way. I cannot see the receipt, so please look for it in your e-mail.',
  'Thank you. I have noted your number. Have a good day!',
];

/** The address as the model was sent it: the placeholder, where hooks put one in its place. */
function findAddress(prompt: unknown): string {
  return /\[EMAIL_\d+\]|[\w.]+@[\w.]+\w/.exec(JSON.stringify(prompt))?.[0] ?? '';
}
