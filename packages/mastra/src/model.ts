import type { ProcessInputStepArgs } from '@mastra/core/processors';
import type { Scope } from '@spec/hooks';
import { PassingParts, type StreamPart } from '@spec/hooks/host';
import { tellEnd } from './request.ts';
import type { HookedTools, OfferedTool } from './tools.ts';
import type { Running } from './turns.ts';

type Model = ProcessInputStepArgs['model'];

/** Of a model that Mastra has resolved, both ways to ask it give a stream. */
type AskModel = (options: unknown) => PromiseLike<{ readonly stream: ReadableStream<StreamPart> }>;

export interface AnswerSetting {
  readonly running: Running;
  readonly scope: Scope;
  readonly tools: HookedTools;
}

/** What a model is asked with, as much of it as hooks need. */
interface AskOptions {
  readonly tools?: readonly OfferedTool[] | undefined;
}

const wrapped = new WeakSet<Model>();

/** Whether the answers of a model pass the hooks. */
export function isWrapped(model: Model): boolean {
  return wrapped.has(model);
}

/** A model whose tools are looked at a last time, and whose answers pass the hooks before Mastra streams and stores them. */
export function wrapModel(model: Model, setting: AnswerSetting): Model {
  const passing = new Proxy(model, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as AskModel;
      return name === 'doStream' || name === 'doGenerate' ? passAnswers(method, setting) : method;
    },
  });
  wrapped.add(passing);
  return passing;
}

function passAnswers(ask: AskModel, { running, scope, tools }: AnswerSetting): AskModel {
  const { turn } = running;
  return async (options) => {
    running.isAwaiting = false;
    const { tools: offered } = options as AskOptions;
    const asked = await ask(
      offered === undefined ? options : { ...(options as object), tools: tools.takeOffered(offered) },
    );
    const stream = watchBreak(asked.stream, () => tellEnd(running, BROKEN));
    running.calls = [];
    if (!turn.takesMessages) return { ...asked, stream: stream.pipeThrough(noteCalls(running)) };
    const parts = new PassingParts<StreamPart>(turn, scope);
    const others = turn.has('before_create_message') ? hideBodies(asked) : asked;
    let hasCalls = false;
    const passing = new TransformStream<StreamPart, StreamPart>({
      async transform(part, controller) {
        for (const next of await parts.take(part)) {
          hasCalls ||= next.type === 'tool-call';
          controller.enqueue(next.type === 'finish' && !hasCalls ? endTurn(next) : next);
        }
      },
    });
    return { ...others, stream: stream.pipeThrough(passing).pipeThrough(noteCalls(running)) };
  };
}

/** Remembers the calls of an answer: what comes of all of them is a batch. */
function noteCalls({ calls }: Running): TransformStream<StreamPart, StreamPart> {
  return new TransformStream({
    transform(part, controller) {
      const { type, toolCallId: id = '', toolName: name = '', input, providerExecuted } = part;
      const json = typeof input === 'string' ? input : JSON.stringify(input);
      if (type === 'tool-call' && providerExecuted !== true)
        calls.push({ id, type: 'function', function: { name, arguments: json } });
      controller.enqueue(part);
    },
  });
}

/** What Mastra keeps of a response beside its stream, without the answer as the provider gave it. */
function hideBodies<Asked extends object>(asked: Asked): Asked {
  const { response, rawResponse } = asked as { readonly response?: object; readonly rawResponse?: object };
  const hidden = Object.entries({ response, rawResponse }).flatMap(([name, one]) =>
    one === undefined ? [] : [[name, { ...one, body: undefined }]],
  );
  return { ...asked, ...Object.fromEntries(hidden) };
}

const BROKEN = { errorCode: 'model_failed', finishReason: 'error' } as const;

/** Mastra tells a processor nothing of an answer that breaks off: because its model fails, or its reader goes. */
function watchBreak(
  source: ReadableStream<StreamPart>,
  onBreak: () => Promise<void>,
): ReadableStream<StreamPart> {
  const reader = source.getReader();
  let isOver = false;
  const end = async (): Promise<void> => {
    if (!isOver) await onBreak();
    isOver = true;
  };
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        isOver ||= value.type === 'finish' || value.type === 'error';
        controller.enqueue(value);
      } catch (error) {
        await end();
        throw error;
      }
    },
    async cancel(reason) {
      await end();
      await reader.cancel(reason);
    },
  });
}

/** Mastra asks the model again where an answer ends for its calls: one whose calls a hook has taken out ends the turn. */
function endTurn(finish: StreamPart): StreamPart {
  const { finishReason } = finish as { readonly finishReason?: unknown };
  if (finishReason === 'tool-calls') return { ...finish, finishReason: 'stop' } as StreamPart;
  const { unified } = (finishReason ?? {}) as { readonly unified?: unknown };
  if (unified !== 'tool-calls') return finish;
  return { ...finish, finishReason: { unified: 'stop', raw: undefined } } as StreamPart;
}
