import type { HookToolCall } from '@spec/hooks';
import { findRunCode } from '../aborted.ts';
import type { StoredMessage, ToolCallRecord } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { commit } from '../writes/commit.ts';

/** The stored state of each call: waiting for a decision, started or done. */

/** Makes the rows of new calls. A call that needs no decision starts at once, which saves a commit. */
export function makeCallRecords(
  { core }: ThreadView,
  { id: messageId }: StoredMessage,
  calls: readonly HookToolCall[],
): ToolCallRecord[] {
  const isDecidedOn = core.scope.before_tool_call !== undefined || core.session.mode !== 'default';
  return calls.map(({ id, function: { name } }, position) => {
    const needsDecision = isDecidedOn || core.runtime.catalog.tools.get(name)?.permission === 'ask';
    return { id, messageId, position, name, status: needsDecision ? 'pending' : 'started' };
  });
}

/**
 * The rows as they were when the turn's process died. A position is that of one call for ever, also where the calls of the message were
 * changed since: a new one gets a position that no other had, and so no other's result and key.
 */
export async function readCallRecords(
  { core }: ThreadView,
  { id: messageId }: StoredMessage,
  records: readonly ToolCallRecord[],
): Promise<ToolCallRecord[]> {
  const kept = await core.store.listToolCalls(core.id, { messageId });
  if (kept.length === 0) return [...records];
  let free = Math.max(...kept.map(({ position }) => position)) + 1;
  return records.map(
    (record) =>
      kept.find(({ id, name }) => id === record.id && name === record.name) ?? {
        ...record,
        position: free++,
        status: 'pending',
      },
  );
}

export function storeCallStarted(view: ThreadView, record: ToolCallRecord): Promise<void> {
  const toolCalls: ToolCallRecord[] = [{ ...record, status: 'started' }];
  return commit(view, 'storeCallStarted', { toolCalls });
}

/** Whether a write was refused because the message that made the call was deleted meanwhile. */
export async function isCallDeleted(
  { core }: ThreadView,
  { messageId }: ToolCallRecord,
  error: unknown,
): Promise<boolean> {
  return findRunCode(error) === 'not_found' && (await core.store.getMessage(core.id, messageId)) === null;
}
