import type { AgentInputItem } from '@openai/agents';
import { MessageDeniedError, receiveOnce } from '@spec/hooks/host';
import { changeUserText, isSystem, isUser, readUserText } from './items.ts';
import type { Running } from './runs.ts';

/**
 * Sends what the user says now through its hooks: a text, or the messages of the user behind the last thing that a model or a tool made. What the
 * application tells the model may stand among them.
 *
 * @throws {MessageDeniedError}
 */
export async function receiveInput(
  running: Running,
  input: string | AgentInputItem[],
): Promise<string | AgentInputItem[]> {
  if (typeof input === 'string') return (await receive(running, input, 0)) ?? '';
  const first = input.findLastIndex((item) => !isUser(item) && !isSystem(item)) + 1;
  const items = input.slice(0, first);
  for (const [place, item] of input.slice(first).entries()) {
    if (!isUser(item)) {
      items.push(item);
      continue;
    }
    const text = readUserText(item);
    const received = await receive(running, text, place);
    items.push(received === text ? item : changeUserText(item, received));
  }
  return items;
}

async function receive(
  { turn, unanswered }: Running,
  content: string | null,
  place: number,
): Promise<string | null> {
  const received = await receiveOnce(turn, unanswered, { content, place });
  if (received.isDenied) throw new MessageDeniedError(received.reason, received.userMessage);
  return received.content;
}
