import { type HookToolCall, type HookToolResult, RunError } from '@spec/hooks';
import { makeErrorResult } from '@spec/hooks/host';
import { checkFields, checkName } from '../given.ts';
import { readToolCalls } from '../history/exchanges.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadView } from '../thread/core.ts';
import { idPart } from '../thread/ids.ts';
import { ToolPermit } from '../thread/permit.ts';
import { flushRuns } from '../writes/commit.ts';
import { giveContexts } from '../writes/contexts.ts';
import { passCreateChain } from '../writes/messages.ts';
import { post } from '../writes/queued-items.ts';
import { settleRepeated } from '../writes/repeated-writes.ts';
import { runToolCall } from './calls.ts';

/**
 * Runs a tool now, through the same hooks as a call of the model; nothing is stored. What a tool passes on may hold values
 * that hooks put back for it: those that decide on the call get it without them.
 */
export async function invokeTool(
  view: ThreadView,
  name: string,
  input: Record<string, unknown>,
): Promise<HookToolResult> {
  const made = callFor(view, name, input);
  const call = holdsRestored(view) ? await withoutRestored(view, made) : made;
  if (call === undefined) return makeErrorResult('A hook took this tool call out.');
  const { place, threadId } = view;
  const inCall = place === undefined ? view : view.at(place.ofCall(threadId, call.id));
  const { result, contexts = [] } = await runToolCall(inCall, call, { offered: [name] });
  await giveContexts(view, contexts);
  // No commit follows that would take its runs along.
  if (view.flow.turnId === null && view.permit === undefined) await flushRuns(view.core);
  return result;
}

/** Whether a call comes from a tool, and hooks give tools values that nobody else may have. */
function holdsRestored({ permit, core: { scope } }: ThreadView): boolean {
  if (!(permit instanceof ToolPermit)) return false;
  return scope.before_tool_call?.some(({ hook }) => 'restore' in hook && hook.restore !== undefined) ?? false;
}

/** Passes a queued call through `before_create_message`; nothing if a hook removes it. */
async function withoutRestored(view: ThreadView, call: HookToolCall): Promise<HookToolCall | undefined> {
  return readToolCalls(await prepareCall(view, call)).find(({ id }) => id === call.id);
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
  const prepared = await prepareCall(view, callFor(view, name, input));
  const { message: payload, isThere } = await settleRepeated(view, prepared, undefined);
  if (isThere) return;
  await post(view, 'queueTool', { id: payload.id, kind: 'tool', payload });
  core.wake();
}

/** A call as a message of the model, as `before_create_message` leaves it. */
function prepareCall(view: ThreadView, call: HookToolCall): StoredMessage | Promise<StoredMessage> {
  return passCreateChain(view, { role: 'assistant', content: null, tool_calls: JSON.stringify([call]) });
}

function callFor(view: ThreadView, name: string, input: Record<string, unknown>): HookToolCall {
  checkName('name of a tool', name);
  checkFields('The input of a tool', input, 'invalid_input');
  const names = view.toolNames();
  if (names.includes(name)) {
    return {
      id: `call_${view.nextId(`${idPart(name)}-`)}`,
      type: 'function',
      function: { name, arguments: writeJson(input) },
    };
  }
  const message = `There is no tool named "${name}". Registered are: ${names.join(', ') || 'none'}.`;
  throw new RunError('not_found', message, { threadId: view.threadId });
}

function writeJson(input: Record<string, unknown>): string {
  const text = toJsonText(input);
  if (text !== undefined) return text;
  throw new RunError('invalid_input', 'The input of a tool must have a form in JSON.');
}

/** What its `toJSON` gives may have none. */
function toJsonText(input: Record<string, unknown>): string | undefined {
  try {
    return JSON.stringify(input);
  } catch {
    return undefined;
  }
}
