import type { HookMessage } from '../vocabulary/messages.ts';
import { readToolCalls } from './exchanges.ts';
import type { HostTurn } from './turn.ts';

/** What hooks are given of the messages of a loop, and what stands behind each of them. */
export interface LentMessages<Original extends { readonly lent: HookMessage }> {
  readonly messages: HookMessage[];
  readonly originals: ReadonlyMap<string, Original>;
}

/**
 * The messages of a loop as the store has them, with their ids and all of their fields. The loop keeps its own copies, which may lack some
 * and have others: those that say the same in the same order are the same.
 */
export async function recallRows<Original extends { readonly lent: HookMessage }>(
  turn: HostTurn,
  lent: LentMessages<Original>,
): Promise<LentMessages<Original>> {
  if (!turn.isStored) return lent;
  const rows = await turn.state.getMessages();
  let next = 0;
  const messages: HookMessage[] = [];
  const originals = new Map<string, Original>();
  for (const message of lent.messages) {
    const found = rows.findIndex((row, at) => at >= next && saysTheSame(row, message));
    if (found >= 0) next = found + 1;
    const known = rows[found] ?? message;
    messages.push(known);
    originals.set(known.id, { ...(lent.originals.get(message.id) as Original), lent: known });
  }
  return { messages, originals };
}

function saysTheSame(row: HookMessage, message: HookMessage): boolean {
  return (
    row.role === message.role &&
    (row.content ?? '') === (message.content ?? '') &&
    (row.tool_call_id ?? '') === (message.tool_call_id ?? '') &&
    listIds(row) === listIds(message)
  );
}

function listIds(message: HookMessage): string {
  return JSON.stringify(readToolCalls(message).map(({ id }) => id));
}
