import {
  type Duration,
  durationInMs,
  type HookToolCall,
  type HookToolResult,
  parseArguments,
  type RunCode,
} from '@spec/hooks';
import { describeMisfit, makeErrorResult, makeThrownResult, toResult } from '@spec/hooks/host';
import { aborted } from '../aborted.ts';
import type { AnyFunctionTool, AnyTool, ToolContext } from '../definitions/tool.ts';
import { restoreForTool } from '../permission/restore-for-tool.ts';
import type { ThreadView } from '../thread/core.ts';
import { isThreadBusy } from '../thread/lease.ts';
import { ToolPermit } from '../thread/permit.ts';
import { refuseTaken } from '../writes/commit.ts';
import { withoutDeadPointers } from './attachments.ts';
import { childMessage, runChild } from './subagent.ts';

/**
 * Checks the arguments and calls the tool: an agent or a function. Whatever either throws is an answer too.
 *
 * @throws {RunError} `thread_busy` if another process took the thread before the tool began
 */
export async function callTool(view: ThreadView, tool: AnyTool, call: HookToolCall): Promise<HookToolResult> {
  try {
    const read = await readInput(view, tool, call);
    if ('misfit' in read) return makeErrorResult(read.misfit);
    const { input } = read;
    if ('agent' in tool) return await runChild(view, { tool, message: childMessage(tool, input) });
    const taken = refuseTaken(view);
    if (taken !== undefined) await taken;
    return await callFunction(view, tool, { id: call.id, input });
  } catch (error) {
    if (isThreadBusy(error)) await refuseTaken(view); // What the tool has of another thread is its answer.
    return makeThrownResult(error);
  }
}

/** The validated arguments for the tool, or the reason why they are invalid. */
async function readInput(
  view: ThreadView,
  tool: AnyTool,
  call: HookToolCall,
): Promise<{ readonly input: unknown } | { readonly misfit: string }> {
  const restoring = restoreForTool(view, tool, call);
  const input = parseArguments(restoring instanceof Promise ? await restoring : restoring);
  if (input === undefined) return { misfit: 'The arguments of this call are no valid JSON object.' };
  if (tool.input === undefined) return { input };
  const checked = await tool.input['~standard'].validate(input);
  return checked.issues === undefined ? { input: checked.value } : { misfit: describeMisfit(checked.issues) };
}

/** Tools that invoke tools that invoke tools: one that invokes itself would never end. Hooks in between have a limit of their own (C8). */
const MAX_NESTING = 8;

async function callFunction(
  view: ThreadView,
  tool: AnyFunctionTool,
  { id, input }: { id: string; input: unknown },
): Promise<HookToolResult> {
  const { abortSignal: signal } = view.execution;
  if (signal.aborted) throw aborted('a tool ran');
  const permit = new ToolPermit({ name: tool.name, signal, within: view.permit });
  if (permit.nesting > MAX_NESTING)
    return makeErrorResult(`Tools invoke each other at most ${MAX_NESTING} deep.`);
  const context: ToolContext = {
    state: view.for(permit),
    toolCallId: id,
    get abortSignal() {
      return permit.signal;
    },
  };
  const run = async (): Promise<HookToolResult> => toResult(await tool.execute(input as never, context));
  const { timeout } = tool;
  const result = await (timeout === undefined ? run() : runInTime(permit, timeout, run));
  return withoutDeadPointers(view.core, result);
}

/** Runs a tool that has a timeout; once its time is up it is left behind. */
function runInTime(
  permit: ToolPermit,
  timeout: Duration,
  run: () => Promise<HookToolResult>,
): Promise<HookToolResult> {
  const ms = durationInMs(timeout) as number;
  return new Promise((resolve, reject) => {
    const endClock = permit.startClock(ms, () => resolve(makeLateResult(ms)));
    run().then(resolve, reject).finally(endClock);
  });
}

/** Tells hooks and readers of the row by `code` what happened. */
function makeLateResult(ms: number): HookToolResult {
  const error = `This tool did not end within ${ms} ms; whether the call took effect is unknown.`;
  const result = { ...makeErrorResult(error), code: 'tool_timed_out' satisfies RunCode };
  return result;
}
