import { randomUUID } from 'node:crypto';
import type { Executor, HookPermit, HookToolCall, HookToolResult, Scope, ThreadState } from '@spec/hooks';
import type { Message, Messages } from './messages.ts';

/** What the parts of a thread share. */
export interface Loop extends LoopParts {
  /** As the chains that run now see the thread. */
  readonly state: ThreadState;
  /** Of the hook whose state it is. */
  readonly permit?: HookPermit | undefined;
}

export interface LoopParts {
  readonly threadId: string;
  readonly executor: Executor;
  readonly scope: Scope;
  readonly messages: Messages;
  readonly turn: Turn;
  readonly batch: Batch;
}

/** The turn that runs, or the rest after it. */
export interface Turn {
  flowId: string;
  stepCount: number;
  stopped: boolean;
  aborts: AbortController;
}

/** The calls of a step that are not all stored yet, and what waits for that. */
export interface Batch {
  calls: readonly HookToolCall[];
  readonly results: Map<string, HookToolResult>;
  readonly waiting: Array<() => Promise<unknown>>;
}

/** The one function that inserts. A hook that has ended by now has lost its right to. */
export async function append(loop: Loop, draft: Record<string, unknown>): Promise<Message> {
  const { executor, scope, state, messages, permit } = loop;
  const checked = await executor.run('before_create_message', scope, state, draft);
  permit?.assertOpen('injectMessage');
  const message = messages.insert(checked);
  await executor.run('after_create_message', scope, state, message);
  return message;
}

/** The one function that updates. */
export async function update(
  { executor, scope, state, messages, permit }: Loop,
  id: string,
  updates: Record<string, unknown>,
): Promise<Message> {
  const checked = await executor.run('before_update_message', scope, state, id, updates);
  permit?.assertOpen('updateMessage');
  const message = messages.update(id, checked);
  await executor.run('after_update_message', scope, state, message);
  return message;
}

/** A message that comes in between a call and its result waits until the results are stored. */
export async function inject(loop: Loop, draft: Record<string, unknown>): Promise<Message> {
  if (loop.batch.calls.length === 0) return append(loop, draft);
  const message = { id: randomUUID(), created_at: Date.now() * 1000, ...draft } as Message;
  loop.batch.waiting.push(() => append(loop, message));
  return message;
}

/** Stores the results of a step in the order of their calls; the AI SDK itself answers calls that it cannot make. */
export async function storeResults(loop: Loop): Promise<void> {
  const { batch } = loop;
  for (const call of batch.calls) {
    const unknown = {
      status: 'error',
      error: `There is no tool "${call.function.name}" that takes such arguments.`,
    } as const;
    const { result, error, ...rest } = batch.results.get(call.id) ?? (await seenByHooks(loop, call, unknown));
    const content = (rest.status === 'success' ? result : error) ?? '';
    await append(loop, { role: 'tool', content, tool_call_id: call.id, name: call.function.name, ...rest });
  }
  const { waiting } = batch;
  forgetBatch(batch, []);
  for (const store of waiting.splice(0)) await store();
}

/** Begins with the calls of another step. */
export function forgetBatch(batch: Batch, calls: readonly HookToolCall[]): void {
  batch.calls = calls;
  batch.results.clear();
}

/** What the hooks make of a tool's result. */
export async function seenByHooks(
  { executor, scope, state }: Loop,
  call: HookToolCall,
  first: HookToolResult,
): Promise<HookToolResult> {
  const hook = first.status === 'success' ? 'after_tool_call_success' : 'after_tool_call_failure';
  const result = await executor.run(hook, scope, state, call, first);
  return (await executor.run('before_store_tool_result', scope, state, { ...call }, { ...result })) as never;
}
