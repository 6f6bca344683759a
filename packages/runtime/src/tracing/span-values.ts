import type { ModelReply } from '../model/call.ts';

/** What a model answered, in the form that the conventions have for `gen_ai.output.messages`. */
export function outputMessages({ content, toolCalls, finishReason }: ModelReply): string {
  const text = content ? [{ type: 'text', content }] : [];
  const calls = toolCalls.map(({ id, function: { name, arguments: input } }) => ({
    type: 'tool_call',
    id,
    name,
    arguments: input,
  }));
  return JSON.stringify([{ role: 'assistant', parts: [...text, ...calls], finish_reason: finishReason }]);
}
