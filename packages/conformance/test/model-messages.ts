import type { HookToolCall, LLMMessage } from '@spec/hooks';
import type { ScriptedModel } from '@spec/runtime/testing';

type Prompt = ScriptedModel['calls'][number]['prompt'];
type Message = Prompt[number];

/** What a model of the AI SDK's interface was sent, in the specification's form (§6.4). */
export function toLLMMessages(prompt: Prompt): LLMMessage[] {
  return prompt.flatMap(makeMessages);
}

function makeMessages(message: Message): LLMMessage[] {
  if (message.role === 'system') return [{ role: 'system', content: message.content }];
  if (message.role === 'tool') return message.content.flatMap(makeResults);
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const calls = message.content.flatMap(makeCalls);
  return [
    {
      role: message.role,
      content: texts.length === 0 ? null : texts.join(''),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

type Part = Exclude<Message, { role: 'system' }>['content'][number];

function makeCalls(part: Part): HookToolCall[] {
  if (part.type !== 'tool-call') return [];
  const { toolCallId: id, toolName: name, input } = part;
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  return [{ id, type: 'function', function: { name, arguments: text } }];
}

function makeResults(part: Part): LLMMessage[] {
  if (part.type !== 'tool-result') return [];
  const content = part.output.type === 'text' ? part.output.value : JSON.stringify(part.output);
  return [{ role: 'tool', content, tool_call_id: part.toolCallId, name: part.toolName }];
}
