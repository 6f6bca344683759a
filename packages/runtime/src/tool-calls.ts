import { type HookToolCall, type HookToolResult, issuePaths, type PermissionRequest, type Verdict } from '@spec/hooks';
import type { AnyFunctionTool, AnyTool, ToolAnswer } from './definitions.ts';
import { runChild } from './subagent.ts';
import type { ThreadView } from './thread-view.ts';

/** A call as it was made in the end (a hook may have rewritten its arguments), with its answer. */
export interface AnsweredCall {
  readonly call: HookToolCall;
  readonly result: HookToolResult;
}

/**
 * One tool call from the model's request to the answer (design §7.1, step 4): decided, checked, run, and shown to
 * `after_tool_call_success` or `after_tool_call_failure`. Always gives an answer; only an abort rejects.
 */
export async function runToolCall(view: ThreadView, requested: HookToolCall, started?: () => Promise<void>): Promise<AnsweredCall> {
  const { executor } = view.core.runtime;
  const verdict = await executor.run('before_tool_call', view.core.scope, view, requested);
  const call = verdict.subject;
  const refusal = await refusalOf(view, verdict);
  if (refusal !== undefined) return { call, result: failed(refusal) };
  for (const context of verdict.context) await view.injectMessage({ role: 'user', content: context });
  if (verdict.result !== undefined) return { call, result: verdict.result };
  await started?.();
  const result = await execute(view, call);
  const after = result.status === 'success' ? 'after_tool_call_success' : 'after_tool_call_failure';
  return { call, result: await executor.run(after, view.core.scope, view, call, result) };
}

/** Why a call may not run, or nothing. An ask that nobody can answer is a deny (design §4.2). */
async function refusalOf(view: ThreadView, verdict: Verdict<HookToolCall>): Promise<string | undefined> {
  const tool = view.core.runtime.catalog.tools.get(verdict.subject.function.name);
  if (verdict.decision === 'deny') return denied(verdict);
  const mustAsk = verdict.decision === 'ask' || (verdict.decision === null && tool?.permission === 'ask');
  return mustAsk ? permissionRefusal(view, verdict) : undefined;
}

async function permissionRefusal(view: ThreadView, asked: Verdict<HookToolCall>): Promise<string | undefined> {
  const { executor, onAsk } = view.core.runtime;
  const { subject: toolCall, reason } = asked;
  const request: PermissionRequest = reason === undefined ? { toolCall } : { toolCall, reason };
  const verdict = await executor.run('before_permission_request', view.core.scope, view, request);
  if (verdict.decision === 'deny') return denied(verdict);
  if (verdict.decision === 'allow') return undefined;
  const allowed = await onAsk?.({
    threadId: view.threadId,
    toolCallId: toolCall.id,
    tool: toolCall.function.name,
    input: parseArguments(toolCall),
    reason,
    abortSignal: view.execution.abortSignal,
  });
  if (allowed === true) return undefined;
  const why = onAsk === undefined ? 'It needs permission, and there is nobody to ask' : 'Permission was refused';
  return `This tool call was denied. ${why}${reason === undefined ? '.' : `: ${reason}`}`;
}

function denied({ by, reason }: Verdict): string {
  return `This tool call was denied${by === null ? '' : ` by ${by}`}.${reason === undefined ? '' : ` ${reason}`}`;
}

async function execute(view: ThreadView, call: HookToolCall): Promise<HookToolResult> {
  const tool = toolFor(view, call);
  if (typeof tool === 'string') return failed(tool);
  const { abortSignal } = view.execution;
  view.core.events.emit({ type: 'tool_started', toolCallId: call.id, name: tool.name });
  const result = await untilAborted(answerOf(tool, view, call), abortSignal);
  view.core.events.emit({ type: 'tool_ended', toolCallId: call.id, name: tool.name, status: result.status });
  return result;
}

/** The tool of a call, or why there is none. */
function toolFor(view: ThreadView, call: HookToolCall): AnyTool | string {
  const tool = view.core.runtime.catalog.tools.get(call.function.name);
  if (tool !== undefined) return tool;
  return `There is no tool named "${call.function.name}". Available tools: ${view.toolNames().join(', ') || 'none'}.`;
}

async function answerOf(tool: AnyTool, view: ThreadView, call: HookToolCall): Promise<HookToolResult> {
  try {
    const input = parseArguments(call);
    if (input === undefined) return failed('The arguments of this call are no valid JSON object.');
    if ('agent' in tool) return await runChild(view, tool, input);
    return await runFunction(tool, view, { id: call.id, input });
  } catch (error) {
    return thrown(error);
  }
}

async function runFunction(tool: AnyFunctionTool, view: ThreadView, { id, input }: { id: string; input: unknown }): Promise<HookToolResult> {
  const checked = await tool.input?.['~standard'].validate(input);
  if (checked?.issues !== undefined) {
    const issues = checked.issues.map(({ message }) => message).slice(0, 5);
    return failed(`The arguments do not fit this tool, at ${issuePaths(checked.issues)}: ${issues.join('; ')}`);
  }
  const { abortSignal } = view.execution;
  return toResult(await tool.execute((checked === undefined ? input : checked.value) as never, { state: view, toolCallId: id, abortSignal }));
}

/** The arguments of a call as an object; `undefined` where they are none. No text at all means no arguments. */
function parseArguments({ function: { arguments: json } }: HookToolCall): Record<string, unknown> | undefined {
  try {
    const input: unknown = json.trim() === '' ? {} : JSON.parse(json);
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function toResult(answer: ToolAnswer): HookToolResult {
  if (typeof answer === 'string') return { status: 'success', result: answer };
  if (typeof answer !== 'object' || answer === null) return { status: 'success', result: answer === undefined ? '' : JSON.stringify(answer) };
  const status = (answer as Partial<HookToolResult>).status;
  if (status === 'success' || status === 'error') return answer as HookToolResult;
  return { status: 'success', result: JSON.stringify(answer) };
}

export function failed(error: string): HookToolResult {
  return { status: 'error', error };
}

/** A thrown error as a result: its text is the tool's answer to the model, and the failure hooks see its stack. */
function thrown(error: unknown): HookToolResult {
  if (!(error instanceof Error)) return failed('The tool failed.');
  return { ...failed(error.message || error.name), ...(error.stack === undefined ? {} : { stack: error.stack }) };
}

/** Waits for an answer, but no longer than the thread is not aborted: a tool that ignores the abort is left behind. */
async function untilAborted(answer: Promise<HookToolResult>, signal: AbortSignal): Promise<HookToolResult> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    void answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
