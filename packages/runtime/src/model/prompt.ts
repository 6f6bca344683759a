import type { HookToolCall, LLMMessage } from '@spec/hooks';
import type {
  FilePart,
  TextCallOptions,
  TextMessage,
  TextPart,
  TextTool,
  ToolResultPart,
} from '../definitions/model.ts';
import type { PromptDefinition } from '../definitions/prompt.ts';
import type { AnyTool } from '../definitions/tool.ts';
import { type AnswerTarget, toAnswerParts } from './sent-answer.ts';
import { type FileTarget, toFileParts, toToolFileParts } from './sent-files.ts';

/** Which model a prompt is for, and what is in the files that are sent. */
export type PromptTarget = AnswerTarget & FileTarget;

/** A history as the AI SDK's provider interface takes it. Results of one batch become one tool message, and an answer without text or calls none. */
export function toModelPrompt(messages: readonly LLMMessage[], target: PromptTarget): TextMessage[] {
  const names = new Map<string, string>();
  const prompt: TextMessage[] = [];
  for (const message of messages) {
    for (const call of listCalls(message)) names.set(call.id, call.function.name);
    const next = toModelMessage(message, { names, target });
    if (next.role === 'assistant' && next.content.length === 0) continue;
    const previous = prompt.at(-1);
    if (next.role === 'tool' && previous?.role === 'tool') previous.content.push(...next.content);
    else prompt.push(next);
  }
  return prompt;
}

interface Sending {
  /** The names of tools by the ids of their calls. */
  readonly names: ReadonlyMap<string, string>;
  readonly target: PromptTarget;
}

function toModelMessage(message: LLMMessage, { names, target }: Sending): TextMessage {
  const text = message.content ?? '';
  if (message.role === 'system') return { role: 'system', content: text };
  if (message.role === 'assistant')
    return { role: 'assistant', content: toAnswerParts(message, listCalls(message), target) };
  if (message.role === 'tool') return { role: 'tool', content: [toolResult(message, { names, target })] };
  return { role: 'user', content: userParts(message, target) };
}

/** The text first. A message without any is its files, or a text that is empty. */
function userParts(message: LLMMessage, target: PromptTarget): (TextPart | FilePart)[] {
  const files = toFileParts(message, target);
  const text: TextPart = { type: 'text', text: message.content ?? '' };
  if (files.length === 0) return [text];
  return text.text === '' ? files : [text, ...files];
}

function toolResult(message: LLMMessage, { names, target }: Sending): ToolResultPart {
  const { tool_call_id = '', name, content } = message;
  const files = toToolFileParts(message, target);
  const text = content ?? '';
  return {
    type: 'tool-result',
    toolCallId: tool_call_id,
    toolName: names.get(tool_call_id) ?? name ?? 'unknown',
    output:
      files.length === 0
        ? { type: 'text', value: text }
        : { type: 'content', value: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...files] },
  };
}

function listCalls({ tool_calls }: LLMMessage): readonly HookToolCall[] {
  return Array.isArray(tool_calls) ? (tool_calls as HookToolCall[]) : NO_CALLS;
}

const NO_CALLS: readonly HookToolCall[] = Object.freeze([]);

/** Tools as the model is told of them. */
export function toModelTools(tools: readonly AnyTool[]): TextTool[] {
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
): Pick<TextCallOptions, 'toolChoice'> {
  if (choice === undefined) return {};
  return {
    toolChoice: typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.tool },
  };
}
