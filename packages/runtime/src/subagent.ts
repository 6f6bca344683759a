import type { HookToolResult } from '@spec/hooks';
import { onAbort } from './aborted.ts';
import type { AgentTool } from './definitions.ts';
import type { ThreadCore } from './thread-core.ts';
import type { ThreadView } from './thread-view.ts';
import { failed } from './tool-answers.ts';
import type { TurnResult } from './turn.ts';
import { flushRuns } from './writes.ts';

/** Agents that call agents that call agents: an agent that calls itself would never end. */
const MAX_NESTING = 8;

/**
 * Runs an agent as a tool: a child thread is made, both threads' hooks hear of it, and its last text is the result
 * (design §7.2). The parent's abort reaches the child.
 */
export async function runChild(
  view: ThreadView,
  tool: AgentTool,
  input: Record<string, unknown>,
): Promise<HookToolResult> {
  const { core } = view;
  if (core.record.depth >= MAX_NESTING) return failed(`Agents call each other at most ${MAX_NESTING} deep.`);
  const child = await core.runtime.createChild(core, tool.agent);
  core.children.push(child.id);
  let stopListening: (() => void) | undefined;
  try {
    await core.runtime.executor.run('after_subagent_created', core.scope, view, child.state);
    const turn = child.send({ role: 'user', content: textOf(input) });
    stopListening = onAbort(view.execution.abortSignal, () => child.stopAll());
    return resultOf(await turn);
  } finally {
    stopListening?.();
    await endChild(child);
  }
}

/** Where the application has a handle of the child, it stays open. */
async function endChild(child: ThreadCore): Promise<void> {
  if (!child.isHandled) return child.close();
  await flushRuns(child);
  await child.lease.release();
}

function resultOf({ status, text, reason }: TurnResult): HookToolResult {
  if (status === 'completed') return { status: 'success', result: text ?? '' };
  return failed(`The agent did not finish: ${reason ?? status}.`);
}

/** A child is told its one argument, or all of them as JSON. */
function textOf(input: Record<string, unknown>): string {
  const values = Object.values(input);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(input);
}
