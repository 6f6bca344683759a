import { Command, MemorySaver } from '@langchain/langgraph';
import { defineHook } from '@spec/hooks';
import { hooksMiddleware } from '@spec/langchain';
import { AIMessage, createAgent, fakeModel, tool } from 'langchain';
import { z } from 'zod';

// An agent of LangChain with a checkpointer. A hook asks about refunds: the graph is interrupted, and goes on when a person has answered.

const hooks = [
  defineHook({
    hook: 'before_tool_call',
    id: 'refunds_need_a_person',
    match: 'refund',
    execute: async (_state, { input }) =>
      Number(input.amount) <= 50 ? null : { decision: 'ask', reason: 'Refunds over 50 need a person.' },
  }),
  defineHook({
    hook: 'before_store_tool_result',
    id: 'hide_accounts',
    execute: async (_state, _call, row) => ({
      ...row,
      ...(row.result === undefined ? {} : { result: row.result.replace(/\bDE\d+/g, '[ACCOUNT]') }),
      ...(row.error === undefined ? {} : { error: row.error.replace(/\bDE\d+/g, '[ACCOUNT]') }),
    }),
  }),
];

const refund = tool(async ({ amount }) => `${amount} euros went to DE8937`, {
  name: 'refund',
  description: 'Pays an order back.',
  schema: z.object({ amount: z.number() }),
});

// Stands for a model of a provider, such as 'openai:gpt-5'.
const model = fakeModel()
  .respondWithTools([{ id: 'call_1', name: 'refund', args: { amount: 80 } }])
  .respond(new AIMessage('The money is on its way.'));

const agent = createAgent({
  model,
  tools: [refund],
  middleware: [hooksMiddleware({ hooks })],
  checkpointer: new MemorySaver(),
});
const config = { configurable: { thread_id: 'chat-1' } };

const asked = await agent.invoke({ messages: ['Refund my order, please.'] }, config);
console.log('asked:', JSON.stringify(asked.__interrupt__?.[0]?.value));

const approval = new Command({ resume: { decisions: [{ type: 'approve' }] } });
const { messages } = await agent.invoke(approval, config);
for (const { type, text } of messages) console.log(`${type}: ${text}`);
