import { defineHook } from '@spec/hooks';
import { createRuntime, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { z } from 'zod';

// What the models say; put models of any AI SDK provider in their place.
const desk = scriptedModel([
  {
    toolCalls: [
      { name: 'ask_accounting', input: { customer: 'Ada', question: 'Is invoice 17 paid?' } },
      { name: 'translate', input: { task: 'Thank you for your patience.' } },
    ],
  },
  'Invoice 17 is not paid yet. Merci de votre patience.',
]);
const accounting = scriptedModel([
  {
    toolCalls: [
      { name: 'read_ledger', input: { invoice: 17 } },
      { name: 'pay_invoice', input: { invoice: 17 } },
    ],
  },
  'Invoice 17 is open.',
]);
const translator = scriptedModel(['Merci de votre patience.']);

const tools = [
  // An agent as a tool: its arguments by a schema, and how they become the first message of the child thread.
  defineTool({
    name: 'ask_accounting',
    description: 'Ask the accounting department.',
    agent: 'accounting',
    input: z.object({ customer: z.string(), question: z.string() }),
    message: ({ customer, question }) => `${customer} asks: ${question}`,
  }),
  // A prompt as a tool: it takes one text, `task`.
  defineTool({ name: 'translate', description: 'Translate into French.', prompt: 'french' }),
  defineTool({
    name: 'read_ledger',
    input: z.object({ invoice: z.number() }),
    execute: ({ invoice }) => `${invoice}: open`,
  }),
  defineTool({
    name: 'pay_invoice',
    input: z.object({ invoice: z.number() }),
    execute: ({ invoice }) => `${invoice}: paid`,
  }),
];

// A policy: it holds in every child thread, whatever the prompts there say.
const noPayments = defineHook({
  hook: 'before_tool_call',
  id: 'no_payments',
  match: 'pay_*',
  execute: async (_state) => ({ decision: 'deny', reason: 'Only people pay.' }),
});

const made: string[] = [];
const noteChildren = defineHook({
  hook: 'after_subagent_created',
  id: 'note_children',
  execute: async (_state, child) => void made.push(child.agentId),
});

const runtime = createRuntime({
  policies: [noPayments, noteChildren],
  models: { desk, accounting, translator },
  tools,
  prompts: [
    definePrompt({
      name: 'desk',
      model: 'desk',
      tools: ['ask_accounting', 'translate'],
      system: ['You are the front desk.', { include: 'house' }],
    }),
    definePrompt({
      name: 'books',
      model: 'accounting',
      tools: ['read_ledger', 'pay_invoice'],
      system: ['You keep the books.', { include: 'house' }],
      hooks: [],
    }),
    definePrompt({ name: 'french', model: 'translator', system: 'Translate into French.' }),
    definePrompt({ name: 'house', model: 'desk', system: 'Be kind.' }),
  ],
  agents: [
    defineAgent({ name: 'desk', prompt: 'desk' }),
    defineAgent({ name: 'accounting', prompt: 'books', maxSteps: 5 }),
  ],
});

const thread = await runtime.createThread({ agent: 'desk' });
await thread.send('Is my invoice paid? In French, please.');

console.log(`The desk made threads of ${made.sort().join(' and ')}.`);

async function print(threadId: string): Promise<void> {
  const opened = await runtime.openThread(threadId);
  console.log(`${opened.agentId}:`);
  for (const { role, content, tool_calls } of await opened.messages())
    console.log(`  ${role}: ${content ?? `calls ${JSON.parse(tool_calls ?? '[]').length} tools`}`);
}

await print(thread.id);
const children = await runtime.listThreads({ parentId: thread.id });
for (const { id } of children.sort((one, other) => one.agentId.localeCompare(other.agentId))) await print(id);
const [told] = accounting.calls[0]?.prompt ?? [];
if (told?.role === 'system') console.log(`Accounting was told: ${told.content.replaceAll('\n', ' / ')}`);
await runtime.close();
