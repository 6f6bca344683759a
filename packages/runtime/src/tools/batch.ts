// Tools: runs the tool calls of one answer and stores their results. Turns and views call it; it never calls the model.

import type { HookToolCall, StoredToolResult } from '@spec/hooks';
import { isAborted, runCodeOf } from '../aborted.ts';
import { toStoredResult } from '../history/exchanges.ts';
import type { Append, StoredMessage, ToolCallRecord } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { despiteAbort } from '../thread/despite-abort.ts';
import { commit } from '../writes/commit.ts';
import { contextsToKeep, hasContexts, tellContexts } from '../writes/contexts.ts';
import { storeFile } from '../writes/files.ts';
import { announceDespiteAbort, storedAt, storeMessage } from '../writes/messages.ts';
import { closeBatch, openBatch } from '../writes/open-batch.ts';
import { failed } from './answers.ts';
import { addContexts, type BatchContexts, findBatchContexts } from './batch-contexts.ts';
import { type AnsweredCall, interruptedCall, runToolCall, type ToolCallOptions } from './call.ts';
import { tellResult } from './events.ts';
import { findKept, type KeptResult, keepResult, resultKey, settlesSoon } from './kept-results.ts';
import { resultRow } from './rows.ts';

/** An assistant message on its way into the store, and the calls it makes. */
export interface ToolBatch {
  /** The message's place in the step: `answer`, or `queued.` and a number. */
  readonly name: string;
  readonly message: StoredMessage;
  /** Whether the message was stored before the turn's process died. */
  readonly isStored: boolean;
  /** The calls as they will be stored: what the create chain returned is what is executed. */
  readonly calls: readonly HookToolCall[];
  readonly offered: ToolCallOptions['offered'];
  /** What is committed together with the message. */
  readonly along?: Append | undefined;
  /** Called once the message is stored. */
  readonly onStored?: () => void;
}

/**
 * Stores an assistant message, runs its calls in parallel and stores their results in call order (design §7.1). Gives the
 * results.
 *
 * B1 From the moment when the message is stored until all results are, what is injected waits; where one cannot be stored, until the
 *    end of the turn.
 * B2 Every call is answered, also after an abort: a history with an unanswered call is no longer valid.
 * B3 A result that a hook spoils is answered by an error result in its place. What the store refuses takes no other result
 *    with it: the batch fails when all the others are stored.
 * B4 A message that is deleted while its calls run takes no result with it.
 */
export async function runToolBatch(view: ThreadView, batch: ToolBatch): Promise<StoredToolResult[]> {
  const name = placeIn(batch, 'batch');
  const contexts = await findBatchContexts(view, name);
  const open = await openBatch(view);
  const records = await storeCalls(view, batch);
  const stored = await answerCalls(view, batch, { records, contexts });
  await closeBatch(view, open);
  if ((await storedAt(view, name)) !== undefined) return stored;
  const along =
    contexts.texts.length === 0 ? undefined : { values: [{ key: contexts.key, value: undefined }] };
  if (view.flow.isAborted) {
    const { texts, prepared } = contexts;
    await tellContexts(view.afterAbort(), { name, prepared, contexts: texts, along });
    return stored;
  }
  const reminders = stored.length === 0 ? [] : await askAboutBatch(view, name, stored);
  const { texts, prepared } = contexts;
  if (texts.length + reminders.length > 0 || hasContexts(view))
    await tellContexts(view, { name, prepared, contexts: texts, reminders, along });
  return stored;
}

/** What belongs to the batch of the answer stands in the step itself. */
function placeIn({ name }: ToolBatch, what: string): string {
  return name === 'answer' ? what : `${name}.${what}`;
}

async function askAboutBatch(
  view: ThreadView,
  name: string,
  stored: StoredToolResult[],
): Promise<readonly string[]> {
  const { runtime, scope } = view.core;
  if (scope.after_tool_batch === undefined) return [];
  return view.step(`${name}.asked`, async (at) =>
    runtime.executor.run('after_tool_batch', scope, at, stored),
  );
}

/** The assistant message and the rows of its calls are one commit. Gives the rows. */
async function storeCalls(view: ThreadView, batch: ToolBatch): Promise<ToolCallRecord[]> {
  const { name, message, calls, along, onStored } = batch;
  const toolCalls = calls.map((call, position) => recordOf(view, message, { call, position }));
  if (batch.isStored) return withStatus(view, message.id, toolCalls);
  await view.step(`${name}.store`, (at) => storeMessage(at, message, { toolCalls, ...along }));
  onStored?.();
  await announceDespiteAbort(view, message, name);
  return toolCalls;
}

interface CallAt {
  readonly call: HookToolCall;
  readonly position: number;
}

/** A call that nobody has to decide on starts at once: that it has is one commit less. */
function recordOf(
  { core }: ThreadView,
  { id: messageId }: StoredMessage,
  { call, position }: CallAt,
): ToolCallRecord {
  const { name } = call.function;
  const needsDecision =
    core.scope.before_tool_call !== undefined ||
    core.session.mode !== 'default' ||
    core.runtime.catalog.tools.get(name)?.permission === 'ask';
  return { id: call.id, messageId, position, name, status: needsDecision ? 'pending' : 'started' };
}

/**
 * The rows as they were when the turn's process died. A position is that of one call for ever, also where the calls of the message were
 * changed since: a new one gets a position that no other had, and so no other's result and key.
 */
async function withStatus(
  { core }: ThreadView,
  messageId: string,
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

/** One call of a batch, on its way to its stored result. */
interface PlacedCall {
  readonly call: HookToolCall;
  /** As it was when the batch began. */
  readonly record: ToolCallRecord;
  /** Whether it had started when the turn's process died. */
  readonly isInterrupted: boolean;
  /** The place of the result in the step. */
  readonly name: string;
  readonly offered: ToolCallOptions['offered'];
  readonly contexts: BatchContexts;
  /** Settles when the result before this one is stored. */
  readonly before: Promise<unknown>;
}

/** Runs the calls side by side, and stores their results one after another. */
async function answerCalls(
  view: ThreadView,
  batch: ToolBatch,
  { records, contexts }: { records: readonly ToolCallRecord[]; contexts: BatchContexts },
): Promise<StoredToolResult[]> {
  const { calls, offered, isStored } = batch;
  const answering: Promise<StoredToolResult>[] = [];
  let before: Promise<unknown> = Promise.resolve();
  for (const [at, call] of calls.entries()) {
    const record = records[at] as ToolCallRecord;
    const name = placeIn(batch, `result.${record.position}`);
    const isInterrupted = isStored && record.status === 'started';
    const answer = answerCall(view, { call, record, isInterrupted, name, offered, contexts, before });
    answering.push(answer);
    before = answer.catch(() => {});
  }
  await before;
  return Promise.all(answering);
}

async function answerCall(view: ThreadView, placed: PlacedCall): Promise<StoredToolResult> {
  const { call: requested, record, name, contexts } = placed;
  const there = await storedAt(view, name);
  if (there !== undefined) return toStoredResult(requested, there);
  let failure: unknown;
  const failLater = (error: unknown): [] => {
    failure = error; // The tool has run: its result is stored first (B3).
    return [];
  };
  const result = await view.step(name, (at) => resultOf(at, placed, failLater));
  const { call, message, told, isKept } = result;
  const kept = await addContexts(view, contexts, told).catch(failLater);
  const values: Append = {
    values: [...kept, ...(isKept ? [{ key: resultKey(view, name), value: undefined }] : [])],
  };
  await view.step(`${name}.store`, (at) => storeResult(at, message, { record, values }));
  tellResult(view, call, message);
  await announceDespiteAbort(view, message, name);
  if (failure !== undefined) throw failure;
  return toStoredResult(call, message);
}

/** The result of a call, when it is its turn to be stored. */
async function resultOf(
  at: ThreadView,
  placed: PlacedCall,
  onRefused: (error: unknown) => [],
): Promise<PreparedResult & KeptResult & { readonly isKept: boolean }> {
  const { call, name, contexts, before } = placed;
  const kept = await findKept(at, name);
  if (kept !== undefined) {
    await before;
    return { call, ...kept, isKept: true };
  }
  const inCall = at.place === undefined ? at : at.at(at.place.ofAnswer(at.threadId));
  const answered = await answer(inCall, placed);
  const isNext = await settlesSoon(before);
  const prepared = await prepareResult(inCall, answered);
  const told = [...(answered.contexts ?? []), ...(inCall.place?.contexts ?? [])];
  const toKeep = (live: ThreadView): Promise<string[]> => contextsToKeep(live, contexts.name, told);
  const isKept =
    !isNext &&
    (await keepResult(at, name, {
      message: prepared.message,
      told: await despiteAbort(inCall, toKeep).catch(onRefused),
    }));
  await before;
  return { ...prepared, told, isKept };
}

async function storeResult(
  view: ThreadView,
  message: StoredMessage,
  { record, values }: { record: ToolCallRecord; values: Append },
): Promise<void> {
  try {
    await storeMessage(view, message, { toolCalls: [{ ...record, status: 'done' }], ...values });
  } catch (error) {
    if (!(await isCallGone(view, record, error))) throw error;
    await storeMessage(view, message, values);
  }
}

/** Whether a write was refused because the message that made the call was deleted meanwhile (B4). */
async function isCallGone(
  { core }: ThreadView,
  { messageId }: ToolCallRecord,
  error: unknown,
): Promise<boolean> {
  return runCodeOf(error) === 'not_found' && (await core.store.getMessage(core.id, messageId)) === null;
}

async function answer(
  view: ThreadView,
  { call, record, isInterrupted, offered }: PlacedCall,
): Promise<AnsweredCall> {
  const { flow } = view;
  const onStart = (): Promise<void> => noteStart(view, record);
  const options = { offered, ...(record.status === 'pending' ? { onStart } : {}) };
  try {
    if (flow.isAborted) return unfinished(call);
    return (
      (isInterrupted ? interruptedCall(view, call) : undefined) ?? (await runToolCall(view, call, options))
    );
  } catch (error) {
    if (flow.isAborted && isAborted(error)) return unfinished(call);
    if (!(await isCallGone(view, record, error))) throw error;
    return { call, result: failed('The message with this tool call was deleted before the tool started.') };
  }
}

function unfinished(call: HookToolCall): AnsweredCall {
  return { call, result: failed('The turn was stopped before this tool call was finished.') };
}

function noteStart(view: ThreadView, record: ToolCallRecord): Promise<void> {
  const toolCalls: ToolCallRecord[] = [{ ...record, status: 'started' }];
  return commit(view, 'injectMessage', { toolCalls });
}

/** A result as it will be stored, and the call that it answers in the end. */
interface PreparedResult {
  readonly call: HookToolCall;
  readonly message: StoredMessage;
}

/** The chains of a result run again where an abort came between: its row is stored all the same. */
async function prepareResult(view: ThreadView, answered: AnsweredCall): Promise<PreparedResult> {
  const { message, files } = await despiteAbort(view, (live) => resultRow(live, answered));
  for (const file of files) await storeFile(view, file);
  return { call: answered.call, message };
}
