import { describe, expect, test } from 'vitest';
import { runWhatIsReady } from '../../test/kit.ts';
import { type UIMessageChunk, uiMessageStreamResponse } from './index.ts';

interface Source {
  readonly stream: ReadableStream<UIMessageChunk>;
  readonly controller: ReadableStreamDefaultController<UIMessageChunk>;
  readonly cancelled: unknown[];
}

function source(): Source {
  const cancelled: unknown[] = [];
  let controller!: ReadableStreamDefaultController<UIMessageChunk>;
  const stream = new ReadableStream<UIMessageChunk>({
    start: (given) => {
      controller = given;
    },
    cancel: (reason) => void cancelled.push(reason),
  });
  return { stream, controller, cancelled };
}

describe('a response', () => {
  test('sends the chunks as the AI SDK reads them', async () => {
    const { stream, controller } = source();
    const response = uiMessageStreamResponse(stream, { status: 201, headers: { 'x-thread': 't1' } });
    expect(response.status).toBe(201);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'x-vercel-ai-ui-message-stream': 'v1',
      'x-thread': 't1',
    });
    controller.enqueue({ type: 'start' });
    controller.enqueue({ type: 'text-delta', id: 'a', delta: 'two\nlines' });
    controller.close();
    expect(await response.text()).toBe(
      'data: {"type":"start"}\n\ndata: {"type":"text-delta","id":"a","delta":"two\\nlines"}\n\ndata: [DONE]\n\n',
    );
  });

  test('says that it is alive while nothing happens', async () => {
    const { stream, controller } = source();
    const text = uiMessageStreamResponse(stream, { keepAlive: 5 }).text();
    await runWhatIsReady(40);
    controller.close();
    expect(await text).toMatch(/^(: keep-alive\n\n)+data: \[DONE]\n\n$/);
  });

  test('ends the stream when the client goes away, and fails with it', async () => {
    const gone = source();
    await uiMessageStreamResponse(gone.stream, { keepAlive: 1 }).body?.cancel('gone');
    expect(gone.cancelled).toEqual(['gone']);
    const broken = source();
    const text = uiMessageStreamResponse(broken.stream, { keepAlive: 1 }).text();
    broken.controller.error(new Error('broken'));
    await expect(text).rejects.toThrow('broken');
    await runWhatIsReady(10); // A timer that went on would write to a stream that is closed.
  });

  test('refuses a bad option', () => {
    const keepAlive = 'soon' as never;
    expect(() => uiMessageStreamResponse(source().stream, { keepAlive })).toThrow(/keepAlive/);
  });
});
