import {
  checkOptionNames,
  DefinitionError,
  type Duration,
  describeWrongDuration,
  durationInMs,
} from '@spec/hooks';
import type { UIMessageChunk } from './chunk.ts';

export interface UIMessageStreamResponseOptions {
  /** Default 200. */
  readonly status?: number;
  /** Besides those of the protocol. */
  readonly headers?: Readonly<Record<string, string>>;
  /** After so long without a chunk a comment is sent, so that proxies keep the connection. Default 15 s. */
  readonly keepAlive?: Duration;
}

/**
 * A web `Response` that sends a UI message stream as server-sent events, in the AI SDK's protocol version 1. When the
 * client goes away, the stream is cancelled.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function uiMessageStreamResponse(
  stream: ReadableStream<UIMessageChunk>,
  options: UIMessageStreamResponseOptions = {},
): Response {
  checkOptionNames('uiMessageStreamResponse', options, { status: true, headers: true, keepAlive: true });
  const { status = 200, headers = {}, keepAlive = '15s' } = options;
  const keepAliveMs = durationInMs(keepAlive);
  if (keepAliveMs === undefined)
    throw new DefinitionError('bad_option', describeWrongDuration('keepAlive', keepAlive));
  return new Response(serverSentEvents(stream, keepAliveMs), {
    status,
    headers: { ...protocolHeaders, ...headers },
  });
}

const protocolHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-vercel-ai-ui-message-stream': 'v1',
  'x-accel-buffering': 'no', // Else nginx collects what should be sent at once.
};

function serverSentEvents(
  stream: ReadableStream<UIMessageChunk>,
  keepAliveMs: number,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(': keep-alive\n\n'));
      }, keepAliveMs);
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        controller.enqueue(encoder.encode(`data: ${done ? '[DONE]' : JSON.stringify(value)}\n\n`));
        if (!done) return;
        clearInterval(timer);
        controller.close();
      } catch (error) {
        clearInterval(timer);
        throw error;
      }
    },
    async cancel(reason) {
      clearInterval(timer);
      await reader.cancel(reason);
    },
  });
}
