import type { HookToolResult, ToolAttachment } from '@spec/hooks';
import { type Payload, readObject } from '../agent.ts';

/** A piece of what a tool gives to the model. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string };

/** What a tool gives to the model, in pieces. */
export interface ContentResult {
  readonly content: readonly ContentPart[];
  readonly isError: boolean;
}

/** Reads a `tool_response` that comes in pieces. */
export function readContentResult(payload: Payload): HookToolResult {
  const { content = [], isError } = (readObject(payload, 'tool_response') ?? {}) as Partial<ContentResult>;
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const attachments = content.flatMap((part, at): ToolAttachment[] => {
    if (part.type !== 'image') return [];
    return [{ name: `image-${at + 1}`, mimeType: part.mimeType, data: part.data }];
  });
  const files = attachments.length === 0 ? {} : { attachments };
  return isError === true
    ? { status: 'error', error: text, ...files }
    : { status: 'success', result: text, ...files };
}

/** The pictures of an answer, as pieces again. */
export function listImages(attachments: HookToolResult['attachments'] = []): readonly ContentPart[] {
  return attachments.flatMap((file): ContentPart[] =>
    'data' in file && typeof file.data === 'string'
      ? [{ type: 'image', data: file.data, mimeType: file.mimeType }]
      : [],
  );
}

/**
 * What a result has beside its text: programs that a model writes (code mode) get it in the place of the text, so hooks must see it too.
 *
 * @returns nothing where there is none, or the text is the same
 */
export function readStructured(structured: unknown, text: string): readonly string[] {
  if (structured === undefined || structured === null) return [];
  const json = JSON.stringify(structured);
  const isSaid = text === json || text === JSON.stringify(structured, null, 2);
  return isSaid ? [] : [json];
}
