import { checkOptionNames } from '@spec/hooks';
import type { ThreadEvent } from '../events/thread-event.ts';
import type { UIMessageChunk } from './chunk.ts';
import { streamOptionNames, type UIMessageStreamOptions } from './options.ts';
import { turnChunks } from './turn-chunks.ts';

/**
 * One turn of a thread as the AI SDK's UI message stream. Whoever reads slowly holds up nothing but this stream;
 * cancelling it ends the reading of events, not the turn.
 *
 * @param events what `thread.events()` gave, asked for before the turn began
 */
export function toUIMessageStream(
  events: AsyncIterable<ThreadEvent>,
  options: UIMessageStreamOptions = {},
): ReadableStream<UIMessageChunk> {
  checkOptionNames('toUIMessageStream', options, streamOptionNames);
  return turnStream(events, options, { codeOfEnd: () => 'closed', onCancel: () => {} });
}

/** How a stream ends in other ways than with its turn. */
export interface StreamEnds {
  /** The code of what ended the events before the turn. */
  readonly codeOfEnd: () => string;
  readonly onCancel: () => void;
}

export function turnStream(
  events: AsyncIterable<ThreadEvent>,
  options: UIMessageStreamOptions,
  { codeOfEnd, onCancel }: StreamEnds,
): ReadableStream<UIMessageChunk> {
  const turn = turnChunks(options);
  const reader = events[Symbol.asyncIterator]();
  let isCancelled = false;
  async function nextChunks(): Promise<UIMessageChunk[]> {
    for (;;) {
      const { done, value } = await reader.next();
      const chunks = done === true ? turn.cut({ code: codeOfEnd() }) : turn.take(value);
      if (chunks.length > 0 || done === true) return chunks;
    }
  }
  return new ReadableStream<UIMessageChunk>(
    {
      async pull(controller) {
        const chunks = await nextChunks();
        if (isCancelled) return;
        for (const chunk of chunks) controller.enqueue(chunk);
        if (!turn.isOver) return;
        controller.close();
        await reader.return?.();
      },
      async cancel() {
        isCancelled = true;
        onCancel();
        await reader.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
