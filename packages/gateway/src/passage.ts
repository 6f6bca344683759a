import type { Result } from '@modelcontextprotocol/sdk/types.js';
import type { HookToolCall } from '@spec/hooks';
import type { Answer } from './answers.ts';
import { nameClient } from './person.ts';
import type { ClientRequest, Session } from './session.ts';
import { askThroughHooks, askUnseen, type GuardedRequest, type Passed } from './through-hooks.ts';
import type { Upstream } from './upstream.ts';

/** What hooks see of a request, and what its server gets. */
export interface Passage {
  readonly upstream: Upstream;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly params: (input: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Looks, when the hooks are through, whether the server may still be asked. @throws an error for the client */
  readonly check?: () => void;
  /** Waits for what a first answer only promises. */
  readonly follow?: (raw: Result) => Promise<Result>;
  readonly read: (raw: Result) => Answer | undefined;
}

/** Sends a request of a client to its server and back, by way of the hooks. */
export async function pass(
  session: Session,
  { id, method, signal }: ClientRequest,
  { upstream, tool, input, params, check, follow, read }: Passage,
): Promise<Passed> {
  const { host, limits } = session.parts;
  const callId = `call_${session.id.slice(0, 8)}_${String(id)}`;
  const request: GuardedRequest = {
    read,
    maxCharacters: limits.resultCharacters,
    server: upstream.name,
    ask(changed) {
      check?.();
      const message = { method, params: params(changed) };
      const answered = session.relay.askServer(upstream, message, { id, signal });
      return follow === undefined ? answered : answered.then(follow);
    },
  };
  session.calls.set(callId, id);
  try {
    // Without a hook, a call is passed on for next to nothing.
    if (host.isIdle) return { contexts: [], outcome: await askUnseen(request, input) };
    const agentId = nameClient(session.hello);
    const turn = host.openTurn({ threadId: session.id, agentId, abortSignal: signal });
    const asked = { name: tool, arguments: JSON.stringify(input) };
    const call: HookToolCall = { id: callId, type: 'function', function: asked };
    const outcome = await askThroughHooks(turn, call, request);
    return { contexts: turn.takeContexts(), outcome };
  } finally {
    session.calls.delete(callId);
  }
}
