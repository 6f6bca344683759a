import type { ProcessInputStepArgs } from '@mastra/core/processors';
import type { Scope } from '@spec/hooks';
import { type HostTurn, PassingParts, type StreamPart } from '@spec/hooks/host';

import type { HookedTools, OfferedTool } from './tools.ts';

type Model = ProcessInputStepArgs['model'];

/** Of a model that Mastra has resolved, both ways to ask it give a stream. */
type AskModel = (options: unknown) => PromiseLike<{ readonly stream: ReadableStream<StreamPart> }>;

export interface AnswerSetting {
  readonly turn: HostTurn;
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

function passAnswers(ask: AskModel, { turn, scope, tools }: AnswerSetting): AskModel {
  return async (options) => {
    const { tools: offered } = options as AskOptions;
    const asked = await ask(
      offered === undefined ? options : { ...(options as object), tools: tools.takeOffered(offered) },
    );
    if (!turn.takesMessages) return asked;
    const parts = new PassingParts<StreamPart>(turn, scope);
    let hasCalls = false;
    const passing = new TransformStream<StreamPart, StreamPart>({
      async transform(part, controller) {
        for (const next of await parts.take(part)) {
          hasCalls ||= next.type === 'tool-call';
          controller.enqueue(next.type === 'finish' && !hasCalls ? endTurn(next) : next);
        }
      },
    });
    return { ...asked, stream: asked.stream.pipeThrough(passing) };
  };
}

/** Mastra asks the model again where an answer ends for its calls: one whose calls a hook has taken out ends the turn. */
function endTurn(finish: StreamPart): StreamPart {
  const { finishReason } = finish as { readonly finishReason?: unknown };
  if (finishReason === 'tool-calls') return { ...finish, finishReason: 'stop' } as StreamPart;
  const { unified } = (finishReason ?? {}) as { readonly unified?: unknown };
  if (unified !== 'tool-calls') return finish;
  return { ...finish, finishReason: { unified: 'stop', raw: undefined } } as StreamPart;
}
