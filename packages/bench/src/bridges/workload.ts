import { defineHook, type Hook } from '@spec/hooks';

/** The turn that all frameworks have: a model asks for an order, reads what came of it, and answers. */
export const system = 'You help with orders.';
export const prompt = 'Where is order 7?';
export const answer = 'Order 7 of [MAIL] is on its way.';
export const toolName = 'find_order';
export const order = { order: 7 };
export const found = 'ada@example.com: sent on Monday';

/** What hooks do, and what is written by hand without them. */
export const work = {
  isRefused: (text: string): boolean => /drop table/i.test(text),
  addToSystem: (text: string): string => `${text}\nToday is Monday.`,
  isForbidden: (input: { readonly order?: unknown }): boolean => Number(input.order) > 1_000,
  hideMails: (text: string): string => text.replaceAll(/[\w.]+@[\w.]+/g, '[MAIL]'),
};

type Ran = 'before_user_message' | 'after_system_message' | 'before_tool_call' | 'before_store_tool_result';

/** The same work as four hooks. */
export const fourHooks: readonly { [Name in Ran]: Hook<Name> }[Ran][] = [
  defineHook({
    hook: 'before_user_message',
    id: 'refuse',
    execute: async (_, { content }) => (work.isRefused(content ?? '') ? { decision: 'deny' } : null),
  }),
  defineHook({
    hook: 'after_system_message',
    id: 'add_to_system',
    execute: async (_, text) => work.addToSystem(text),
  }),
  defineHook({
    hook: 'before_tool_call',
    id: 'guard',
    match: toolName,
    execute: async (_, { input }) => (work.isForbidden(input) ? { decision: 'deny' } : null),
  }),
  defineHook({
    hook: 'before_store_tool_result',
    id: 'hide_mails',
    execute: async (_, __, result) => ({ ...result, result: work.hideMails(result.result ?? '') }),
  }),
];

/** A turn of a framework in four ways, each of which gives the answer. */
export interface Turns {
  readonly withHooks: () => Promise<string>;
  readonly byHand: () => Promise<string>;
  readonly withoutHooks: () => Promise<string>;
  readonly alone: () => Promise<string>;
}
