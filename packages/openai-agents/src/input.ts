import type { AgentInputItem } from '@openai/agents';
import type { HostTurn } from '@spec/hooks/host';
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
  if (typeof input === 'string') return (await receiveText(turn, input)) ?? '';
  const first = input.findLastIndex((item) => !isUser(item)) + 1;
  const items = input.slice(0, first);
  for (const item of input.slice(first)) {
    if (!isUser(item)) continue;
    const text = readUserText(item);
    const received = await receiveText(turn, text);
    items.push(received === text ? item : changeUserText(item, received));
  }
  return items;
}

async function receiveText(turn: HostTurn, content: string | null): Promise<string | null> {
  const verdict = await turn.receive({ role: 'user', content });
  if (verdict.isDenied) throw new MessageDeniedError(verdict.reason, verdict.userMessage);
  const message = { id: crypto.randomUUID(), created_at: Date.now() * 1000, ...verdict.message };
  const stored = await turn.store(message, (checked) => checked);
  return stored.content;
}
