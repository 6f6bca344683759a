import type { ProcessInputStepArgs } from '@mastra/core/processors';
import type { Scope } from '@spec/hooks';
import { type HostTurn, PassingParts, type StreamPart } from '@spec/hooks/host';

type Model = ProcessInputStepArgs['model'];

/** Of a model that Mastra has resolved, both ways to ask it give a stream. */
type AskModel = (options: unknown) => PromiseLike<{ readonly stream: ReadableStream<StreamPart> }>;

export interface AnswerSetting {
  readonly turn: HostTurn;
  readonly scope: Scope;
}

/** A model whose answers pass the hooks before Mastra streams and stores them. */
export function wrapModel(model: Model, setting: AnswerSetting): Model {
  return new Proxy(model, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as AskModel;
      return name === 'doStream' || name === 'doGenerate' ? passAnswers(method, setting) : method;
    },
  });
}

function passAnswers(ask: AskModel, { turn, scope }: AnswerSetting): AskModel {
  return async (options) => {
    const asked = await ask(options);
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
