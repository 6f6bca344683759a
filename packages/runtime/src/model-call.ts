import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart, LanguageModelV3Usage } from '@ai-sdk/provider';
import { type HookToolCall, RunError } from '@spec/hooks';
import type { LanguageModel } from './definitions.ts';

/** What a model answered in one step. */
export interface ModelReply {
  /** `null` where the model sent no text at all. */
  readonly content: string | null;
  readonly toolCalls: readonly HookToolCall[];
  readonly usage: LanguageModelV3Usage | undefined;
}

/**
 * Calls a model and reads its stream to the end.
 *
 * @throws {RunError} `model_failed`, with the provider's HTTP status where it has one, never with its text; `aborted`.
 */
export async function callModel(
  model: LanguageModel,
  options: LanguageModelV3CallOptions,
  onText: (text: string) => void,
): Promise<ModelReply> {
  const reply = { content: null as string | null, toolCalls: [] as HookToolCall[], usage: undefined as LanguageModelV3Usage | undefined };
  const signal = options.abortSignal as AbortSignal;
  try {
    const { stream } = await model.doStream(options);
    for await (const part of partsOf(stream, signal)) takePart(reply, part, onText);
  } catch (error) {
    if (signal.aborted) throw new RunError('aborted', 'The thread was stopped while the model answered.');
    throw error instanceof RunError ? error : modelFailed(model, error);
  }
  if (signal.aborted) throw new RunError('aborted', 'The thread was stopped while the model answered.');
  return reply;
}

type Draft = { content: string | null; toolCalls: HookToolCall[]; usage: LanguageModelV3Usage | undefined };

function takePart(reply: Draft, part: LanguageModelV3StreamPart, onText: (text: string) => void): void {
  if (part.type === 'text-start') reply.content ??= '';
  else if (part.type === 'text-delta') {
    reply.content = (reply.content ?? '') + part.delta;
    onText(part.delta);
  } else if (part.type === 'tool-call' && part.providerExecuted !== true) {
    reply.toolCalls.push({ id: part.toolCallId, type: 'function', function: { name: part.toolName, arguments: part.input } });
  } else if (part.type === 'finish') reply.usage = part.usage;
  else if (part.type === 'error') throw part.error;
}

/** The parts of a stream, until it ends or the thread is aborted, whether or not the provider listens to the signal. */
async function* partsOf(stream: ReadableStream<LanguageModelV3StreamPart>, signal: AbortSignal): AsyncGenerator<LanguageModelV3StreamPart> {
  const reader = stream.getReader();
  const cancel = (): void => void reader.cancel(signal.reason).catch(() => {});
  signal.addEventListener('abort', cancel, { once: true });
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
}

function modelFailed({ provider, modelId }: LanguageModel, error: unknown): RunError {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  const how = typeof status === 'number' ? `HTTP ${status}` : 'its provider reported an error';
  return new RunError('model_failed', `The model ${provider}/${modelId} failed: ${how}.`);
}
