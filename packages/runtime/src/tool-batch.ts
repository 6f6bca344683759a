import type { HookToolCall, StoredToolResult } from '@spec/hooks';
import { toToolRow } from './messages.ts';
import type { ToolCallRecord } from './store.ts';
import type { ThreadCore } from './thread-core.ts';
import { type AnsweredCall, failed, runToolCall } from './tool-calls.ts';
import { commitMessage, insertMessage, prepareMessage } from './writes.ts';

/**
 * Runs the calls of one assistant message in parallel and stores their results in call order (design §7.1).
 * What is injected meanwhile waits until all results are stored.
 */
export async function runToolBatch(core: ThreadCore, messageId: string, calls: readonly HookToolCall[]): Promise<void> {
  const { flow } = core;
  const records = calls.map((call, position) => recordOf(call, { messageId, position }));
  core.batch = { waiting: [] };
  const stored: StoredToolResult[] = [];
  try {
    const answers = records.map((record, position) => answer(core, calls[position] as HookToolCall, record));
    for (const answering of answers) answering.catch(() => {});
    for (const [position, answering] of answers.entries()) {
      stored.push(await storeResult(core, await answering, records[position] as ToolCallRecord));
    }
  } finally {
    await storeWaiting(core);
  }
  if (flow.abortSignal.aborted) return;
  const contexts = await core.runtime.executor.run('after_tool_batch', core.scope, core.state, stored);
  if (contexts.length > 0) await insertMessage(core.state, { role: 'user', content: contexts.join('\n\n') });
}

/** The row of a call, before and after it ran. */
export function recordOf({ id, function: { name } }: HookToolCall, at: { messageId: string; position: number }): ToolCallRecord {
  return { ...at, id, name, status: 'pending' };
}

/** An aborted call is answered too: a history with an unanswered call is no longer valid. */
async function answer(core: ThreadCore, call: HookToolCall, record: ToolCallRecord): Promise<AnsweredCall> {
  const { flow } = core;
  try {
    return await runToolCall(core.state, call, async () => {
      await core.store.append(core.id, await core.fence(), { toolCalls: [{ ...record, status: 'started' }] });
    });
  } catch (error) {
    if (!flow.abortSignal.aborted) throw error;
    return { call, result: failed('The turn was stopped before this tool call was finished.') };
  }
}

async function storeResult(core: ThreadCore, { call, result }: AnsweredCall, record: ToolCallRecord): Promise<StoredToolResult> {
  core.restIfAborted();
  const { executor } = core.runtime;
  const row = await executor.run('before_store_tool_result', core.scope, core.state, { ...call }, { ...result });
  const message = await prepareMessage(core.state, toToolRow(call, row as never) as never);
  await commitMessage(core.state, message, { toolCalls: [{ ...record, status: 'done' }] });
  return { toolCall: call, result: { ...(row as unknown as StoredToolResult['result']), result: message.content ?? '' } };
}

async function storeWaiting(core: ThreadCore): Promise<void> {
  const waiting = core.batch?.waiting ?? [];
  core.batch = undefined;
  for (const message of waiting) await commitMessage(core.state, message, { dequeue: [message.id] });
}
