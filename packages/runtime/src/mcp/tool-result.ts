import type { CallToolResult, ContentBlock, Result } from '@modelcontextprotocol/sdk/types.js';
import type { HookToolResult, ToolAttachment } from '@spec/hooks';

/**
 * What a server answered to a call, as the runtime's result: texts joined, binary parts as attachments with a line each that tells
 * of them, an error as an error result.
 */
export function toHookResult({ content, structuredContent, isError }: CallToolResult): HookToolResult {
  const attachments: ToolAttachment[] = [];
  const lines = content.map((block) => writeBlock(block, attachments));
  if (content.length === 0 && structuredContent !== undefined) lines.push(JSON.stringify(structuredContent));
  const text = lines.join('\n');
  const files = attachments.length === 0 ? {} : { attachments };
  if (isError === true) return { status: 'error', error: text || 'The tool failed.', ...files };
  return { status: 'success', result: text, ...files };
}

/** Servers of the first protocol (2024-10-07) answer with `toolResult`, in the place of `content`. */
export function readOlderForm(answer: Result): Result {
  const { toolResult, ...rest } = answer;
  if (toolResult === undefined || rest.content !== undefined) return answer;
  const text = typeof toolResult === 'string' ? toolResult : JSON.stringify(toolResult);
  return { ...rest, content: [{ type: 'text', text }] };
}

/** A block as the model reads it; a binary one becomes an attachment. */
function writeBlock(block: ContentBlock, attachments: ToolAttachment[]): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return attach(attachments, { name: fileName(block, attachments), ...block });
    case 'resource_link':
      return `[Resource ${block.name}: ${block.uri}]`;
    case 'resource': {
      const { resource } = block;
      if ('text' in resource) return `[Resource ${resource.uri}]\n${resource.text}`;
      const { uri, blob: data, mimeType = 'application/octet-stream' } = resource;
      return attach(attachments, { name: readLastPart(uri), mimeType, data });
    }
  }
}

function attach(attachments: ToolAttachment[], { name, mimeType, data }: ToolAttachment): string {
  attachments.push({ name, mimeType, data });
  return `[Attached: ${name}, ${mimeType}]`;
}

/** Such as `image-1.png`, by the position among the attachments. */
function fileName(
  { type, mimeType }: { type: string; mimeType: string },
  attachments: readonly unknown[],
): string {
  const ending = /^[a-z]+\/([a-z0-9]+)/.exec(mimeType)?.[1];
  return `${type}-${attachments.length + 1}${ending === undefined ? '' : `.${ending}`}`;
}

function readLastPart(uri: string): string {
  return uri.split(/[/\\?#]/).findLast((part) => part !== '') ?? 'resource';
}
