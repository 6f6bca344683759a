import type { AgentInputItem } from '@openai/agents';
import { type HostTurn, receiveText } from '@spec/hooks/host';
import { changeUserText, isUser, readUserText } from './items.ts';

/** A hook, or the person it asked, does not let the user's message through. No model was called. */
export class MessageDeniedError extends Error {
  override readonly name = 'MessageDeniedError';
  /** What hooks have for the person. */
  readonly userMessage: string | undefined;

  constructor(reason: string, userMessage: string | undefined) {
    super(reason);
    this.userMessage = userMessage;
  }
}

/**
 * Sends what the user says now through its hooks: a text, or the messages of the user that the items end with.
 *
 * @throws {MessageDeniedError}
 */
export async function receiveInput(
  turn: HostTurn,
  input: string | AgentInputItem[],
): Promise<string | AgentInputItem[]> {
  if (typeof input === 'string') return (await receive(turn, input)) ?? '';
  const first = input.findLastIndex((item) => !isUser(item)) + 1;
  const items = input.slice(0, first);
  for (const item of input.slice(first)) {
    if (!isUser(item)) continue;
    const text = readUserText(item);
    const received = await receive(turn, text);
    items.push(received === text ? item : changeUserText(item, received));
  }
  return items;
}

async function receive(turn: HostTurn, content: string | null): Promise<string | null> {
  const received = await receiveText(turn, content);
  if (received.isDenied) throw new MessageDeniedError(received.reason, received.userMessage);
  return received.content;
}
