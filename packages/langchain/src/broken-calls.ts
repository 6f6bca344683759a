import type { InvalidToolCall } from '@langchain/core/messages';
import type { HookToolCall } from '@spec/hooks';
import { type HostTurn, passCalls } from '@spec/hooks/host';

/**
 * Sends calls whose arguments are no JSON through the hooks on messages. LangChain runs none of them, and keeps them beside the others.
 *
 * @returns the same list where hooks leave it alone
 */
export async function passBrokenCalls(turn: HostTurn, broken: InvalidToolCall[]): Promise<InvalidToolCall[]> {
  if (broken.length === 0) return broken;
  const calls = broken.map(toCall);
  const passed = await passCalls(turn, calls);
  return passed === calls ? broken : passed.map(toBroken);
}

function toCall({ id = '', name = '', args = '' }: InvalidToolCall): HookToolCall {
  return { id, type: 'function', function: { name, arguments: args } };
}

function toBroken({ id, function: { name, arguments: args } }: HookToolCall): InvalidToolCall {
  return { type: 'invalid_tool_call', id, name, args };
}
