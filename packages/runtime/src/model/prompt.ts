import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
  LanguageModelV3Prompt,
} from '@ai-sdk/provider';
import type { HookToolCall, LLMMessage } from '@spec/hooks';
import type { PromptDefinition } from '../definitions/prompt.ts';
import type { AnyTool } from '../definitions/tool.ts';

/** A history as the AI SDK's provider interface takes it. Results of one batch become one tool message, and an answer without text or calls none. */
export function toModelPrompt(messages: readonly LLMMessage[]): LanguageModelV3Prompt {
  const names = new Map<string, string>();
  const prompt: LanguageModelV3Prompt = [];
  for (const message of messages) {
    for (const call of listCalls(message)) names.set(call.id, call.function.name);
    const next = toModelMessage(message, names);
    if (next.role === 'assistant' && next.content.length === 0) continue;
    const previous = prompt.at(-1);
    if (next.role === 'tool' && previous?.role === 'tool') previous.content.push(...next.content);
    else prompt.push(next);
  }
  return prompt;
}

function toModelMessage(message: LLMMessage, names: ReadonlyMap<string, string>): LanguageModelV3Message {
  const text = message.content ?? '';
  if (message.role === 'system') return { role: 'system', content: text };
  if (message.role === 'assistant') return { role: 'assistant', content: assistantParts(message) };
  if (message.role === 'tool') return { role: 'tool', content: [toolResult(message, names)] };
  return { role: 'user', content: [{ type: 'text', text }] };
}

type AssistantContent = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'];
type ToolContent = Extract<LanguageModelV3Message, { role: 'tool' }>['content'];

function assistantParts(message: LLMMessage): AssistantContent {
  const calls = listCalls(message).map(
    (call) =>
      ({
        type: 'tool-call',
        toolCallId: call.id,
        toolName: call.function.name,
        input: parsed(call.function.arguments),
      }) as const,
  );
  return message.content ? [{ type: 'text', text: message.content }, ...calls] : calls;
}

function toolResult(
  { tool_call_id = '', name, content }: LLMMessage,
  names: ReadonlyMap<string, string>,
): ToolContent[number] {
  return {
    type: 'tool-result',
    toolCallId: tool_call_id,
    toolName: names.get(tool_call_id) ?? name ?? 'unknown',
    output: { type: 'text', value: content ?? '' },
  };
}

function listCalls({ tool_calls }: LLMMessage): readonly HookToolCall[] {
  return Array.isArray(tool_calls) ? (tool_calls as HookToolCall[]) : [];
}

/** Arguments that are no JSON reach the model as the text they are. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** Tools as the model is told of them. */
export function toModelTools(tools: readonly AnyTool[]): LanguageModelV3FunctionTool[] {
  return tools.map((tool) => ({
    type: 'function',
    name: tool.name,
    ...(tool.description === undefined ? {} : { description: tool.description }),
    inputSchema: tool.parameters as NonNullable<AnyTool['parameters']>,
  }));
}

/** Whether the model may, must or must not call tools, in the provider interface's words; nothing where nobody said. */
export function toModelToolChoice(
  choice: PromptDefinition['toolChoice'],
): Pick<LanguageModelV3CallOptions, 'toolChoice'> {
  if (choice === undefined) return {};
  return {
    toolChoice: typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool },
  };
}
