import type { NewMessage } from '@spec/hooks';
import { hasPartFields } from '../answer-parts/index.ts';
import { keepIntact } from '../answer-parts/keep-intact.ts';
import { sayDropped, sayTooLong } from '../answer-parts/say-dropped.ts';
import { readAnswer } from '../history/exchanges.ts';
import type { ModelReply } from '../model/call.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { passCreateChain } from '../writes/messages.ts';

/** A model's reply as it will be stored: after the create chain, without signed parts that a hook has changed. */
export async function passAnswer(view: ThreadView, reply: ModelReply): Promise<StoredMessage> {
  const about = { threadId: view.core.id, messageId: view.flow.idOf('answer') };
  if (reply.parts === 'too long') sayTooLong(about);
  const message = await passCreateChain(view, makeMessage(reply), about.messageId);
  if (!hasPartFields(message)) return message;
  const { fields, hasDropped } = keepIntact(readAnswer(message), readReply(reply));
  if (!hasDropped) return message;
  sayDropped({ ...about, what: 'is not stored' });
  const { reasoning: _, provider_metadata: __, ...rest } = message;
  return { ...rest, ...fields } as StoredMessage;
}

function makeMessage({ content, toolCalls, parts }: ModelReply): NewMessage {
  const message: NewMessage = { role: 'assistant', content };
  if (toolCalls.length > 0) message.tool_calls = JSON.stringify(toolCalls);
  return typeof parts === 'object' ? { ...message, ...parts } : message;
}

function readReply({ content, toolCalls: calls, parts }: ModelReply): Parameters<typeof keepIntact>[1] {
  return typeof parts === 'object' ? { content, calls, ...parts } : { content, calls };
}
