import {
  createUIMessageStreamResponse,
  readUIMessageStream,
  type UIMessageChunk as TheirChunk,
  type UIMessage as TheirMessage,
} from 'ai';
import { expectTypeOf, test } from 'vitest';
import type { FamilyEvent, Thread, ThreadEvent } from '../index.ts';
import { streamTurn, toUIMessageStream, type UIMessage, type UIMessageChunk, userInputOf } from './index.ts';

declare const thread: Thread;

test('every chunk is one of the AI SDK’s', () => {
  expectTypeOf<UIMessageChunk>().toExtend<TheirChunk>();
  expectTypeOf<UIMessage>().toExtend<TheirMessage>();
  expectTypeOf(readUIMessageStream).toBeCallableWith({ stream: streamTurn(thread, 'Hi') });
  expectTypeOf(createUIMessageStreamResponse).toBeCallableWith({
    stream: toUIMessageStream(thread.events()),
  });
});

test('events name their thread where children are heard', () => {
  expectTypeOf(thread.events()).toEqualTypeOf<AsyncIterableIterator<ThreadEvent>>();
  expectTypeOf(thread.events({ children: true })).toEqualTypeOf<AsyncIterableIterator<FamilyEvent>>();
  thread.on((event) => expectTypeOf(event).toEqualTypeOf<ThreadEvent>());
  thread.on(({ threadId }) => expectTypeOf(threadId).toEqualTypeOf<string>(), { children: true });
  // @ts-expect-error a thread's own events do not name it
  thread.on(({ threadId }) => threadId);
});

test('a posted body is input', () => {
  expectTypeOf(thread.send).toBeCallableWith(userInputOf({}));
});
