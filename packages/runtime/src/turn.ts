import { type HookToolCall, type NewMessage, RunError } from '@spec/hooks';
import { modelOf } from './catalog.ts';
import type { AnyTool, PromptDefinition } from './definitions.ts';
import { Flow } from './flow.ts';
import { modelHistory } from './history.ts';
import { toolCallsOf } from './messages.ts';
import { callModel, type ModelReply } from './model-call.ts';
import { toModelPrompt, toModelTools } from './model-prompt.ts';
import type { QueueItem, StoredMessage } from './store.ts';
import type { ThreadCore } from './thread-core.ts';
import { recordOf, runToolBatch } from './tool-batch.ts';
import { commitMessage, insertMessage } from './writes.ts';

/** How a turn ended. */
export interface TurnResult {
  readonly turnId: string;
  /**
   * `completed`: the model stopped calling tools. `denied`: a hook refused the message and nothing was stored. `limit`: the agent's
   * `maxSteps` were used up. `stopped`: a hook or tool ended it after a step. `aborted`: it was stopped at once.
   */
  readonly status: 'completed' | 'denied' | 'limit' | 'stopped' | 'aborted';
  /** The model's last text. */
  readonly text: string | null;
  /** How many times the model was called. */
  readonly steps: number;
  /** Why it was denied, for the caller. */
  readonly reason?: string;
  /** What a hook wants the person to read. */
  readonly userMessage?: string;
}

const DEFAULT_MAX_STEPS = 50;
const MAX_KEPT_GOING = 8;

/** Runs one turn to its end (design §7.1). @throws {RunError} where a model or a blocking hook fails; an error row tells of it. */
export async function runTurn(core: ThreadCore, input: NewMessage): Promise<TurnResult> {
  core.refuseClosed();
  const turnId = crypto.randomUUID();
  const flow = new Flow(turnId, core.record.currentSide);
  core.flow = flow;
  try {
    return await takeTurn(core, turnId, input);
  } catch (error) {
    if (flow.abortSignal.aborted) return { turnId, status: 'aborted', text: null, steps: flow.stepCount };
    await storeErrorRow(core, error);
    throw error;
  } finally {
    core.flow = new Flow(null, core.record.currentSide);
    await core.flushRuns();
  }
}

async function takeTurn(core: ThreadCore, turnId: string, input: NewMessage): Promise<TurnResult> {
  const { executor } = core.runtime;
  const verdict = await executor.run('before_user_message', core.scope, core.state, input);
  if (verdict.decision === 'deny' || verdict.decision === 'ask') return denied(turnId, verdict);
  await insertMessage(core.state, verdict.subject);
  for (const context of verdict.context) await insertMessage(core.state, { role: 'user', content: context });
  const { status, text } = await runSteps(core);
  const result: TurnResult = { turnId, status, text, steps: core.flow.stepCount };
  core.events.emit({ type: 'turn_ended', turnId, status });
  return verdict.userMessage === undefined ? result : { ...result, userMessage: verdict.userMessage };
}

function denied(turnId: string, { by, reason, userMessage }: { by: string | null; reason?: string; userMessage?: string }): TurnResult {
  const why = reason ?? `denied by ${by}`;
  return { turnId, status: 'denied', text: null, steps: 0, reason: why, ...(userMessage === undefined ? {} : { userMessage }) };
}

type Ended = Pick<TurnResult, 'status' | 'text'>;

async function runSteps(core: ThreadCore): Promise<Ended> {
  const { flow } = core;
  const maxSteps = core.agent.maxSteps ?? DEFAULT_MAX_STEPS;
  let keptGoing = 0;
  for (;;) {
    if (flow.stepCount >= maxSteps) return { status: 'limit', text: null };
    flow.stepCount++;
    const { message, calls } = await runStep(core);
    if (calls.length > 0) await runToolBatch(core, message.id, calls);
    if (flow.abortSignal.aborted) return { status: 'aborted', text: null };
    if (flow.stopped) return { status: 'stopped', text: message.content };
    if (calls.length > 0) continue;
    const reason = keptGoing < MAX_KEPT_GOING ? await reasonToGoOn(core, keptGoing) : undefined;
    if (reason === undefined) return { status: 'completed', text: message.content };
    keptGoing++;
    await insertMessage(core.state, { role: 'user', content: reason });
  }
}

async function reasonToGoOn(core: ThreadCore, keptGoing: number): Promise<string | undefined> {
  const verdict = await core.runtime.executor.run('before_stop', core.scope, core.state, { reason: 'completed', keptGoing });
  return verdict.decision === 'deny' ? verdict.reason : undefined;
}

interface StepResult {
  readonly message: StoredMessage;
  /** The calls as they were stored: what the create chain returned is what is executed. */
  readonly calls: readonly HookToolCall[];
}

/** One model call, from the queue to the stored answer. */
async function runStep(core: ThreadCore): Promise<StepResult> {
  await drainQueue(core);
  const prompt = core.runtime.catalog.prompts.get(core.agent.prompt) as PromptDefinition;
  const reply = await askModel(core, prompt);
  const message = await insertMessage(core.state, assistantMessage(reply), (stored) => ({
    toolCalls: toolCallsOf(stored).map((call, position) => recordOf(call, { messageId: stored.id, position })),
  }));
  if (!mayStream(core) && message.content) core.events.emit({ type: 'text', text: message.content });
  return { message, calls: toolCallsOf(message) };
}

async function askModel(core: ThreadCore, prompt: PromptDefinition): Promise<ModelReply> {
  const system = await systemMessage(core, prompt);
  const history = await modelHistory(core);
  const { tools } = core.runtime.catalog;
  const stream = mayStream(core);
  const options = {
    ...prompt.settings,
    prompt: toModelPrompt(system === '' ? history : [{ role: 'system', content: system }, ...history]),
    abortSignal: core.flow.abortSignal,
    ...(prompt.tools?.length ? { tools: toModelTools(prompt.tools.map((name) => tools.get(name) as AnyTool)) } : {}),
  };
  return callModel(modelOf(core.runtime.catalog, prompt), options, (text) => {
    if (stream) core.events.emit({ type: 'text', text });
  });
}

async function systemMessage(core: ThreadCore, { system = '' }: PromptDefinition): Promise<string> {
  const rendered = typeof system === 'function' ? await system(core.state) : system;
  return core.runtime.executor.run('after_system_message', core.scope, core.state, rendered);
}

/** Text leaves while the model writes only where no hook in scope could still change it (design §7.1). */
function mayStream({ scope }: ThreadCore): boolean {
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

/** Stores what waited for this step. Queued messages passed their create chain when they were queued. */
async function drainQueue(core: ThreadCore): Promise<void> {
  const items = await core.store.listQueue(core.id);
  for (const item of items.filter(({ kind }) => kind === 'message')) {
    await commitMessage(core.state, item.payload as StoredMessage, { dequeue: [item.id] });
  }
  const tools = items.filter(({ kind }) => kind === 'tool');
  if (tools.length > 0) await runQueuedTools(core, tools);
}

async function runQueuedTools(core: ThreadCore, items: readonly QueueItem[]): Promise<void> {
  const calls = items.map(({ payload }) => payload.call as HookToolCall);
  const draft: NewMessage = { role: 'assistant', content: null, tool_calls: JSON.stringify(calls) };
  const message = await insertMessage(core.state, draft, (stored) => ({
    toolCalls: toolCallsOf(stored).map((call, position) => recordOf(call, { messageId: stored.id, position })),
    dequeue: items.map(({ id }) => id),
  }));
  await runToolBatch(core, message.id, toolCallsOf(message));
}

/** Tells in the thread that the turn failed. The model never sees these rows. */
async function storeErrorRow(core: ThreadCore, error: unknown): Promise<void> {
  const code = error instanceof RunError ? error.code : 'hook_failed';
  if (code === 'closed' || code === 'thread_busy' || code === 'store_failed' || code === 'thread_terminated') return;
  core.flow = new Flow(core.flow.turnId, core.record.currentSide);
  try {
    await insertMessage(core.state, { role: 'assistant', content: `The turn ended with an error: ${code}.`, error_code: code });
  } catch {
    // The error that ended the turn is the one the caller must see; a hook that refuses its row too is in the ledger.
  }
}
