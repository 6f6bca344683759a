// Tools: runs the tool calls of one answer and stores their results. Turns and views call it; it never calls the model.

import type { HookToolCall, HookToolResult, StoredToolResult } from '@spec/hooks';
import { makeErrorResult } from '@spec/hooks/host';
import { isAborted, unlessAborted } from '../aborted.ts';
import type { AnyTool } from '../definitions/tool.ts';
import { toStoredResult } from '../history/exchanges.ts';
import { type DecidedCall, decideUnderMode } from '../permission/decide.ts';
import type { Append, StoredMessage, ToolCallRecord } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { despiteAbort } from '../thread/despite-abort.ts';
import { mark } from '../thread/mark.ts';
import { traceToolCall } from '../tracing/spans.ts';
import { contextsToKeep } from '../writes/contexts.ts';
import { announceDespiteAbort, storedAt, storeMessage } from '../writes/messages.ts';
import { closeBatch, openBatch } from '../writes/open-batch.ts';
import { addContexts, type BatchContexts, concludeBatch, findBatchContexts } from './batch-contexts.ts';
import { isCallDeleted, makeCallRecords, readCallRecords, storeCallStarted } from './call-records.ts';
import { callTool } from './call-tool.ts';
import {
  findKept,
  type KeptResult,
  keepResult,
  keepUnstored,
  resultKey,
  settlesSoon,
} from './kept-results.ts';
import { type AnsweredCall, emitToolResult, prepareResultRow } from './result-row.ts';
import { answerStopped } from './stopped-call.ts';
import { isOfThread, storeToolResult } from './stored-result.ts';

/** An assistant message on its way into the store, and the calls it makes. */
export interface ToolBatch {
  /** The message's place in the step: `answer`, or `queued.` and a number. */
  readonly name: string;
  readonly message: StoredMessage;
  /** Whether the message was stored before the turn's process died. */
  readonly isStored: boolean;
  /** The calls as they will be stored. What the create chain returned is executed. */
  readonly calls: readonly HookToolCall[];
  /** The names of the tools that may be called. */
  readonly offered: readonly string[];
  /** Rows to commit together with the message. */
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
 * B3 A result that a hook spoils, or that the store refuses, is answered by an error result in its place. Where the store takes nothing, no
 *    other result goes with it: the batch fails when all the others are stored, and the turn stays open.
 * B4 A message that is deleted while its calls run takes no result with it.
 */
export async function runToolBatch(view: ThreadView, batch: ToolBatch): Promise<StoredToolResult[]> {
  // The names of the answer's own batch have no prefix.
  const prefix = batch.name === 'answer' ? '' : `${batch.name}.`;
  const finding = findBatchContexts(view, `${prefix}batch`);
  const contexts = finding instanceof Promise ? await finding : finding;
  const opening = openBatch(view);
  const open = opening instanceof Promise ? await opening : opening;
  const records = await storeToolCalls(view, batch);
  const results: Promise<StoredToolResult>[] = [];
  let before: Promise<unknown> | undefined;
  for (const [at, call] of batch.calls.entries()) {
    const record = records[at] as ToolCallRecord;
    const name = `${prefix}result.${record.position}`;
    const isInterrupted = batch.isStored && record.status === 'started';
    const { offered } = batch;
    const result = answerToolCall(view, { call, record, isInterrupted, name, offered, contexts, before });
    results.push(result);
    before = result.catch(() => {});
  }
  await before;
  const stored = await Promise.all(results);
  await closeBatch(view, open);
  await concludeBatch(view, contexts, stored);
  return stored;
}

/** The assistant message and the rows of its calls are one commit. Gives the rows. */
async function storeToolCalls(view: ThreadView, batch: ToolBatch): Promise<ToolCallRecord[]> {
  const { name, message, calls, along, onStored } = batch;
  const toolCalls = makeCallRecords(view, message, calls);
  if (batch.isStored) return readCallRecords(view, message, toolCalls);
  await view.step(`${name}.store`, (at) => storeMessage(at, message, { toolCalls, ...along }));
  onStored?.();
  await announceDespiteAbort(view, message, name);
  return toolCalls;
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
  readonly offered: readonly string[];
  readonly contexts: BatchContexts;
  /** Settles when the result before this one is stored, if there is one. */
  readonly before: Promise<unknown> | undefined;
}

/** Takes one call to its stored result. Without one its turn must not end (B2). */
async function answerToolCall(view: ThreadView, placed: PlacedCall): Promise<StoredToolResult> {
  const finding = storedAt(view, placed.name);
  const storedBefore = finding === undefined ? undefined : await finding;
  if (storedBefore !== undefined) return toStoredResult(placed.call, storedBefore);
  const { unanswered } = view.flow;
  let isStored = false;
  try {
    return await answerNewCall(view, placed, () => {
      isStored = true;
    });
  } finally {
    unanswered.isLeft ||= !isStored;
  }
}

async function answerNewCall(
  view: ThreadView,
  placed: PlacedCall,
  onStored: () => void,
): Promise<StoredToolResult> {
  const { record, name, contexts } = placed;
  let failure: unknown;
  const failLater = (error: unknown): [] => {
    failure = error; // The tool has run: its result is stored first (B3).
    return [];
  };
  const result = await view.step(name, (at) => prepareToolResult(at, placed, failLater));
  const { call, message, contexts: given, isKept } = result;
  const kept = given.length === 0 ? [] : await addContexts(view, contexts, given).catch(failLater);
  const values = isKept ? [{ key: resultKey(view, name), value: undefined }] : [];
  const parts = { call, record, values, kept };
  keepUnstored(view, name, result);
  const instead = await view.step(`${name}.store`, (at) => storeToolResult(at, message, parts));
  onStored();
  const stored = instead ?? message;
  emitToolResult(view, call, stored);
  await announceDespiteAbort(view, stored, name);
  if (failure !== undefined) throw failure;
  return toStoredResult(call, stored);
}

/** A result as it will be stored, and the call that it answers in the end. */
interface PreparedResult extends KeptResult {
  readonly call: HookToolCall;
  /** Whether it is kept with the thread until it is stored. */
  readonly isKept: boolean;
}

/** Runs one call and sends its result through its chains, until it is its turn to be stored. */
async function prepareToolResult(
  at: ThreadView,
  placed: PlacedCall,
  onRefused: (error: unknown) => [],
): Promise<PreparedResult> {
  const { name, before } = placed;
  const kept = at.flow.isRepeating ? await findKept(at, name) : undefined;
  if (kept !== undefined) {
    await before;
    return { call: placed.call, ...kept, isKept: true };
  }
  const inCall = at.place === undefined ? at : at.at(at.place.ofAnswer(at.threadId));
  const answered = await tryToolCall(inCall, placed).catch((error: unknown): AnsweredCall => {
    if (isOfThread(error)) throw error;
    onRefused(error);
    return { call: placed.call, result: makeErrorResult(UNKNOWN_WHETHER_DONE) };
  });
  const isNext = before === undefined || (await settlesSoon(before));
  const message = await prepareResultRow(inCall, answered);
  const contexts = [...(answered.contexts ?? []), ...(inCall.place?.contexts ?? [])];
  const toKeep = (live: ThreadView): Promise<string[]> =>
    contextsToKeep(live, placed.contexts.name, contexts);
  const isKept =
    !isNext &&
    (await keepResult(at, name, {
      message,
      contexts: await despiteAbort(inCall, toKeep).catch(onRefused),
    }));
  await before;
  return { call: answered.call, message, contexts, isKept };
}

/** Answers a call even if the turn was stopped, its process died in the call, or the message was deleted (B2, B4). */
async function tryToolCall(view: ThreadView, placed: PlacedCall): Promise<AnsweredCall> {
  const { call, record, isInterrupted, offered } = placed;
  const { flow, core } = view;
  const onStart = (): Promise<void> => storeCallStarted(view, record);
  try {
    if (isInterrupted && !mayRunAgain(core.runtime.catalog.tools.get(call.function.name)))
      return { call, result: makeErrorResult(UNKNOWN_WHETHER_RUN) };
    if (flow.isAborted) return await answerStopped(view, call);
    return await runToolCall(view, call, { offered, ...(record.status === 'pending' ? { onStart } : {}) });
  } catch (error) {
    if (flow.isAborted && isAborted(error)) return answerStopped(view, call);
    if (!(await isCallDeleted(view, record, error))) throw error;
    return {
      call,
      result: makeErrorResult('The message with this tool call was deleted before the tool started.'),
    };
  }
}

/** Whether a call that had started when the turn's process died may run again (design §7.3). A child thread goes on where it was. */
function mayRunAgain(tool: AnyTool | undefined): boolean {
  return tool !== undefined && ('agent' in tool || tool.onInterrupted === 'retry');
}

const UNKNOWN_WHETHER_DONE =
  'This tool call failed for a reason that is not its own. It is unknown whether it took effect: check before you call it again.';

const UNKNOWN_WHETHER_RUN =
  'The process stopped while this tool call was under way. It is unknown whether it ran: check before you call it again.';

/**
 * One tool call from the request to the answer (design §7.1, step 4): decided, checked, run, and shown to
 * `after_tool_call_success` or `after_tool_call_failure`. Always gives an answer.
 *
 * @param onStart called before the tool runs
 * @throws {RunError} `aborted`, and as the store does
 */
export function runToolCall(
  view: ThreadView,
  requested: HookToolCall,
  { offered, onStart }: Pick<ToolBatch, 'offered'> & { readonly onStart?: () => Promise<void> },
): Promise<AnsweredCall> {
  return traceToolCall(view, requested, async (traced) => {
    const { core } = traced;
    const { name } = requested.function;
    const tool = offered.includes(name) ? core.runtime.catalog.tools.get(name) : undefined;
    const prepared = await prepareToolCall(traced, requested, tool !== undefined);
    const { call, result: decided, contexts } = prepared;
    if (decided !== undefined) return { ...prepared, result: decided };
    traced.assertOpen('invokeTool');
    if (onStart !== undefined) await onStart();
    const available = offered.join(', ') || 'none';
    const result =
      tool === undefined
        ? makeErrorResult(`There is no tool named "${name}". Available tools: ${available}.`)
        : await executeToolCall(traced, tool, call);
    const after = result.status === 'success' ? 'after_tool_call_success' : 'after_tool_call_failure';
    const { executor } = core.runtime;
    return { call, result: await executor.run(after, core.scope, traced, call, result), contexts };
  });
}

/** Lets hooks and persons decide on a call. If one of them gives the result, the tool does not run. */
function prepareToolCall(
  view: ThreadView,
  requested: HookToolCall,
  isKnown: boolean,
): PreparedCall | Promise<PreparedCall> {
  const tell = (decided: DecidedCall): PreparedCall => tellDecided(view, decided, isKnown);
  const decided = decideUnderMode(view, requested, { isKnown });
  return decided instanceof Promise ? decided.then(tell) : tell(decided);
}

/** A call that was decided on; with a result where it is answered. */
type PreparedCall = Partial<AnsweredCall> & Pick<AnsweredCall, 'call'> & Pick<DecidedCall, 'contexts'>;

/** Tells listeners what was decided. */
function tellDecided(view: ThreadView, decided: DecidedCall, isKnown: boolean): PreparedCall {
  const { call, refusal, isRefusedByPerson, result, contexts } = decided;
  const { name, arguments: input } = call.function;
  const unhindered = isKnown ? 'run' : 'unknown';
  const decision = refusal !== undefined ? 'denied' : result !== undefined ? 'answered' : unhindered;
  view.core.events.emit({ type: 'tool_called', toolCallId: call.id, name, input, decision });
  if (refusal !== undefined)
    return { call, result: makeErrorResult(refusal), isDenied: true, isRefusedByPerson, contexts };
  return result === undefined ? { call, contexts } : { call, result, contexts };
}

/** Runs the tool of a call; an abort leaves it behind. */
async function executeToolCall(view: ThreadView, tool: AnyTool, call: HookToolCall): Promise<HookToolResult> {
  const { events } = view.core;
  const { name } = call.function;
  const began = performance.now();
  let status: HookToolResult['status'] = 'error';
  events.emit({ type: 'tool_started', toolCallId: call.id, name });
  try {
    const run = (): Promise<HookToolResult> => callTool(view, tool, call);
    const result = await unlessAborted(view.execution.abortSignal, 'a tool ran', run);
    status = result.status;
    return result;
  } finally {
    events.emit({ type: 'tool_ended', toolCallId: call.id, name, status });
    const ms = performance.now() - began;
    mark(view, { kind: 'tool', ms, call: call.id, tool: name, status });
  }
}
