import type { UserPart } from '@spec/hooks';
import { isRecord, RunError } from '@spec/hooks';

/** What a chat front end of the AI SDK posts, as far as it is used. */
interface ChatRequest {
  readonly trigger?: unknown;
  readonly messages?: readonly ChatMessage[];
}

interface ChatMessage {
  readonly role?: unknown;
  readonly parts?: readonly unknown[];
}

/**
 * The body that `useChat` posts, as input for `thread.send`: the text and the files of its last message, which must be the user's. All
 * messages before it are left alone: the thread has its own, and a client could have made them up.
 *
 * @throws {RunError} `invalid_message` for anything else than a new message of the user, and for a file that is a link
 */
export function userInputOf(body: unknown): { content: string | UserPart[] } {
  const { trigger, messages } = (body ?? {}) as ChatRequest;
  if (trigger === 'regenerate-message')
    throw invalid('regenerating is not offered: delete the old answer from the thread and send again.');
  const last = Array.isArray(messages) ? (messages.at(-1) as ChatMessage | null | undefined) : undefined;
  if (last?.role !== 'user') throw invalid('its last message is not the user’s.');
  const parts = (Array.isArray(last.parts) ? last.parts : []).map(readPart);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const content = texts.join('\n');
  if (texts.length < parts.length) return { content: parts };
  if (content.trim() === '') throw invalid('the message has no text.');
  return { content };
}

/** A page may say of a file what it likes: what it links to is fetched by nobody. */
function readPart(part: unknown): UserPart {
  if (!isRecord(part)) throw invalid('the message has a part that is none.');
  const { type, text, url, mediaType, filename } = part;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type !== 'file' || typeof url !== 'string' || typeof mediaType !== 'string')
    throw invalid('the message has a part that is neither text nor a file.');
  if (!url.startsWith('data:'))
    throw invalid('a file of the message is a link. Only files that are sent along (data: URLs) are taken.');
  return { type, url, mediaType, ...(typeof filename === 'string' ? { filename } : {}) };
}

function invalid(why: string): RunError {
  return new RunError('invalid_message', `The chat request cannot be sent to a thread: ${why}`);
}
