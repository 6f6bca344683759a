import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider';
import type { Scope } from '@spec/hooks';
import { denyRewrite, type HostTurn, passAnswer } from '@spec/hooks/host';
import { makeResult, readSaid, replaceSaid } from './answers.ts';
import type { Conversation } from './conversation.ts';
import { type DecidedCall, decideCallOfModel, type EndedCall } from './model-call.ts';
import { passStream } from './stream.ts';

/** What the calls of a model are sent through. */
export interface ModelSetting {
  readonly turn: HostTurn;
  readonly scope: Scope;
  readonly conversation: Conversation;
  /** Models that `before_model_call` may choose. */
  readonly models: Readonly<Record<string, LanguageModelV3>>;
}

/** A model whose calls pass the hooks. */
export function wrapModel(model: LanguageModelV3, setting: ModelSetting): LanguageModelV3 {
  const { specificationVersion, provider, modelId, supportedUrls } = model;
  // Field by field: what is spread and then gets more fields has a hidden class of its own in each turn.
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate: (params) => generate(model, params, setting),
    doStream: (params) => stream(model, params, setting),
  };
}

async function generate(
  model: LanguageModelV3,
  given: LanguageModelV3CallOptions,
  setting: ModelSetting,
): Promise<LanguageModelV3GenerateResult> {
  if (setting.turn.isStopped) return makeResult({ content: null });
  const { conversation } = setting;
  conversation.beginCall();
  try {
    const result = await generateAnswer(model, given, setting);
    conversation.endCall(false);
    return result;
  } catch (error) {
    conversation.endCall(true);
    throw error;
  }
}

async function generateAnswer(
  model: LanguageModelV3,
  given: LanguageModelV3CallOptions,
  setting: ModelSetting,
): Promise<LanguageModelV3GenerateResult> {
  const call = await prepare(model, given, setting);
  const result = await ask(call, () =>
    call.answer === undefined ? find(model, call, setting).doGenerate(call.params) : makeResult(call.answer),
  );
  if (call.tell !== undefined) await call.tell({ ...result, errorCode: null });
  const { turn } = setting;
  const content = turn.takesMessages ? await passContent(result.content, turn) : result.content;
  setting.conversation.takeAnswer({
    text: readSaid(content).text ?? '',
    calls: content.filter((part) => part.type === 'tool-call'),
  });
  return content === result.content ? result : changeContent(result, content);
}

/** A result with what hooks made of its content, and without what the provider said word by word. */
function changeContent(
  { providerMetadata: _metadata, response, ...result }: LanguageModelV3GenerateResult,
  content: LanguageModelV3Content[],
): LanguageModelV3GenerateResult {
  const { body: _body, ...known } = response ?? {};
  return { ...result, content, ...(response === undefined ? {} : { response: known }) };
}

async function passContent(
  content: LanguageModelV3Content[],
  turn: HostTurn,
): Promise<LanguageModelV3Content[]> {
  const said = readSaid(content);
  const passed = await passAnswer(turn, said);
  return passed === said ? content : replaceSaid(content, passed);
}

async function stream(
  model: LanguageModelV3,
  given: LanguageModelV3CallOptions,
  setting: ModelSetting,
): Promise<LanguageModelV3StreamResult> {
  if (setting.turn.isStopped) return { stream: toStream(makeResult({ content: null })) };
  const { conversation } = setting;
  conversation.beginCall();
  try {
    return await beginStream(model, given, setting);
  } catch (error) {
    conversation.endCall(true);
    throw error;
  }
}

async function beginStream(
  model: LanguageModelV3,
  given: LanguageModelV3CallOptions,
  setting: ModelSetting,
): Promise<LanguageModelV3StreamResult> {
  const { conversation } = setting;
  const call = await prepare(model, given, setting);
  const { answer } = call;
  const begun = await ask(call, () =>
    answer === undefined
      ? find(model, call, setting).doStream(call.params)
      : { stream: toStream(makeResult(answer)) },
  );
  const onAnswer = conversation.takeAnswer.bind(conversation);
  const onEnd = async (ended: EndedCall): Promise<void> => {
    conversation.endCall(ended.errorCode !== null);
    await call.tell?.(ended);
  };
  const { abortSignal } = given;
  return { ...begun, stream: passStream(begun.stream, { ...setting, abortSignal, onEnd, onAnswer }) };
}

async function prepare(
  model: LanguageModelV3,
  given: LanguageModelV3CallOptions,
  { turn, conversation }: ModelSetting,
): Promise<DecidedCall> {
  const params = { ...given, prompt: await conversation.prepare(given) };
  return decideCallOfModel(turn, { model: model.modelId, params, at: conversation });
}

/** What a call that fails tells hooks. Its error goes on as it is: the AI SDK decides whether to try again. */
function ask<T>({ tell }: DecidedCall, make: () => PromiseLike<T> | T): PromiseLike<T> | T {
  return tell === undefined ? make() : askAndTell(make, tell);
}

async function askAndTell<T>(
  make: () => PromiseLike<T> | T,
  tell: NonNullable<DecidedCall['tell']>,
): Promise<T> {
  try {
    return await make();
  } catch (error) {
    await tell({ errorCode: 'model_failed' });
    throw error;
  }
}

function find(model: LanguageModelV3, call: DecidedCall, { models }: ModelSetting): LanguageModelV3 {
  if (call.model === model.modelId) return model;
  const other = Object.hasOwn(models, call.model) ? models[call.model] : undefined;
  if (other !== undefined) return other;
  throw denyRewrite(
    `its model is not known. Known are: ${[model.modelId, ...Object.keys(models)].join(', ')}.`,
  );
}

/** An answer that is there, as a stream. */
function toStream({
  content,
  finishReason,
  usage,
}: LanguageModelV3GenerateResult): ReadableStream<LanguageModelV3StreamPart> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ type: 'stream-start', warnings: [] });
      for (const part of content) {
        if (part.type === 'text') {
          controller.enqueue({ type: 'text-start', id: 'text' });
          controller.enqueue({ type: 'text-delta', id: 'text', delta: part.text });
          controller.enqueue({ type: 'text-end', id: 'text' });
        } else if (part.type === 'tool-call') controller.enqueue(part);
      }
      controller.enqueue({ type: 'finish', finishReason, usage });
      controller.close();
    },
  });
}
