import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { refuseLateInput } from './input.ts';
import type { Running } from './runs.ts';

/** A `StreamedRunResult` of whatever context and agent. */
interface Streamed {
  readonly state: Parameters<typeof refuseLateInput>[0];
  readonly completed: Promise<void>;
  readonly cancelled: boolean;
  toStream(): unknown;
  toTextStream(): unknown;
}

/**
 * Has a streamed run end when its last hooks have run and its last writes are made, and reject with their error: `completed` and whatever
 * reads the stream. A reader who has gone waits for nothing, and has stopped the turn.
 */
export function endStreamed(result: Streamed, { aborts, conversation, unanswered }: Running): void {
  const finish = async (): Promise<void> => {
    if (result.cancelled) aborts.abort();
    else await conversation.endBatch();
  };
  const takeInput = refuseLateInput(result.state);
  const ended = result.completed.finally(takeInput).then(finish);
  // The reader of the stream is told, as the SDK does it. Calls that the run has left open are answered by nobody else.
  ended.catch(() => {
    unanswered.fail();
    aborts.abort();
  });
  const waitForEnd = <Piece>(stream: ReadableStream<Piece>): ReadableStream<Piece> =>
    stream.pipeThrough(
      new TransformStream<Piece, Piece>({
        flush: async () => {
          if (!result.cancelled) await ended;
        },
      }),
    );
  const giveStream = result.toStream.bind(result);
  const giveTexts = result.toTextStream.bind(result);
  let stream: ReadableStream<unknown> | undefined;
  const toStream = (): ReadableStream<unknown> => {
    stream ??= waitForEnd(giveStream() as ReadableStream<unknown>);
    return stream;
  };
  const toTextStream = (options?: { compatibleWithNodeStreams?: boolean }): unknown => {
    const texts = waitForEnd(giveTexts() as ReadableStream<string>);
    return options?.compatibleWithNodeStreams === true ? Readable.fromWeb(texts as NodeStream) : texts;
  };
  const iterate = (): AsyncIterator<unknown> => toStream()[Symbol.asyncIterator]();
  Object.defineProperties(result, {
    completed: { get: () => ended },
    toStream: { value: toStream },
    toTextStream: { value: toTextStream },
    [Symbol.asyncIterator]: { value: iterate },
  });
}
