import type { ProcessInputArgs } from '@mastra/core/processors';
import {
  changeFiles,
  type HeardMessage,
  type OtherFile,
  readFiles,
  type SentFile,
  toDataAddress,
} from '@spec/hooks/host';

export type Message = ProcessInputArgs['messages'][number];
type Content = Message['content'];
type Part = Content['parts'][number];

/** What Mastra sends a model of it: where a message has no parts, it makes one of its content. */
export function readText({ content: { parts, content } }: Message): string | null {
  if (parts.length === 0) return content || null;
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

/** The files of a message of the user. */
export function readMessageFiles({ content }: Message): Promise<readonly SentFile[]> {
  return readFiles([...content.parts.filter(isFile), ...listAttachments(content)]);
}

const isFile = ({ type }: Part): boolean => type === 'file';

/** What a message of version 4 of the AI SDK has beside its parts. Mastra sends that to a model where no part is a file; else it is there twice. */
function listAttachments({ parts, experimental_attachments: attachments = [] }: Content): typeof attachments {
  return parts.some(isFile) ? [] : attachments;
}

type Heard = Extract<HeardMessage, { isDenied: false }>;

/** A message of the user as hooks have left it. */
export function changeMessage(message: Message, files: readonly SentFile[], heard: Heard): Message {
  const { experimental_attachments: _twice, ...content } = message.content;
  const text = heard.content ?? '';
  const isSame = heard.content === readText(message);
  const parts: Part[] = isSame
    ? content.parts
    : [{ type: 'text', text }, ...content.parts.filter(({ type }) => type !== 'text')];
  const attachments = changeFiles(listAttachments(message.content), files, heard);
  return {
    ...message,
    content: {
      ...content,
      ...(isSame ? {} : { content: text }),
      parts: [...changeFiles(parts, files, heard), ...heard.added.map(makePart)],
      ...(attachments.length === 0 ? {} : { experimental_attachments: attachments }),
    },
  };
}

function makePart(file: OtherFile): Part {
  const { mimeType, name: filename, url = toDataAddress(file) } = file;
  return { type: 'file', mimeType, filename, data: url } as Part;
}
