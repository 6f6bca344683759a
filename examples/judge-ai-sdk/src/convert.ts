import type { LanguageModelV3Content, LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';
import type { HookMessage, HookToolCall, LLMMessage } from '@spec/hooks';

/** Three forms of a message: as it is stored, as prefilter_llm_history sees it, and as the AI SDK sends it. */

export function callsOf(message: Pick<HookMessage, 'tool_calls'>): HookToolCall[] {
  return typeof message.tool_calls === 'string' ? (JSON.parse(message.tool_calls) as HookToolCall[]) : [];
}

/** Leaves out results without their call or beside another one, and calls without their results: no provider takes them. */
export function validExchanges(messages: readonly HookMessage[]): HookMessage[] {
  const called = new Set(messages.flatMap(callsOf).map(({ id }) => id));
  const answered = new Set(messages.map(({ tool_call_id }) => tool_call_id));
  return messages.filter((message) => {
    if (message.role === 'tool') return called.delete(message.tool_call_id ?? '');
    return callsOf(message).every(({ id }) => answered.has(id));
  });
}

export function toLLMMessages(messages: readonly HookMessage[]): LLMMessage[] {
  return messages.map((message) => ({
    role: message.role,
    content: message.content,
    ...(callsOf(message).length > 0 ? { tool_calls: callsOf(message) } : {}),
    ...(typeof message.tool_call_id === 'string' ? { tool_call_id: message.tool_call_id } : {}),
    ...(typeof message.name === 'string' ? { name: message.name } : {}),
  }));
}

export function toPrompt(messages: readonly LLMMessage[]): LanguageModelV3Prompt {
  return messages.map(promptMessage);
}

function promptMessage({
  role,
  content,
  tool_calls,
  tool_call_id = '',
  name = '',
}: LLMMessage): LanguageModelV3Message {
  const text = content ?? '';
  if (role === 'system') return { role, content: text };
  if (role === 'user') return { role, content: [{ type: 'text', text }] };
  if (role === 'tool') {
    const output = { type: 'text', value: text } as const;
    return { role, content: [{ type: 'tool-result', toolCallId: tool_call_id, toolName: name, output }] };
  }
  const calls = ((tool_calls ?? []) as HookToolCall[]).map(
    ({ id, function: { name: toolName, arguments: json } }) => ({
      ...({ type: 'tool-call', toolCallId: id, toolName } as const),
      input: parsed(json),
    }),
  );
  return {
    role: 'assistant',
    content: [...(text === '' ? [] : [{ type: 'text', text } as const]), ...calls],
  };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

/** What a model said, as an assistant's message. */
export function toAssistantMessage(content: readonly LanguageModelV3Content[]): Record<string, unknown> {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  const toolCalls = calls.map(({ toolCallId: id, toolName: name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: input },
  }));
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 ? { tool_calls: JSON.stringify(toolCalls) } : {}),
  };
}

/** What the AI SDK goes on with: the message as it was stored. */
export function toContent(message: HookMessage): LanguageModelV3Content[] {
  const calls = callsOf(message).map(({ id, function: { name, arguments: input } }) => ({
    ...({ type: 'tool-call', toolCallId: id, toolName: name } as const),
    input,
  }));
  return [...(message.content === null ? [] : [{ type: 'text', text: message.content } as const]), ...calls];
}
