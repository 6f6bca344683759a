import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import type { Scope } from '@spec/hooks';
import { type HostTurn, PassingParts } from '@spec/hooks/host';
import type { MadeCall } from './conversation.ts';
import type { EndedCall } from './model-call.ts';

type Part = LanguageModelV3StreamPart;

/** What a stream is sent through. */
export interface StreamSetting {
  readonly turn: HostTurn;
  readonly scope: Scope;
  /** Called when the model has ended its answer, or failed. */
  readonly onEnd: (ended: EndedCall) => Promise<void>;
  /** Called with the calls of a whole answer, as they have left. */
  readonly onAnswer: (calls: readonly MadeCall[]) => void;
}

const BROKEN: EndedCall = { errorCode: 'model_failed', finishReason: { unified: 'error', raw: undefined } };

/** Sends a streamed answer through the hooks on answers, and tells when it has ended. It may break off without a word. */
export function passStream({ turn, scope, onEnd, onAnswer }: StreamSetting): TransformStream<Part, Part> {
  const parts = turn.takesMessages ? new PassingParts<Part>(turn, scope) : undefined;
  const calls: MadeCall[] = [];
  let isOver = false;
  const end = async (ended: EndedCall): Promise<void> => {
    if (isOver) return;
    isOver = true;
    await onEnd(ended);
  };
  return new TransformStream({
    async transform(part, controller) {
      if (part.type === 'finish') await end({ ...part, errorCode: null });
      if (part.type === 'error') await end(BROKEN);
      for (const next of parts === undefined ? [part] : await parts.take(part)) {
        if (next.type === 'tool-call') calls.push(next);
        if (next.type === 'finish') onAnswer(calls);
        controller.enqueue(next);
      }
    },
    flush: () => end(BROKEN),
  });
}
