import { createHooks } from '@spec/ai-sdk';
import { redact } from '@spec/builtins';
import { defineHook } from '@spec/hooks';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';
import { model } from './model.ts';

const redaction = redact();

const hooks = createHooks({
  hooks: [
    ...redaction,
    defineHook({
      hook: 'before_tool_call',
      id: 'refunds_need_a_person',
      match: 'refund',
      execute: async () => ({ decision: 'deny', reason: 'Refunds need a person.' }),
    }),
  ],
  // Messages that the application stores are its own: these hooks see what goes to the model and what comes from it.
  allowPartial: redaction.map(({ id }) => id),
});

const order = z.object({ order: z.number() });
const tools = {
  find_order: tool({ inputSchema: order, execute: async () => ({ customer: 'ada@example.com' }) }),
  refund: tool({ inputSchema: order, execute: async () => console.log('never') }),
};

const { text } = await generateText(
  hooks.hooked(
    { model, tools, stopWhen: stepCountIs(5), prompt: 'Refund order 7 to eve@example.com.' },
    { threadId: 'chat-1' },
  ),
);
console.log('answer:', text);
