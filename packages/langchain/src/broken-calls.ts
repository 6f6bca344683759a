import type { AIMessage, InvalidToolCall } from '@langchain/core/messages';
import type { HookMessage, HookToolCall } from '@spec/hooks';
import { type HostTurn, passRow, readToolCalls } from '@spec/hooks/host';

/**
 * Sends calls whose arguments are no JSON through the hooks on messages. LangChain runs none of them, and keeps them beside the others.
 *
 * @returns the same list where hooks leave it alone
 */
export async function passBrokenCalls(
  turn: HostTurn,
  { invalid_tool_calls: given = [] }: AIMessage,
): Promise<InvalidToolCall[]> {
  if (given.length === 0) return given;
  const tool_calls = JSON.stringify(given.map(toCall));
  const row = await passRow(turn, { role: 'assistant', content: null, tool_calls }, { isStored: false });
  const { tool_calls: passed } = row as Pick<HookMessage, 'tool_calls'>;
  if (passed === tool_calls) return given;
  return readToolCalls({ ...(passed === undefined ? {} : { tool_calls: passed }) }).map(toBroken);
}

function toCall({ id = '', name = '', args = '' }: InvalidToolCall): HookToolCall {
  return { id, type: 'function', function: { name, arguments: args } };
}

function toBroken({ id, function: { name, arguments: args } }: HookToolCall): InvalidToolCall {
  return { type: 'invalid_tool_call', id, name, args };
}
