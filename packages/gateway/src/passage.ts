import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { HookToolCall } from '@spec/hooks';
import type { HostTurn } from '@spec/hooks/host';
import type { Answer } from './answers.ts';
import { nameClient } from './person.ts';
import type { ClientRequest, Session } from './session.ts';
import { askThroughHooks, type GuardedOutcome } from './through-hooks.ts';
import type { Upstream } from './upstream.ts';

/** What hooks see of a request, and what its server gets. */
export interface Passage {
  readonly upstream: Upstream;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly params: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Waits for what a first answer only promises. */
  readonly follow?: (raw: Result) => Promise<Result>;
  readonly read: (raw: Result) => Answer | undefined;
}

/** Sends a request of a client to its server and back, by way of the hooks. */
export async function pass(
  session: Session,
  { id, method, signal }: ClientRequest,
  { upstream, tool, input, params, follow = async (raw) => raw, read }: Passage,
): Promise<{ readonly turn: HostTurn; readonly outcome: GuardedOutcome }> {
  const { host, limits } = session.parts;
  const agentId = nameClient(session.hello);
  const turn = host.openTurn({ threadId: session.id, agentId, abortSignal: signal });
  const call: HookToolCall = {
    id: `call_${session.id.slice(0, 8)}_${String(id)}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(input) },
  };
  session.calls.set(call.id, id);
  const outcome = await askThroughHooks(turn, {
    ...{ call, read, maxCharacters: limits.resultCharacters, server: upstream.name },
    ask: async (changed) =>
      follow(await session.relay.askServer(upstream, { method, params: params(changed) }, { id, signal })),
  }).finally(() => session.calls.delete(call.id));
  return { turn, outcome };
}
