import type { LanguageModelV3Message } from '@ai-sdk/provider';

/** Everything of a prompt but its system messages. */
export type SpokenMessage = Exclude<LanguageModelV3Message, { role: 'system' }>;

/** The texts of a message as a model said them, piece by piece. */
export function readTexts({ content }: SpokenMessage): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}

/** The ids of the calls in a message, and of those that it has results of. */
export function listCallIds({ content }: SpokenMessage): string[] {
  return content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []));
}

/** A message with another text, its files kept. */
export function replaceText<Given extends Extract<SpokenMessage, { role: 'user' }>>(
  given: Given,
  text: string,
): Given {
  const files = given.content.filter((part) => part.type === 'file');
  return { ...given, content: [{ type: 'text', text }, ...files] };
}

/** What tells a message from the others of its conversation, without the bytes of its files, and without reasoning, which steps may leave out. */
export function describeMessage({ role, content }: SpokenMessage): string {
  let described: string = role;
  for (const part of content) {
    if (part.type === 'reasoning') continue;
    const said = readWhatTells(part);
    described += `\n${part.type} ${said.length} ${said}`; // Its length says where it ends, whatever stands in it.
  }
  return described;
}

function readWhatTells(part: SpokenMessage['content'][number]): string {
  if ('toolCallId' in part) return part.toolCallId;
  if (part.type === 'file') return part.mediaType;
  return 'text' in part ? part.text : '';
}
