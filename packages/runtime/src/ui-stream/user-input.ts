import { RunError } from '@spec/hooks';

/** What a chat front end of the AI SDK posts, as far as it is used. */
interface ChatRequest {
  readonly trigger?: unknown;
  readonly messages?: readonly ChatMessage[];
}

interface ChatMessage {
  readonly role?: unknown;
  readonly parts?: ReadonlyArray<{ readonly type?: unknown; readonly text?: unknown }>;
}

/**
 * The body that `useChat` posts, as input for `thread.send`: the text of its last message, which must be the user's. All
 * messages before it are left alone: the thread has its own, and a client could have made them up.
 *
 * @throws {RunError} `invalid_message` for anything else than a new text of the user
 */
export function userInputOf(body: unknown): { content: string } {
  const { trigger, messages } = (body ?? {}) as ChatRequest;
  if (trigger === 'regenerate-message')
    throw invalid('regenerating is not offered: delete the old answer from the thread and send again.');
  const last = Array.isArray(messages) ? (messages.at(-1) as ChatMessage | null | undefined) : undefined;
  if (last?.role !== 'user') throw invalid('its last message is not the user’s.');
  const parts = Array.isArray(last.parts) ? last.parts : [];
  const texts = parts.filter((part) => part?.type === 'text' && typeof part.text === 'string');
  if (texts.length < parts.length) throw invalid('the message has a part that is no text, such as a file.');
  const content = texts.map(({ text }) => text).join('\n');
  if (content.trim() === '') throw invalid('the message has no text.');
  return { content };
}

function invalid(why: string): RunError {
  return new RunError('invalid_message', `The chat request cannot be sent to a thread: ${why}`);
}
