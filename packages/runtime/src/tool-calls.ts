import { type HookToolCall, type HookToolResult, issuePaths } from '@spec/hooks';
import { aborted, unlessAborted } from './aborted.ts';
import type { AnyFunctionTool, AnyTool, ToolContext } from './definitions.ts';
import { decideCall } from './permission.ts';
import { ToolPermit } from './permit.ts';
import { runChild } from './subagent.ts';
import type { ThreadView } from './thread-view.ts';
import { failed, parseArguments, thrownResult, toResult } from './tool-answers.ts';
import { injectMessage } from './writes.ts';

/** A call as it was made in the end (a hook may have rewritten its arguments), with its answer. */
export interface AnsweredCall {
  readonly call: HookToolCall;
  readonly result: HookToolResult;
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
export async function runToolCall(
  view: ThreadView,
  requested: HookToolCall,
  options: ToolCallOptions,
): Promise<AnsweredCall> {
  const { core } = view;
  const { call, refusal, result: given, contexts } = await decideCall(view, requested);
  for (const content of contexts) await injectMessage(view, { role: 'user', content });
  if (refusal !== undefined) return { call, result: failed(refusal) };
  if (given !== undefined) return { call, result: given };
  view.assertOpen('invokeTool');
  await options.onStart?.();
  const result = await execute(view, call, options);
  const after = result.status === 'success' ? 'after_tool_call_success' : 'after_tool_call_failure';
  return { call, result: await core.runtime.executor.run(after, core.scope, view, call, result) };
}

async function execute(
  view: ThreadView,
  call: HookToolCall,
  { offered }: ToolCallOptions,
): Promise<HookToolResult> {
  const { name } = call.function;
  const tool = offered.includes(name) ? view.core.runtime.catalog.tools.get(name) : undefined;
  if (tool === undefined)
    return failed(`There is no tool named "${name}". Available tools: ${offered.join(', ') || 'none'}.`);
  const { events } = view.core;
  const about = { toolCallId: call.id, name };
  let status: HookToolResult['status'] = 'error';
  events.emit({ type: 'tool_started', ...about });
  try {
    const result = await unlessAborted(view.execution.abortSignal, 'a tool ran', () =>
      answerOf(tool, view, call),
    );
    status = result.status;
    return result;
  } finally {
    events.emit({ type: 'tool_ended', ...about, status });
  }
}

async function answerOf(tool: AnyTool, view: ThreadView, call: HookToolCall): Promise<HookToolResult> {
  try {
    const input = parseArguments(call);
    if (input === undefined) return failed('The arguments of this call are no valid JSON object.');
    if ('agent' in tool) return await runChild(view, tool, input);
    return await runFunction(tool, view, { id: call.id, input });
  } catch (error) {
    return thrownResult(error);
  }
}

async function runFunction(
  tool: AnyFunctionTool,
  view: ThreadView,
  { id, input }: { id: string; input: unknown },
): Promise<HookToolResult> {
  const checked = await tool.input?.['~standard'].validate(input);
  if (checked?.issues !== undefined) {
    const issues = checked.issues.map(({ message }) => message).slice(0, 5);
    return failed(
      `The arguments do not fit this tool, at ${issuePaths(checked.issues)}: ${issues.join('; ')}`,
    );
  }
  const { abortSignal: signal } = view.execution;
  if (signal.aborted) throw aborted('a tool ran');
  const permit = new ToolPermit({ name: tool.name, signal, within: view.permit });
  const context: ToolContext = {
    state: view.for(permit),
    toolCallId: id,
    get abortSignal() {
      return permit.signal;
    },
  };
  return toResult(await tool.execute((checked === undefined ? input : checked.value) as never, context));
}
