// Tracing: spans of turns, steps, tool calls and hooks. The rooms that do these things call it; it never changes what they do, and holds data only with `trace: 'values'`.

import type { Attributes } from '@opentelemetry/api';
import type { HookToolCall, HookToolResult, RunRecord } from '@spec/hooks';
import { findModel } from '../definitions/catalog.ts';
import type { PromptDefinition } from '../definitions/prompt.ts';
import type { TurnResult } from '../engine/turn-result.ts';
import type { ModelReply } from '../model/call.ts';
import type { ThreadView } from '../thread/core.ts';
import { attribute } from './attributes.ts';
import { inSpan, recordSpan, type SpanEnd, type SpanOf, spanKind } from './in-span.ts';
import { loadOpenTelemetry, openTelemetry } from './open-telemetry.ts';

/** The spans of a turn. Their parent is what is active where `thread.send` is called. */

/** `invoke_agent {agent}`: a turn, from the hooks that admit its message to its last commit. */
export function traceTurn(
  view: ThreadView,
  run: (view: ThreadView) => Promise<TurnResult>,
): Promise<TurnResult> {
  if (view.trace !== undefined) return run(view); // It was begun where its message was admitted.
  const loading = loadOpenTelemetry();
  return loading === undefined ? turnSpan(view, run) : loading.then(() => turnSpan(view, run));
}

function turnSpan(view: ThreadView, run: (view: ThreadView) => Promise<TurnResult>): Promise<TurnResult> {
  const describe = (): SpanOf<TurnResult> => ({
    name: `invoke_agent ${view.agentId}`,
    kind: spanKind.internal,
    attributes: { ...describeLocation(view), [attribute.operation]: 'invoke_agent' },
    describeEnd: ({ status, steps }) => ({
      attributes: { [attribute.turnStatus]: status, [attribute.turnSteps]: steps },
    }),
  });
  return inSpan(view, describe, (traced) => {
    view.flow.trace = traced.trace;
    return run(traced);
  });
}

type AskModel = (view: ThreadView) => Promise<ModelReply>;

/** `chat {model}`: a step, from the hooks that prepare what the model is sent to the end of its answer. */
export function traceStep(view: ThreadView, prompt: PromptDefinition, run: AskModel): Promise<ModelReply> {
  return inSpan(view, () => chatSpan(view, prompt), run);
}

/** `chat {model}` too, and by its purpose no step: the call for a summary, from the hooks that prepare what it is made of to its end. */
export async function traceSummary(
  view: ThreadView,
  prompt: PromptDefinition,
  run: AskModel,
): Promise<ModelReply> {
  await loadOpenTelemetry(); // Between turns, nothing may have been traced yet.
  const own = { [attribute.purpose]: 'compaction' };
  return inSpan(view, () => chatSpan(view, prompt, own), run);
}

function chatSpan(view: ThreadView, prompt: PromptDefinition, own: Attributes = {}): SpanOf<ModelReply> {
  const { catalog, tracesValues } = view.core.runtime;
  const { modelId, provider } = findModel(catalog, prompt);
  return {
    name: `chat ${modelId}`,
    kind: spanKind.client,
    attributes: {
      ...describeLocation(view),
      ...own,
      [attribute.operation]: 'chat',
      [attribute.provider]: conventionalName(provider),
      [attribute.model]: modelId,
      ...given(attribute.maxTokens, prompt.settings?.maxOutputTokens),
      ...given(attribute.temperature, prompt.settings?.temperature),
    },
    describeEnd: (reply) => ({
      attributes: {
        ...given(attribute.finishReasons, reply.finishReason && [reply.finishReason]),
        ...given(attribute.inputTokens, reply.usage?.inputTokens),
        ...given(attribute.outputTokens, reply.usage?.outputTokens),
        ...(tracesValues && { [attribute.outputMessages]: outputMessages(reply) }),
      },
    }),
  };
}

/** What came of a tool call, as far as its span tells it. */
interface TracedCall {
  readonly call: HookToolCall;
  readonly result: HookToolResult;
  readonly isDenied?: true;
}

/** `execute_tool {tool}`: a tool call, from the hooks that decide on it to its answer. */
export function traceToolCall<Answered extends TracedCall>(
  view: ThreadView,
  requested: HookToolCall,
  run: (view: ThreadView) => Promise<Answered>,
): Promise<Answered> {
  const { catalog, tracesValues } = view.core.runtime;
  const describe = (): SpanOf<Answered> => {
    // A name that no tool has is the model's free text.
    const name = catalog.tools.get(requested.function.name)?.name;
    return {
      name: name === undefined ? 'execute_tool' : `execute_tool ${name}`,
      kind: spanKind.internal,
      attributes: {
        ...describeLocation(view),
        [attribute.operation]: 'execute_tool',
        [attribute.toolCallId]: requested.id,
        [attribute.toolType]: 'function',
        ...given(attribute.tool, name),
      },
      describeEnd: (answered) => describeCallEnd(answered, tracesValues),
    };
  };
  return inSpan(view, describe, run);
}

function describeCallEnd({ call, result, isDenied }: TracedCall, tracesValues: boolean): SpanEnd {
  const { status, result: text } = result;
  const values = { [attribute.toolArguments]: call.function.arguments, ...given(attribute.toolResult, text) };
  return {
    attributes: { [attribute.toolStatus]: isDenied ? 'denied' : status, ...(tracesValues && values) },
    error: status === 'error' && !isDenied ? 'tool_failed' : undefined,
  };
}

const failures: ReadonlySet<string> = new Set<RunRecord['outcome']>([
  'failed',
  'timed_out',
  'aborted',
  'invalid_input',
  'invalid_result',
]);

/** `{hook} {id}`: a run of a hook. One that was passed over has no span; the ledger tells why. */
export function traceHookRun(view: ThreadView, run: RunRecord): void {
  const api = openTelemetry();
  if (api === undefined || run.outcome === 'skipped') return;
  const attributes = {
    ...describeLocation(view),
    [attribute.hook]: run.hook,
    [attribute.hookId]: run.id,
    [attribute.hookSource]: run.source,
    [attribute.hookOutcome]: run.outcome,
    [attribute.hookChanged]: run.changed,
  };
  const about = { name: `${run.hook} ${run.id}`, kind: spanKind.internal, attributes };
  const error = failures.has(run.outcome) ? (run.code ?? run.outcome) : undefined;
  recordSpan({ api, view, ms: run.ms }, about, { error });
}

/** Where in which conversation it happens. */
function describeLocation({ threadId, agentId, flow }: ThreadView): Attributes {
  return {
    [attribute.conversation]: threadId,
    [attribute.agentId]: agentId,
    [attribute.agentName]: agentId,
    ...(flow.turnId !== null && { [attribute.turnId]: flow.turnId, [attribute.step]: flow.stepCount }),
  };
}

function given(name: string, value: Attributes[string]): Attributes {
  return value === undefined ? {} : { [name]: value };
}

/** `openai.chat` is the AI SDK's name for a part of what the conventions call `openai`. */
function conventionalName(provider: string): string {
  return provider.split('.')[0] as string;
}

/** What a model answered, in the form that the conventions have for `gen_ai.output.messages`. */
function outputMessages({ content, toolCalls, finishReason }: ModelReply): string {
  const text = content ? [{ type: 'text', content }] : [];
  const calls = toolCalls.map(({ id, function: { name, arguments: input } }) => ({
    type: 'tool_call',
    id,
    name,
    arguments: input,
  }));
  return JSON.stringify([{ role: 'assistant', parts: [...text, ...calls], finish_reason: finishReason }]);
}
