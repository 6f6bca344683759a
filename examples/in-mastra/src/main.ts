import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { redact } from '@spec/builtins';
import { defineHook } from '@spec/hooks';
import { createHooks } from '@spec/mastra';
import { z } from 'zod';
import { model } from './model.ts';

// An agent of Mastra: hooks redact what it reads, streams and keeps, and deny a refund.

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
  // The memory of Mastra stores messages by itself: these hooks see what goes to the model and what comes from it.
  allowPartial: redaction.map(({ id }) => id),
});

const refund = createTool({
  id: 'refund',
  description: 'Pays an order back.',
  inputSchema: z.object({ order: z.number() }),
  execute: async () => console.log('never'),
});

const agent = new Agent({
  id: 'clerk',
  name: 'clerk',
  instructions: 'You help with orders.',
  model,
  tools: hooks.wrapTools({ refund }),
  inputProcessors: [hooks.processor],
});

const { textStream } = await agent.stream('I am eve@example.com. Refund order 7.');
let answer = '';
for await (const piece of textStream) answer += piece;
console.log('answer:', answer);
