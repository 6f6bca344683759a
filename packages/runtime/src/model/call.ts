// Model: says the system message, calls the model and reads what it streams. Turns and compaction call it; it never stores the answer.

import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { type HookToolCall, type ModelAnswer, onAbort, RunError, withCause } from '@spec/hooks';
import { aborted, findRunCode, unlessAborted } from '../aborted.ts';
import type { PartFields } from '../answer-parts/index.ts';
import type { LanguageModel, TextCallOptions } from '../definitions/model.ts';
import type { TokenUsage } from '../events/thread-event.ts';
import { PartsCollector } from './collect-parts.ts';
import { type Failure, readFailure } from './failure.ts';
import type { ReasoningPiece } from './reasoning-release.ts';

/** What a model answered in one step. */
export interface ModelReply {
  /** `null` where the model sent no text at all. */
  readonly content: string | null;
  readonly toolCalls: readonly HookToolCall[];
  /** Why it ended, in the AI SDK's words: `stop`, `length`, `tool-calls`, … */
  readonly finishReason?: string;
  readonly usage?: TokenUsage;
  /** Reasoning, and what the provider wants back with the parts of the answer; `'too long'` where that is more than can be kept. */
  readonly parts?: PartFields | 'too long';
}

/** What a hook answers in a model's place, as if the model had. Calls get ids of their own where several have one. */
export function makeReply({ content, toolCalls = [] }: ModelAnswer): ModelReply {
  const reply: Draft = {
    content,
    toolCalls: [],
    hasBegun: true,
    isFinished: true,
    collector: new PartsCollector(),
  };
  for (const { id, function: called } of toolCalls)
    reply.toolCalls.push(
      toToolCall(reply, { toolCallId: id, toolName: called.name, input: called.arguments }),
    );
  return { content, toolCalls: reply.toolCalls, finishReason: toolCalls.length > 0 ? 'tool-calls' : 'stop' };
}

type AbortableOptions = TextCallOptions & { abortSignal: AbortSignal };

/** Who gets an answer while it is written. */
export interface AnswerListeners {
  readonly onText: (text: string) => void;
  readonly onReasoning?: (piece: ReasoningPiece) => void;
}

const answering = 'the model answered';

/**
 * Calls a model and reads its stream to the end.
 *
 * @throws {RunError} `model_failed`, with the provider's HTTP status where it has one, never with its text; `aborted`.
 */
export async function callModel(
  model: LanguageModel,
  options: AbortableOptions,
  { onText, onReasoning = () => {} }: AnswerListeners,
): Promise<ModelReply> {
  const { abortSignal: signal } = options;
  const collector = new PartsCollector(onReasoning);
  const reply: Draft = { content: null, toolCalls: [], hasBegun: false, isFinished: false, collector };
  try {
    const stream = await unlessAborted(signal, answering, () => startStream(model, options));
    await readParts(stream, signal, (part) => takePart(reply, part, onText));
  } catch (error) {
    if (signal.aborted) throw aborted(answering);
    if (findRunCode(error) !== undefined) throw error;
    throw withCause(modelFailed(model, { ...readFailure(error), hasBegun: reply.hasBegun }), error);
  }
  if (signal.aborted) throw aborted(answering);
  if (!reply.isFinished) throw modelFailed(model, { ...CUT_SHORT, hasBegun: reply.hasBegun });
  return toReply(reply, model);
}

function toReply(
  { collector, content, toolCalls, finishReason, usage }: Draft,
  model: LanguageModel,
): ModelReply {
  const reply: { -readonly [Field in keyof ModelReply]: ModelReply[Field] } = { content, toolCalls };
  if (finishReason !== undefined) reply.finishReason = finishReason;
  if (usage !== undefined) reply.usage = usage;
  const parts = collector.finish(model);
  if (parts !== undefined) reply.parts = parts;
  return reply;
}

interface Draft extends ModelReply {
  content: string | null;
  toolCalls: HookToolCall[];
  finishReason?: string;
  usage?: TokenUsage;
  hasBegun: boolean;
  isFinished: boolean;
  readonly collector: PartsCollector;
}

/** A stream that comes when nobody waits for it any more is given back. */
async function startStream(
  model: LanguageModel,
  options: AbortableOptions,
): Promise<ReadableStream<LanguageModelV3StreamPart>> {
  const { stream } = await model.doStream(options);
  if (options.abortSignal.aborted) void stream.cancel().catch(() => {});
  return stream as ReadableStream<LanguageModelV3StreamPart>;
}

function takePart(reply: Draft, part: LanguageModelV3StreamPart, onText: (text: string) => void): void {
  reply.hasBegun ||= !INTRODUCTION.has(part.type);
  if (part.type === 'text-start') reply.content ??= '';
  else if (part.type === 'text-delta') {
    if (typeof part.delta !== 'string') throw undefined;
    reply.content = (reply.content ?? '') + part.delta;
    if (part.delta !== '') onText(part.delta);
  } else if (part.type === 'tool-call' && part.providerExecuted !== true) {
    const call = toToolCall(reply, part);
    reply.toolCalls.push(call);
    reply.collector.addCall(call.id, part.providerMetadata);
  } else if (part.type === 'finish') {
    if (part.finishReason.unified === 'error') throw undefined;
    finish(reply, part);
  } else if (part.type === 'error') throw part.error;
  reply.collector.take(part);
}

/** What a provider says before the model answers. */
const INTRODUCTION: ReadonlySet<string> = new Set(['stream-start', 'response-metadata', 'raw', 'error']);

/** Providers count what they like: what is no number of tokens is left out. */
function finish(reply: Draft, { finishReason, usage }: ModelFinish): void {
  reply.isFinished = true;
  reply.finishReason = finishReason.unified;
  const { inputTokens: input, outputTokens: output } = usage ?? {};
  const counted: { -readonly [Count in keyof TokenUsage]: TokenUsage[Count] } = {};
  if (isCount(input?.total)) counted.inputTokens = input.total;
  if (isCount(output?.total)) counted.outputTokens = output.total;
  if (isCount(output?.reasoning)) counted.reasoningTokens = output.reasoning;
  if (isCount(input?.cacheRead)) counted.cachedTokens = input.cacheRead;
  if (Object.keys(counted).length > 0) reply.usage = counted;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER; // Sums of them are numbers, too.
}

type ModelFinish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>;

/**
 * A call that can be stored, run and answered, whatever the provider sent: it gets an id of its own where it has none, or one that
 * another call of the answer has; where its name is missing, no tool has that name.
 */
function toToolCall(
  { toolCalls }: Draft,
  { toolCallId, toolName, input }: Unchecked<ModelToolCall>,
): HookToolCall {
  const isUsable =
    typeof toolCallId === 'string' && toolCallId !== '' && toolCalls.every(({ id }) => id !== toolCallId);
  const id = isUsable ? toolCallId : `call_${crypto.randomUUID()}`;
  const name = typeof toolName === 'string' ? toolName : '';
  return { id, type: 'function', function: { name, arguments: argumentsText(input) } };
}

/** The arguments as JSON text: some providers send what they stand for. None is no text. */
function argumentsText(input: unknown): string {
  if (typeof input === 'string') return input;
  return input === undefined ? '' : (JSON.stringify(input) ?? 'null');
}

/** What comes from outside: its types say what should be there. */
type Unchecked<T> = { readonly [Field in keyof T]?: unknown };

type ModelToolCall = Extract<LanguageModelV3StreamPart, { type: 'tool-call' }>;

/** Reads a stream until it ends or the thread is aborted, whether or not the provider listens to the signal. */
async function readParts(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  signal: AbortSignal,
  take: (part: LanguageModelV3StreamPart) => void,
): Promise<void> {
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => {});
  const stopListening = onAbort(signal, cancel);
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) take(read.value);
  } catch (error) {
    cancel();
    throw error;
  } finally {
    stopListening();
  }
}

const CUT_SHORT: Failure = { how: 'its answer ended before it was finished', mayPass: false };

const failures = new WeakMap<object, Failure>();

/** What is known of the failure that an error of {@link callModel} tells; nothing where it tells of no failed call. */
export function failureIn(error: unknown): Failure | undefined {
  return typeof error === 'object' && error !== null ? failures.get(error) : undefined;
}

function modelFailed({ provider, modelId }: LanguageModel, failure: Failure): RunError {
  const error = new RunError('model_failed', `The model ${provider}/${modelId} failed: ${failure.how}.`);
  failures.set(error, failure);
  return error;
}
