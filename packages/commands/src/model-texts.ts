import type { ModelRequest } from '@spec/hooks';
import type { JsonObject } from 'type-fest';

/** The messages of a request as formats show them: texts alone, without tools. */
export function listModelTexts({ messages }: ModelRequest): JsonObject[] {
  return messages.flatMap(({ role, content }) => {
    if (role === 'tool' || content === null) return [];
    return [{ role: role === 'assistant' ? 'model' : role, content }];
  });
}
