import { type HookToolCall, type HookToolResult, issuePaths, parseArguments } from '@spec/hooks';
import { aborted, unlessAborted } from '../aborted.ts';
import type { AnyFunctionTool, AnyTool, ToolContext } from '../definitions/tool.ts';
import { decideCall } from '../permission/decide.ts';
import { callForTool } from '../permission/guarded-call.ts';
import type { ThreadView } from '../thread/core.ts';
import { ToolPermit } from '../thread/permit.ts';
import { traceToolCall } from '../tracing/spans.ts';
import { failed, thrownResult, toResult } from './answers.ts';
import { withoutDeadPointers } from './attachments.ts';
import { tellDecided } from './events.ts';
import { childMessage, runChild } from './subagent.ts';

/** A call as it was made in the end (a hook may have rewritten its arguments), with its answer. */
export interface AnsweredCall {
  readonly call: HookToolCall;
  readonly result: HookToolResult;
  /** Whether a hook or a person refused it. */
  readonly isDenied?: true;
  readonly isRefusedByPerson?: true | undefined;
  /** What hooks have for the conversation. */
  readonly contexts?: readonly string[];
}

export interface ToolCallOptions {
  /** The names of the tools that may be called. */
  readonly offered: readonly string[];
  /** Called before the tool runs. */
  readonly onStart?: () => Promise<void>;
}

/**
 * One tool call from the request to the answer (design §7.1, step 4): decided, checked, run, and shown to
 * `after_tool_call_success` or `after_tool_call_failure`. Always gives an answer.
 *
 * @throws {RunError} `aborted`, and as the store does
 */
export function runToolCall(
  view: ThreadView,
  requested: HookToolCall,
  options: ToolCallOptions,
): Promise<AnsweredCall> {
  return traceToolCall(view, requested, (traced) => answerRequest(traced, requested, options));
}

async function answerRequest(
  view: ThreadView,
  requested: HookToolCall,
  options: ToolCallOptions,
): Promise<AnsweredCall> {
  const { core } = view;
  const isKnown = toolOf(view, requested, options) !== undefined;
  const decided = await decideCall(view, requested, { isKnown });
  const { call, refusal, isRefusedByPerson, result: given, contexts } = decided;
  tellDecided(view, decided, isKnown);
  if (refusal !== undefined)
    return { call, result: failed(refusal), isDenied: true, isRefusedByPerson, contexts };
  if (given !== undefined) return { call, result: given, contexts };
  view.assertOpen('invokeTool');
  await options.onStart?.();
  const result = await execute(view, call, options);
  const after = result.status === 'success' ? 'after_tool_call_success' : 'after_tool_call_failure';
  return { call, contexts, result: await core.runtime.executor.run(after, core.scope, view, call, result) };
}

/**
 * The answer to a call that had started when the turn's process died (design §7.3); nothing where the tool says that it
 * may run again. A child thread always may: it goes on where it was.
 */
export function interruptedCall({ core }: ThreadView, call: HookToolCall): AnsweredCall | undefined {
  const tool = core.runtime.catalog.tools.get(call.function.name);
  if (tool !== undefined && ('agent' in tool || tool.onInterrupted === 'retry')) return undefined;
  return { call, result: failed(UNKNOWN_WHETHER_RUN) };
}

const UNKNOWN_WHETHER_RUN =
  'The process stopped while this tool call was under way. It is unknown whether it ran: check before you call it again.';

/** The tool of a call, where it may be called. */
function toolOf(
  { core }: ThreadView,
  { function: { name } }: HookToolCall,
  { offered }: ToolCallOptions,
): AnyTool | undefined {
  return offered.includes(name) ? core.runtime.catalog.tools.get(name) : undefined;
}

async function execute(
  view: ThreadView,
  call: HookToolCall,
  options: ToolCallOptions,
): Promise<HookToolResult> {
  const { name } = call.function;
  const tool = toolOf(view, call, options);
  if (tool === undefined)
    return failed(
      `There is no tool named "${name}". Available tools: ${options.offered.join(', ') || 'none'}.`,
    );
  const { events } = view.core;
  const { id: toolCallId } = call;
  let status: HookToolResult['status'] = 'error';
  events.emit({ type: 'tool_started', toolCallId, name });
  try {
    const result = await unlessAborted(view.execution.abortSignal, 'a tool ran', () =>
      answerOf(tool, view, call),
    );
    status = result.status;
    return result;
  } finally {
    events.emit({ type: 'tool_ended', toolCallId, name, status });
  }
}

async function answerOf(tool: AnyTool, view: ThreadView, call: HookToolCall): Promise<HookToolResult> {
  try {
    const input = parseArguments(await callForTool(view, tool, call));
    if (input === undefined) return failed('The arguments of this call are no valid JSON object.');
    const checked = await tool.input?.['~standard'].validate(input);
    if (checked?.issues !== undefined) return failed(misfit(checked.issues));
    const given = checked === undefined ? input : checked.value;
    if ('agent' in tool) return await runChild(view, { tool, message: childMessage(tool, given) });
    return await runFunction(tool, view, { id: call.id, input: given });
  } catch (error) {
    return thrownResult(error);
  }
}

function misfit(issues: Parameters<typeof issuePaths>[0]): string {
  const messages = issues.map(({ message }) => message).slice(0, 5);
  return `The arguments do not fit this tool, at ${issuePaths(issues)}: ${messages.join('; ')}`;
}

/** Tools that invoke tools that invoke tools: one that invokes itself would never end. Hooks in between have a limit of their own (C8). */
const MAX_NESTING = 8;

async function runFunction(
  tool: AnyFunctionTool,
  view: ThreadView,
  { id, input }: { id: string; input: unknown },
): Promise<HookToolResult> {
  const { abortSignal: signal } = view.execution;
  if (signal.aborted) throw aborted('a tool ran');
  const permit = new ToolPermit({ name: tool.name, signal, within: view.permit });
  if (permit.nesting > MAX_NESTING) return failed(`Tools invoke each other at most ${MAX_NESTING} deep.`);
  const context: ToolContext = {
    state: view.for(permit),
    toolCallId: id,
    get abortSignal() {
      return permit.signal;
    },
  };
  return withoutDeadPointers(view.core, toResult(await tool.execute(input as never, context)));
}
