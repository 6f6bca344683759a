import type { HookToolCall, StoredToolResult } from '@spec/hooks';
import { isAborted } from './aborted.ts';
import { attachFiles } from './attachments.ts';
import { storeFile } from './files.ts';
import { toStoredResult, toToolRow } from './messages.ts';
import type { Append, StoredFile, StoredMessage, ToolCallRecord } from './store.ts';
import type { ThreadView } from './thread-view.ts';
import { failed } from './tool-answers.ts';
import { type AnsweredCall, runToolCall, type ToolCallOptions } from './tool-calls.ts';
import {
  announceMessage,
  append,
  insertMessage,
  prepareMessage,
  storeMessage,
  underFence,
} from './writes.ts';

/** An assistant message on its way into the store, and the calls it makes. */
export interface ToolBatch {
  readonly message: StoredMessage;
  /** The calls as they will be stored: what the create chain returned is what is executed. */
  readonly calls: readonly HookToolCall[];
  readonly offered: ToolCallOptions['offered'];
  /** What is committed together with the message. */
  readonly along?: Append;
  /** Called once the message is stored. */
  readonly onStored?: () => void;
}

/**
 * Stores an assistant message, runs its calls in parallel and stores their results in call order (design §7.1).
 *
 * B1 From the moment when the message is stored until all results are, what is injected waits.
 * B2 Every call is answered, also after an abort: a history with an unanswered call is no longer valid.
 * B3 A result that cannot be stored takes no other with it: the batch fails when all the others are stored.
 */
export async function runToolBatch(view: ThreadView, batch: ToolBatch): Promise<void> {
  const { core } = view;
  const stored: StoredToolResult[] = [];
  core.batch = { waiting: [] };
  try {
    await storeCalls(view, batch);
    await answerCalls(view, batch, stored);
  } finally {
    await storeWaiting(view);
  }
  if (stored.length === 0) return;
  const contexts = await core.runtime.executor.run('after_tool_batch', core.scope, view, stored);
  if (contexts.length > 0) await insertMessage(view, { role: 'user', content: contexts.join('\n\n') });
}

/** The assistant message and the rows of its calls are one commit. */
async function storeCalls(view: ThreadView, { message, calls, along, onStored }: ToolBatch): Promise<void> {
  const toolCalls = calls.map((call, position) => recordOf(message, call, position));
  await storeMessage(view, message, { toolCalls, ...along });
  onStored?.();
  await announceDespiteAbort(view, message);
}

function recordOf(
  { id: messageId }: StoredMessage,
  { id, function: { name } }: HookToolCall,
  position: number,
): ToolCallRecord {
  return { id, messageId, position, name, status: 'pending' };
}

/** Runs the calls and adds their results to `stored`. */
async function answerCalls(
  view: ThreadView,
  { message, calls, offered }: ToolBatch,
  stored: StoredToolResult[],
): Promise<void> {
  const failures: unknown[] = [];
  const records = calls.map((call, position) => recordOf(message, call, position));
  const answers = calls.map((call, position) => {
    const record = records[position] as ToolCallRecord;
    return answer(view, call, { offered, onStart: () => noteStart(view, record) });
  });
  for (const answering of answers) answering.catch(() => {});
  for (const [position, answering] of answers.entries()) {
    try {
      stored.push(await storeResult(view, await answering, records[position] as ToolCallRecord));
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function noteStart(view: ThreadView, record: ToolCallRecord): Promise<void> {
  const toolCalls: ToolCallRecord[] = [{ ...record, status: 'started' }];
  return underFence(view, 'injectMessage', (fence) => append(view.core, fence, { toolCalls }));
}

async function answer(view: ThreadView, call: HookToolCall, options: ToolCallOptions): Promise<AnsweredCall> {
  const { flow } = view;
  try {
    if (!flow.isAborted) return await runToolCall(view, call, options);
  } catch (error) {
    if (!flow.isAborted || !isAborted(error)) throw error;
  }
  return { call, result: failed('The turn was stopped before this tool call was finished.') };
}

/** The chains of a result run again where an abort came between: its row is stored all the same. */
async function storeResult(
  view: ThreadView,
  answered: AnsweredCall,
  record: ToolCallRecord,
): Promise<StoredToolResult> {
  const { message, files } = await despiteAbort(view, (live) => prepareResult(live, answered));
  for (const file of files) await storeFile(view, file);
  await storeMessage(view, message, { toolCalls: [{ ...record, status: 'done' }] });
  await announceDespiteAbort(view, message);
  return toStoredResult(answered.call, message);
}

interface PreparedResult {
  readonly message: StoredMessage;
  readonly files: readonly StoredFile[];
}

async function prepareResult(view: ThreadView, { call, result }: AnsweredCall): Promise<PreparedResult> {
  const { core } = view;
  const { executor } = core.runtime;
  const row = await executor.run('before_store_tool_result', core.scope, view, { ...call }, { ...result });
  const { result: attached, files } = attachFiles(call.id, row as unknown as typeof result);
  const message = await prepareMessage(view, toToolRow(call, attached));
  const kept = new Set(
    (message.attachments as Array<{ path?: string }> | undefined)?.map(({ path }) => path),
  );
  return { message, files: files.filter(({ path }) => kept.has(path)) };
}

/** Stores what was injected meanwhile. Where that fails, it waits in the queue for the next step. */
async function storeWaiting(view: ThreadView): Promise<void> {
  const { core } = view;
  const waiting = core.batch?.waiting ?? [];
  core.batch = undefined;
  for (const message of waiting) {
    await storeMessage(view, message, { dequeue: [message.id] });
    await announceDespiteAbort(view, message);
  }
}

async function announceDespiteAbort(view: ThreadView, message: StoredMessage): Promise<void> {
  try {
    await announceMessage(view.afterAbort(), message);
  } catch (error) {
    if (!view.flow.isAborted || !isAborted(error)) throw error;
  }
}

/** Runs something in the turn, or in what an abort leaves of it; again, where the abort comes while it runs. */
async function despiteAbort<T>(view: ThreadView, run: (live: ThreadView) => Promise<T>): Promise<T> {
  try {
    return await run(view.afterAbort());
  } catch (error) {
    if (!view.flow.isAborted || !isAborted(error)) throw error;
    return run(view.afterAbort());
  }
}
