import { type AnyTool, defineAgent, definePrompt, defineTool } from '@spec/runtime';
import { z } from 'zod';

/** What the services outside were sent. */
export const sent: string[] = [];

export const tools: readonly AnyTool[] = [
  defineTool({
    name: 'charge_card',
    description: 'Charge a card.',
    // Checked with the real number: a placeholder would not pass.
    input: z.object({ card: z.string().regex(/^[\d ]{13,23}$/), amount: z.number() }),
    execute({ card, amount }) {
      sent.push(`payment service: ${amount} from ${card}`);
      return { charged: amount, card };
    },
  }),
  defineTool({
    name: 'send_mail',
    description: 'Send a mail.',
    input: z.object({ to: z.email(), text: z.string() }),
    execute({ to, text }) {
      sent.push(`mail service: to ${to}: ${text}`);
      return `Sent to ${to}.`;
    },
  }),
  defineTool({
    name: 'write_log',
    description: 'Write a line to the log.',
    input: z.object({ line: z.string() }),
    execute({ line }) {
      sent.push(`log service: ${line}`);
      return 'ok';
    },
  }),
];

export const prompt = definePrompt({
  name: 'shop',
  system:
    'You sell tickets. Placeholders such as [CARD_1] stand for values that you do not see: use them in tool calls.',
  tools: ['charge_card', 'send_mail', 'write_log'],
});

export const agent = defineAgent({ name: 'shop', prompt: 'shop' });
