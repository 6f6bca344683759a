import { type HookToolCall, type HookToolResult, RunError } from '@spec/hooks';
import type { ThreadView } from './thread-view.ts';
import { runToolCall } from './tool-calls.ts';

/** Runs a tool now, through the same hooks as a call of the model; nothing is stored. */
export async function invokeTool(view: ThreadView, name: string, input: Record<string, unknown>): Promise<HookToolResult> {
  const { result } = await runToolCall(view, callFor(view, name, input));
  return result;
}

/** Keeps a tool call for the next step, where it runs and is stored as if the model had asked for it. */
export async function queueTool(view: ThreadView, name: string, input: Record<string, unknown>): Promise<void> {
  const call = callFor(view, name, input);
  const { core } = view;
  const fence = await core.fence();
  view.permit?.assertOpen('queueTool');
  await core.store.append(core.id, fence, { enqueue: [{ id: call.id, kind: 'tool', payload: { call } }] });
}

function callFor(view: ThreadView, name: string, input: Record<string, unknown>): HookToolCall {
  if (!view.toolNames().includes(name)) {
    throw new RunError('not_found', `There is no tool named "${name}". Registered are: ${view.toolNames().join(', ') || 'none'}.`, {
      threadId: view.threadId,
    });
  }
  return { id: `call_${crypto.randomUUID()}`, type: 'function', function: { name, arguments: JSON.stringify(input) } };
}
