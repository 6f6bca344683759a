import { randomUUID } from 'node:crypto';
import type { LanguageModelV3, LanguageModelV3Middleware } from '@ai-sdk/provider';
import {
  createExecutor,
  guardState,
  type HookToolCall,
  type HookToolResult,
  type RunRecord,
  type Scope,
  type ThreadState,
} from '@spec/hooks';
import { generateText, jsonSchema, stepCountIs, type ToolSet, tool, wrapLanguageModel } from 'ai';
import {
  callsOf,
  toAssistantMessage,
  toContent,
  toLLMMessages,
  toPrompt,
  validExchanges,
} from './convert.ts';
import {
  append,
  forgetBatch,
  type Loop,
  type LoopParts,
  seenByHooks,
  storeResults,
  type Turn,
} from './loop.ts';
import type { Messages } from './messages.ts';
import { stateOf } from './state.ts';

/** A tool as an application writes it for `generateText`. */
export interface ThreadTool {
  readonly name: string;
  readonly required: readonly string[];
  run(input: Record<string, unknown>, state: ThreadState): Promise<string | HookToolResult>;
}

export interface ThreadOptions {
  readonly model: LanguageModelV3;
  readonly system?: string | undefined;
  readonly tools: readonly ThreadTool[];
  readonly messages: Messages;
  readonly scope: Scope;
  /** Milliseconds. */
  readonly timeout: number;
}

export interface Thread {
  readonly state: ThreadState;
  readonly runs: readonly RunRecord[];
  send(content: string): Promise<{
    readonly status: 'completed' | 'limit' | 'stopped' | 'aborted';
    readonly text: string | null;
  }>;
  abort(): void;
}

const MAX_STEPS = 20;

/**
 * A thread on `generateText` with hooks. What the AI SDK does stays as it is; the hooks come in at three places of it:
 *
 * 1 `transformParams`, before each model call: system message, history, conversion.
 * 2 `wrapGenerate`, after it: the assistant's message is stored, and what the chain made of it is what goes on.
 * 3 `execute` of each tool: its result. The results of a step are stored before the next one, in the order of their calls.
 */
export async function openThread({ messages, scope, timeout, ...options }: ThreadOptions): Promise<Thread> {
  const runs: RunRecord[] = [];
  const parts: LoopParts = {
    ...{ threadId: randomUUID(), scope, messages, turn: atRest() },
    batch: { calls: [], results: new Map(), waiting: [] },
    executor: createExecutor({
      timeout,
      onRun: (record) => void runs.push(record),
      view: (_, permit) => guardState(stateOf(parts, permit), permit),
    }),
  };
  const loop: Loop = { ...parts, state: stateOf(parts) };
  const model = wrapLanguageModel({ model: options.model, middleware: middlewareOf(loop, options.system) });
  const tools: ToolSet = Object.fromEntries(options.tools.map((one) => [one.name, toolOf(loop, one)]));
  await loop.executor.run('after_thread_created', scope, loop.state);
  return {
    state: loop.state,
    runs,
    send: (content) => runTurn(loop, content, { model, tools }),
    abort: () => loop.turn.aborts.abort(),
  };
}

function atRest(): Turn {
  return { flowId: randomUUID(), stepCount: 0, stopped: false, aborts: new AbortController() };
}

async function runTurn(loop: Loop, content: string, parts: ModelAndTools): ReturnType<Thread['send']> {
  const { turn, batch } = loop;
  Object.assign(turn, atRest());
  try {
    return await runSteps(loop, content, parts);
  } catch (error) {
    if (!turn.aborts.signal.aborted) throw error;
    Object.assign(turn, atRest());
    await storeStopped(loop);
    return { status: 'aborted', text: null };
  } finally {
    forgetBatch(batch, []);
    Object.assign(turn, atRest());
  }
}

/** A stopped turn leaves no call without its result. */
async function storeStopped(loop: Loop): Promise<void> {
  const { calls, results } = loop.batch;
  for (const { id } of calls)
    if (!results.has(id))
      results.set(id, { status: 'error', error: 'The turn was stopped before the tool had answered.' });
  await storeResults(loop);
}

interface ModelAndTools {
  readonly model: LanguageModelV3;
  readonly tools: ToolSet;
}

async function runSteps(
  loop: Loop,
  content: string,
  { model, tools }: ModelAndTools,
): ReturnType<Thread['send']> {
  const { turn } = loop;
  await append(loop, { role: 'user', content });
  const { text } = await generateText({
    ...{ model, tools, maxRetries: 0 },
    messages: [{ role: 'user', content: 'What is sent comes from the table of messages.' }],
    stopWhen: [stepCountIs(MAX_STEPS), () => turn.stopped],
    abortSignal: turn.aborts.signal,
  });
  await storeResults(loop);
  if (turn.stopped) return { status: 'stopped', text };
  return { status: turn.stepCount >= MAX_STEPS ? 'limit' : 'completed', text };
}

function middlewareOf(loop: Loop, system: string | undefined): LanguageModelV3Middleware {
  const { executor, scope, state, messages, turn, batch } = loop;
  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      await storeResults(loop);
      turn.stepCount++;
      const content =
        system === undefined ? '' : await executor.run('after_system_message', scope, state, system);
      const history = await executor.run('filter_messages', scope, state, messages.all());
      const llm = await executor.run(
        'prefilter_llm_history',
        scope,
        state,
        toLLMMessages(validExchanges(history)),
      );
      return {
        ...params,
        prompt: toPrompt([...(content === '' ? [] : [{ role: 'system', content }]), ...llm]),
      };
    },
    async wrapGenerate({ doGenerate }) {
      const generated = await doGenerate();
      const message = await append(loop, toAssistantMessage(generated.content));
      forgetBatch(batch, callsOf(message));
      return { ...generated, content: toContent(message) };
    },
  };
}

function toolOf(loop: Loop, one: ThreadTool): ToolSet[string] {
  return tool({
    inputSchema: jsonSchema<Record<string, unknown>>({ type: 'object' }),
    async execute(input, { toolCallId }): Promise<string> {
      const call = loop.batch.calls.find(({ id }) => id === toolCallId) as HookToolCall;
      const result = await seenByHooks(
        loop,
        call,
        await unlessStopped(loop, runTool(one, input, loop.state)),
      );
      loop.batch.results.set(toolCallId, result);
      return result.result ?? result.error ?? '';
    },
  });
}

/** The AI SDK waits for a tool that is running; a turn that is stopped does not. */
function unlessStopped<T>({ turn }: Loop, running: Promise<T>): Promise<T> {
  const { signal } = turn.aborts;
  const stopped = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason)),
  );
  return Promise.race([running, stopped]);
}

async function runTool(one: ThreadTool, input: unknown, state: ThreadState): Promise<HookToolResult> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return { status: 'error', error: 'The arguments are no object.' };
  const fields = input as Record<string, unknown>;
  const missing = one.required.filter((field) => typeof fields[field] !== 'string');
  if (missing.length > 0) return { status: 'error', error: `The arguments lack ${missing.join(', ')}.` };
  try {
    const result = await one.run(fields, state);
    return typeof result === 'string' ? { status: 'success', result } : result;
  } catch (error) {
    return { status: 'error', error: error instanceof Error ? error.message : String(error) };
  }
}
