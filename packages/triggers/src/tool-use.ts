import { type HookToolResult, parseArguments, type StoredToolResult } from '@spec/hooks';

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
