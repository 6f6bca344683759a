import type { HookToolCall, NewMessage } from '@spec/hooks';
import { RunError } from '@spec/hooks';
import { isAborted, unlessAborted } from './aborted.ts';
import { modelOf } from './catalog.ts';
import type { AnyTool, PromptDefinition } from './definitions.ts';
import { modelHistory } from './history.ts';
import { toolCallsOf } from './messages.ts';
import { callModel, type ModelReply } from './model-call.ts';
import { toModelPrompt, toModelTools } from './model-prompt.ts';
import type { QueueItem, StoredMessage } from './store.ts';
import type { ThreadCore } from './thread-core.ts';
import type { ThreadView } from './thread-view.ts';
import { runToolBatch } from './tool-batch.ts';
import {
  announceMessage,
  append,
  commitMessage,
  prepareMessage,
  storeMessage,
  underFence,
} from './writes.ts';

/** What came of a step: the stored answer, and how many tools it called. */
export interface StepResult {
  readonly message: StoredMessage;
  readonly callCount: number;
}

/** One model call, from the queue to the stored answer and the results of its calls (design §7.1, steps 2 to 5). */
export async function runStep(view: ThreadView): Promise<StepResult> {
  await drainQueue(view);
  const prompt = promptOf(view.core);
  const streams = mayStream(view.core);
  const reply = await askModel(view, prompt, streams);
  const message = await prepareMessage(view, assistantMessage(reply));
  const calls = toolCallsOf(message);
  const onStored = (): void => {
    if (!streams && message.content) view.core.events.emit({ type: 'text', text: message.content });
  };
  if (calls.length > 0) await runToolBatch(view, { message, calls, offered: prompt.tools ?? [], onStored });
  else await storeAnswer(view, message, onStored);
  return { message, callCount: calls.length };
}

async function storeAnswer(view: ThreadView, message: StoredMessage, onStored: () => void): Promise<void> {
  await storeMessage(view, message);
  onStored();
  await announceMessage(view, message);
}

function promptOf({ runtime, agent }: ThreadCore): PromptDefinition {
  return runtime.catalog.prompts.get(agent.prompt) as PromptDefinition;
}

async function askModel(view: ThreadView, prompt: PromptDefinition, streams: boolean): Promise<ModelReply> {
  const { catalog } = view.core.runtime;
  const system = await systemMessage(view, prompt);
  const history = await modelHistory(view);
  const options = {
    ...prompt.settings,
    prompt: toModelPrompt(system === '' ? history : [{ role: 'system', content: system }, ...history]),
    abortSignal: view.flow.abortSignal,
    ...(prompt.tools?.length
      ? { tools: toModelTools(prompt.tools.map((name) => catalog.tools.get(name) as AnyTool)) }
      : {}),
  };
  return callModel(modelOf(catalog, prompt), options, (text) => {
    if (streams) view.core.events.emit({ type: 'text', text });
  });
}

async function systemMessage(view: ThreadView, prompt: PromptDefinition): Promise<string> {
  const rendered = typeof prompt.system === 'function' ? await render(view, prompt) : (prompt.system ?? '');
  const { runtime, scope } = view.core;
  return runtime.executor.run('after_system_message', scope, view, rendered);
}

/** @throws {RunError} `invalid_result`, without what the function threw; `aborted` */
async function render(view: ThreadView, { name, system }: PromptDefinition): Promise<string> {
  const run = system as (state: ThreadView) => string | Promise<string>;
  const broken = (why: string): RunError =>
    new RunError(
      'invalid_result',
      `The system message of the prompt "${name}" could not be rendered: ${why}.`,
      { threadId: view.threadId },
    );
  const rendered: unknown = await unlessAborted(
    view.flow.abortSignal,
    'the system message was rendered',
    () => run(view),
  ).catch((error) => {
    throw isAborted(error) ? error : broken('its function failed');
  });
  if (typeof rendered !== 'string') throw broken('its function gave no string');
  return rendered;
}

/** Text leaves while the model writes only where no hook in scope could still change it (design §7.1). */
function mayStream({ scope, runtime }: ThreadCore): boolean {
  if (runtime.streamsRaw) return true;
  return (scope.before_create_message ?? []).every(({ hook }) => {
    const changes = hook.changes as readonly string[] | undefined;
    return changes !== undefined && !changes.includes('content');
  });
}

function assistantMessage({ content, toolCalls }: ModelReply): NewMessage {
  const message: NewMessage = { role: 'assistant', content };
  if (toolCalls.length > 0) message.tool_calls = JSON.stringify(toolCalls);
  return message;
}

/** Stores what waited for this step, then runs the tools that did. Queued messages passed their chain when they were queued. */
async function drainQueue(view: ThreadView): Promise<void> {
  const { core } = view;
  const items = await core.store.listQueue(core.id);
  for (const item of items) if (item.kind === 'message') await storeQueued(view, item);
  const tools = items.filter(({ kind }) => kind === 'tool');
  if (tools.length > 0) await runQueuedTools(view, tools);
}

/** A message that is in the thread by now only leaves the queue. */
async function storeQueued(view: ThreadView, { id, payload }: QueueItem): Promise<void> {
  const { core } = view;
  const dequeue = [id];
  if ((await core.store.getMessage(core.id, id)) === null)
    return commitMessage(view, payload as StoredMessage, { dequeue });
  await underFence(view, 'injectMessage', (fence) => append(core, fence, { dequeue }));
}

async function runQueuedTools(view: ThreadView, items: readonly QueueItem[]): Promise<void> {
  const requested = items.map(({ payload }) => payload.call as HookToolCall);
  const message = await prepareMessage(view, assistantMessage({ content: null, toolCalls: requested }));
  const calls = toolCallsOf(message);
  const offered = view.toolNames();
  await runToolBatch(view, { message, calls, offered, along: { dequeue: items.map(({ id }) => id) } });
}
