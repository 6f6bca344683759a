import type { HookToolResult } from '@spec/hooks';
import type { AgentTool } from './definitions.ts';
import type { ThreadCore } from './thread-core.ts';
import type { ThreadView } from './thread-view.ts';
import { runTurn } from './turn.ts';

/**
 * Runs an agent as a tool: a child thread is made, both threads' hooks hear of it, and its last text is the result
 * (design §7.2). The parent's abort reaches the child.
 */
export async function runChild(view: ThreadView, tool: AgentTool, input: Record<string, unknown>): Promise<HookToolResult> {
  const { core } = view;
  const child = await core.runtime.createChild(core, tool.agent);
  core.children.push(child.id);
  await core.runtime.executor.run('after_subagent_created', core.scope, view, child.state);
  const stop = (): void => child.flow.abort(view.execution.abortSignal.reason);
  view.execution.abortSignal.addEventListener('abort', stop, { once: true });
  try {
    return resultOf(await runTurn(child, { role: 'user', content: textOf(input) }));
  } finally {
    view.execution.abortSignal.removeEventListener('abort', stop);
    await endChild(child);
  }
}

async function endChild(child: ThreadCore): Promise<void> {
  await child.flushRuns();
  await child.release();
}

function resultOf({ status, text, reason }: Awaited<ReturnType<typeof runTurn>>): HookToolResult {
  if (status === 'completed' && text !== null) return { status: 'success', result: text };
  return { status: 'error', error: `The agent did not finish: ${reason ?? status}.` };
}

/** A child is told its one argument, or all of them as JSON. */
function textOf(input: Record<string, unknown>): string {
  const values = Object.values(input);
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(input);
}
