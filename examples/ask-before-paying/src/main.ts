import { createRuntime, defineAgent, definePrompt, defineTool, type PermissionAsk } from '@spec/runtime';
import { scriptedModel } from '@spec/runtime/testing';
import { z } from 'zod';
import neverPayCasinos from './hooks/never-pay-casinos.ts';
import paySmallAmounts from './hooks/pay-small-amounts.ts';

const pay = defineTool({
  name: 'pay',
  permission: 'ask', // every call of it needs permission
  input: z.object({ to: z.string(), euros: z.number() }),
  execute: ({ to, euros }) => `Paid ${euros} € to ${to}.`,
});

/** Where a real program would show a dialog. It may take as long as it likes: no hook's clock runs meanwhile. */
async function askPerson(ask: PermissionAsk): Promise<{ allow: boolean; reason?: string }> {
  if (ask.about !== 'tool_call') return { allow: false };
  const { to, euros } = ask.input as { to: string; euros: number };
  console.log(`? Pay ${euros} € to ${to}? (${ask.reason})`);
  const answer = euros < 1_000 ? { allow: true } : { allow: false, reason: 'Ask the accountant first.' };
  console.log(`! ${answer.allow ? 'yes' : 'no'}`);
  return answer;
}

const payments = [
  { to: 'Bakery', euros: 12 },
  { to: 'Printer', euros: 240 },
  { to: 'Car dealer', euros: 18_000 },
  { to: 'Casino Royal', euros: 5 },
];

const runtime = createRuntime({
  policies: [neverPayCasinos, paySmallAmounts],
  onAsk: askPerson,
  models: {
    scripted: scriptedModel([
      ...payments.map((input) => ({ toolCalls: [{ name: 'pay', input }] })),
      'The bakery and the printer are paid.',
    ]),
  },
  tools: [pay],
  prompts: [definePrompt({ name: 'clerk', tools: ['pay'] })],
  agents: [defineAgent({ name: 'clerk', prompt: 'clerk' })],
});

const thread = await runtime.createThread({ agent: 'clerk' });
const { text } = await thread.send('Please pay what is open.');
for (const { role, content } of await thread.messages()) if (role === 'tool') console.log(`- ${content}`);
console.log(text);
await runtime.close();
