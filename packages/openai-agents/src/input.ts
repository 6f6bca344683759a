import type { AgentInputItem } from '@openai/agents';
import { MessageDeniedError, receiveOnce } from '@spec/hooks/host';
import { isSystem, isUser, readUserText, type UserItem } from './items.ts';
import type { Running } from './runs.ts';
import { changeUser, readItemFiles } from './user-files.ts';

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
  if (typeof input === 'string') return receiveText(running, input);
  const first = input.findLastIndex((item) => !isUser(item) && !isSystem(item)) + 1;
  const items = input.slice(0, first);
  for (const [place, item] of input.slice(first).entries())
    items.push(isUser(item) ? await receiveItem(running, item, place) : item);
  return items;
}

async function receiveText(running: Running, text: string): Promise<string | AgentInputItem[]> {
  const item = { role: 'user', content: text } as const;
  const received = await receiveItem(running, item, 0);
  return typeof received.content === 'string' ? received.content : [received];
}

/** @param place where it stands among what the user says now */
async function receiveItem({ turn, unanswered }: Running, item: UserItem, place: number): Promise<UserItem> {
  const content = readUserText(item);
  const files = await readItemFiles(item);
  const received = await receiveOnce(turn, unanswered, { content, files, place });
  if (received.isDenied) throw new MessageDeniedError(received.reason, received.userMessage);
  return changeUser(item, files, received);
}
