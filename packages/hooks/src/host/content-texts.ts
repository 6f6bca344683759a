import { isRecord } from '../values.ts';

/**
 * The texts in a content of MCP, or of a model's provider, in whatever blocks they stand: of a text by any name, a document, a resource, a
 * search result, or as JSON. A model reads them all, so a hook must see them all.
 */
export function readContentTexts(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (Array.isArray(content)) return content.flatMap(readContentTexts);
  if (!isRecord(content)) return [];
  const { text, json, source, resource, content: inner } = content;
  if (typeof text === 'string') return [text];
  if (json !== undefined) return [JSON.stringify(json)];
  return [
    ...readSource(source),
    ...readContentTexts(isRecord(resource) ? resource : undefined),
    ...readContentTexts(inner),
  ];
}

/** A document has its text in a source that says so; other sources are files and addresses. */
function readSource(source: unknown): string[] {
  if (!isRecord(source)) return [];
  return source.type === 'text' ? readContentTexts(source.data) : readContentTexts(source.content);
}
