import { type HookToolCall, type HookToolResult, RunError } from '@spec/hooks';
import type { ThreadView } from './thread-view.ts';
import { runToolCall } from './tool-calls.ts';
import { admitMessages, append, underFence } from './writes.ts';

/** Runs a tool now, through the same hooks as a call of the model; nothing is stored. */
export async function invokeTool(
  view: ThreadView,
  name: string,
  input: Record<string, unknown>,
): Promise<HookToolResult> {
  const { result } = await runToolCall(view, callFor(view, name, input), { offered: [name] });
  return result;
}

/** Keeps a tool call for the next step, where it runs and is stored as if the model had asked for it. */
export async function queueTool(
  view: ThreadView,
  name: string,
  input: Record<string, unknown>,
): Promise<void> {
  const call = callFor(view, name, input);
  const { core } = view;
  await admitMessages(core);
  const enqueue = [{ id: call.id, kind: 'tool', payload: { call } }] as const;
  await underFence(view, 'queueTool', (fence) => append(core, fence, { enqueue }));
}

function callFor(view: ThreadView, name: string, input: Record<string, unknown>): HookToolCall {
  const names = view.toolNames();
  if (names.includes(name)) {
    return {
      id: `call_${crypto.randomUUID()}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    };
  }
  const message = `There is no tool named "${name}". Registered are: ${names.join(', ') || 'none'}.`;
  throw new RunError('not_found', message, { threadId: view.threadId });
}
