import type { MessageCard } from '@spec/hooks';

/** A call as a conversation shows it. */
export interface ShownCall {
  readonly id: string;
  readonly name: string;
  /** Their JSON text, as the model wrote it. */
  readonly input: string;
}

/** The calls of a message; nothing where their text was cut or is none. */
export function readToolCalls({ toolCalls, toolCallsSize }: MessageCard): readonly ShownCall[] | undefined {
  if (toolCalls === null) return [];
  if (toolCalls.length < toolCallsSize) return undefined;
  try {
    const parsed: unknown = JSON.parse(toolCalls);
    return Array.isArray(parsed) ? parsed.map(describeCall) : undefined;
  } catch {
    return undefined;
  }
}

function describeCall(call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } }): ShownCall {
  const { name = '?', arguments: input = '' } = call.function ?? {};
  return {
    id: String(call.id),
    name: String(name),
    input: typeof input === 'string' ? input : JSON.stringify(input),
  };
}
