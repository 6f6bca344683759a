import { type HookToolCall, type HookToolResult, RunError } from '@spec/hooks';
import { giveContexts } from './context-messages.ts';
import type { ThreadView } from './thread-view.ts';
import { runToolCall } from './tool-calls.ts';
import { post, prepareMessage } from './writes.ts';

/** Runs a tool now, through the same hooks as a call of the model; nothing is stored. */
export async function invokeTool(
  view: ThreadView,
  name: string,
  input: Record<string, unknown>,
): Promise<HookToolResult> {
  const { result, contexts = [] } = await runToolCall(view, callFor(view, name, input), { offered: [name] });
  await giveContexts(view, contexts);
  return result;
}

/**
 * Keeps a tool call for the next step, where it runs and is stored as if the model had asked for it; where no turn is
 * running, it begins one. As a message of the model it passes `before_create_message` before it is kept.
 */
export async function queueTool(
  view: ThreadView,
  name: string,
  input: Record<string, unknown>,
): Promise<void> {
  const { core } = view;
  core.refuseMessages();
  const calls = JSON.stringify([callFor(view, name, input)]);
  const payload = await prepareMessage(view, { role: 'assistant', content: null, tool_calls: calls });
  await post(view, 'queueTool', { id: payload.id, kind: 'tool', payload });
  core.wake();
}

function callFor(view: ThreadView, name: string, input: Record<string, unknown>): HookToolCall {
  const names = view.toolNames();
  if (names.includes(name)) {
    return {
      id: `call_${view.nextId()}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    };
  }
  const message = `There is no tool named "${name}". Registered are: ${names.join(', ') || 'none'}.`;
  throw new RunError('not_found', message, { threadId: view.threadId });
}
