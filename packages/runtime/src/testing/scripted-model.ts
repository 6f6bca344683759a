import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import { checkOptionNames, DefinitionError, isRecord, type ModelUsage, type OptionNames } from '@spec/hooks';

/** What a scripted model answers in one step. */
export type ScriptedReply = string | ScriptedAnswer | Error;

export interface ScriptedAnswer {
  /** `''` is an empty text, absent or `null` is no text at all. */
  readonly text?: string | null;
  /** What the provider wants back with the text. */
  readonly metadata?: SharedV3ProviderMetadata;
  /** What it thinks before it answers. */
  readonly reasoning?: string | readonly ScriptedReasoning[];
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** The tokens that it says it used. Default: it does not say. */
  readonly usage?: Partial<ModelUsage>;
}

export interface ScriptedReasoning {
  readonly text: string;
  /** What the provider wants back with it, such as a signature. */
  readonly metadata?: SharedV3ProviderMetadata;
}

export interface ScriptedToolCall {
  /** Default: `call_1`, `call_2`, … */
  readonly id?: string;
  readonly name: string;
  /** The arguments, or their JSON text as the model would write it. Default: none. */
  readonly input?: Record<string, unknown> | string;
  /** What the provider wants back with it. */
  readonly metadata?: SharedV3ProviderMetadata;
}

/** A reply, or how it follows from what the model was asked. */
export type ScriptedStep =
  | ScriptedReply
  | ((options: LanguageModelV3CallOptions) => ScriptedReply | Promise<ScriptedReply>);

/** A model that answers by a script and remembers what it was asked. */
export interface ScriptedModel extends LanguageModelV3 {
  /** What the model was sent, call by call. */
  readonly calls: readonly LanguageModelV3CallOptions[];
}

export interface ScriptedModelOptions {
  /** So many of the newest calls are kept in `calls`. Default: all; each holds a whole prompt. */
  readonly keepsCalls?: number;
}

/**
 * A model for tests and demonstrations: answers step by step as told, as a stream, without a network.
 * Asked once more after the script's end it fails; an `Error` in the script is a provider's failure.
 *
 * @throws {DefinitionError} `bad_option` for a script that is no list, and a step that no model can answer with
 * @example scriptedModel(['Hello!', { toolCalls: [{ name: 'search', input: { q: 'hooks' } }] }, 'Found it.'])
 */
export function scriptedModel(
  script: Iterable<ScriptedStep>,
  { keepsCalls = Number.POSITIVE_INFINITY }: ScriptedModelOptions = {},
): ScriptedModel {
  checkScript(script);
  const steps = script[Symbol.iterator]();
  const calls: LanguageModelV3CallOptions[] = [];
  let callCount = 0;
  let askedCount = 0;

  async function nextParts(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamPart[]> {
    askedCount++;
    calls.push(options);
    if (calls.length > keepsCalls) calls.shift();
    const step = steps.next();
    if (step.done) throw new Error(`The script has ended after ${askedCount - 1} calls.`);
    const reply = typeof step.value === 'function' ? await step.value(options) : step.value;
    if (reply instanceof Error) throw reply;
    checkReply(reply);
    return makeParts(typeof reply === 'string' ? { text: reply } : reply, () => `call_${++callCount}`);
  }

  return {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'scripted',
    supportedUrls: {},
    calls,
    async doGenerate() {
      throw new Error('A scripted model streams: call doStream.');
    },
    async doStream(options) {
      const parts = await nextParts(options);
      return { stream: makeStream(parts) };
    },
  };
}

const answerNames: OptionNames<ScriptedAnswer> = {
  text: true,
  metadata: true,
  reasoning: true,
  toolCalls: true,
  usage: true,
};
const callNames: OptionNames<ScriptedToolCall> = { id: true, name: true, input: true, metadata: true };

/** A misspelt field would make a model that calls no tool: a test of a guard would pass without it. */
function checkScript(script: unknown): void {
  if (
    typeof script === 'string' ||
    typeof (script as Partial<unknown[]> | null)?.[Symbol.iterator] !== 'function'
  )
    throw bad("a script must be a list of steps, such as ['Hello!']");
  if (!Array.isArray(script)) return; // Of what makes its steps one by one, each is checked when it is there.
  // By its length: the iterator of a list may be another one, and endless.
  script.forEach((step) => {
    if (typeof step !== 'function' && !(step instanceof Error)) checkReply(step);
  });
}

function checkReply(reply: unknown): void {
  if (typeof reply === 'string') return;
  if (!isRecord(reply))
    throw bad('a step must be a text, { text, toolCalls }, an Error, or a function that gives one');
  checkOptionNames('scriptedModel: a step', reply, answerNames);
  const { toolCalls = [] } = reply as ScriptedAnswer;
  if (!Array.isArray(toolCalls)) throw bad("toolCalls must be a list, such as [{ name: 'search' }]");
  for (const call of toolCalls) {
    checkOptionNames('scriptedModel: a tool call', call, callNames);
    if (typeof call.name !== 'string') throw bad('a tool call must have a name');
  }
}

function bad(problem: string): DefinitionError {
  return new DefinitionError('bad_option', `scriptedModel: ${problem}.`);
}

function makeParts(
  { text, metadata, reasoning = [], toolCalls = [], usage = {} }: ScriptedAnswer,
  nextId: () => string,
): LanguageModelV3StreamPart[] {
  const parts: LanguageModelV3StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    ...reasoningParts(typeof reasoning === 'string' ? [{ text: reasoning }] : reasoning),
  ];
  if (typeof text === 'string')
    parts.push({ type: 'text-start', id: 'text' }, ...deltas({ kind: 'text', id: 'text', text }), {
      type: 'text-end',
      id: 'text',
      ...toMetadata(metadata),
    });
  for (const { id = nextId(), name, input = {}, metadata: ofCall } of toolCalls) {
    parts.push({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      input: typeof input === 'string' ? input : JSON.stringify(input),
      ...toMetadata(ofCall),
    });
  }
  const unified = toolCalls.length > 0 ? 'tool-calls' : 'stop';
  parts.push({ type: 'finish', usage: makeUsage(usage), finishReason: { unified, raw: unified } });
  return parts;
}

function reasoningParts(reasoning: readonly ScriptedReasoning[]): LanguageModelV3StreamPart[] {
  return reasoning.flatMap(({ text, metadata }, position) => {
    const id = `reasoning-${position}`;
    return [
      { type: 'reasoning-start' as const, id },
      ...deltas({ kind: 'reasoning', id, text }),
      { type: 'reasoning-end' as const, id, ...toMetadata(metadata) },
    ];
  });
}

function toMetadata(providerMetadata: SharedV3ProviderMetadata | undefined): {
  providerMetadata?: SharedV3ProviderMetadata;
} {
  return providerMetadata === undefined ? {} : { providerMetadata };
}

interface ScriptedText {
  readonly kind: 'text' | 'reasoning';
  readonly id: string;
  readonly text: string;
}

/** A text comes in two pieces, as real streams have several. */
function deltas({ kind, id, text }: ScriptedText): LanguageModelV3StreamPart[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)]
    .filter(Boolean)
    .map((delta) => ({ type: `${kind}-delta`, id, delta }) as const);
}

function makeStream(parts: readonly LanguageModelV3StreamPart[]): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

function makeUsage({
  inputTokens,
  outputTokens,
  reasoningTokens,
  cachedTokens,
}: Partial<ModelUsage>): LanguageModelV3Usage {
  return {
    inputTokens: { total: inputTokens, noCache: undefined, cacheRead: cachedTokens, cacheWrite: undefined },
    outputTokens: { total: outputTokens, text: undefined, reasoning: reasoningTokens },
  };
}
