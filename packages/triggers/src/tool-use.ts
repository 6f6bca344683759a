import { type HookMessage, type HookToolResult, parseArguments, type StoredToolResult } from '@spec/hooks';
import { readToolCalls } from '@spec/hooks/host';

/** A tool call of the turn. */
export interface PastUse {
  readonly id: string;
  readonly name: string;
  /** The parsed arguments; empty if they are not a JSON object. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly status: HookToolResult['status'];
}

/** One tool call with its result, as it was stored. */
export interface ToolUse extends PastUse {
  /** The text of the result or of the error. */
  readonly text: string;
  /** The parsed result if it is JSON, otherwise its text. */
  readonly value: unknown;
}

/** What triggers see of a stored result. */
export function makeToolUse({ toolCall, result }: StoredToolResult): ToolUse {
  const text = (result.status === 'success' ? result.result : result.error) ?? '';
  let value: unknown;
  return {
    id: toolCall.id,
    name: toolCall.function.name,
    input: parseArguments(toolCall) ?? {},
    status: result.status,
    text,
    get value() {
      value ??= parsed(text);
      return value;
    },
  };
}

/** The value of a JSON text; any other text is itself. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The calls of the newest steps of a thread but the last, whose results are on their way to the triggers.
 *
 * @param messages of the thread, oldest first
 * @param steps how many steps, as far as the messages hold them
 */
export function readPastUses(messages: readonly HookMessage[], steps: number): PastUse[] {
  const answers = messages.flatMap(({ role }, at) => (role === 'assistant' ? [at] : []));
  const last = answers.at(-1) ?? 0;
  const first = answers.at(-1 - steps) ?? answers[0] ?? 0;
  return messages.slice(first, last).flatMap((answer, at, all) => readUses(answer, all.slice(at + 1)));
}

/** The calls of an answer that have results in the messages after it. Ids of calls may come again in a later answer. */
function readUses(answer: HookMessage, after: readonly HookMessage[]): PastUse[] {
  const end = after.findIndex(({ role }) => role === 'assistant');
  const results = end < 0 ? after : after.slice(0, end);
  return readToolCalls(answer).flatMap((toolCall) => {
    const row = results.find(({ role, tool_call_id }) => role === 'tool' && tool_call_id === toolCall.id);
    if (row === undefined) return [];
    const status = (row as { status?: unknown }).status === 'error' ? 'error' : 'success';
    const { id, function: called } = toolCall;
    return [{ id, name: called.name, input: parseArguments(toolCall) ?? {}, status }];
  });
}
