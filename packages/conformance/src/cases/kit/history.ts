import type { HookMessage, HookToolCall } from '@spec/hooks';
import { holds, same } from '@spec/hooks/testing';

/**
 * Throws unless a history is one that a model takes: behind each answer with calls stand the results of just these calls,
 * in call order, no result stands elsewhere, and no two messages have the same id.
 */
export function isValidHistory(messages: readonly HookMessage[], what: string): void {
  const open: string[] = [];
  for (const [i, message] of messages.entries()) {
    const where = `${what}, message ${i + 1} (${message.role})`;
    if (message.role === 'tool') {
      same(message.tool_call_id, open.shift(), `${where}: the call that it answers`);
      continue;
    }
    holds(open.length === 0, `${where}: expected results of ${open.join(', ')} before it`);
    open.push(...callIds(message));
  }
  holds(open.length === 0, `${what}: expected results of ${open.join(', ')} at its end`);
  const ids = messages.map(({ id }) => id);
  same(new Set(ids).size, ids.length, `${what}: how many different ids there are`);
}

function callIds({ tool_calls: text }: HookMessage): string[] {
  if (typeof text !== 'string') return [];
  return (JSON.parse(text) as HookToolCall[]).map(({ id }) => id);
}
