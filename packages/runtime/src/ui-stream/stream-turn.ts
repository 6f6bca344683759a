import { checkOptionNames, type OptionNames } from '@spec/hooks';
import { findRunCode } from '../aborted.ts';
import type { Thread, UserInput } from '../runtime/thread.ts';
import type { UIMessageChunk } from './chunk.ts';
import type { UIMessageStreamOptions } from './options.ts';
import { turnStream } from './stream.ts';

export interface StreamTurnOptions extends Omit<UIMessageStreamOptions, 'turnId' | 'threadId'> {
  /** What becomes of the turn when the stream is cancelled. Default: it goes on, and its messages are stored. */
  readonly whenClientLeaves?: 'goOn' | 'stop';
  /** Told of the error that the turn ended with; the front end gets no more than its code. */
  readonly onError?: (error: unknown) => void;
}

const optionNames: OptionNames<StreamTurnOptions> = {
  input: true,
  known: true,
  sendReasoning: true,
  errorText: true,
  custom: true,
  whenClientLeaves: true,
  onError: true,
};

/** Sends a user message and gives its turn as the AI SDK's UI message stream: what a chat route answers with. */
export function streamTurn(
  thread: Thread,
  input: UserInput,
  given: StreamTurnOptions = {},
): ReadableStream<UIMessageChunk> {
  checkOptionNames('streamTurn', given, optionNames);
  const { whenClientLeaves = 'goOn', onError = () => {}, ...options } = given;
  const turnId = crypto.randomUUID();
  const ended = new AbortController();
  const { signal } = ended;
  const onCancel = whenClientLeaves === 'stop' ? stopper(thread, { turnId, signal }) : () => {};
  const events = thread.events({ signal, children: true });
  let code = 'closed';
  void thread
    .send(input, { id: turnId })
    .catch((error: unknown) => {
      code = findRunCode(error) ?? 'unexpected';
      onError(error);
    })
    .finally(() => ended.abort());
  return turnStream(events, { ...options, turnId, threadId: thread.id }, { codeOfEnd: () => code, onCancel });
}

/** Stops one turn and no other: where it has not begun, as soon as it does. */
function stopper(thread: Thread, { turnId, signal }: { turnId: string; signal: AbortSignal }): () => void {
  let isRunning = false;
  let hasLeft = false;
  thread.on(
    (event) => {
      if (!('turnId' in event) || event.turnId !== turnId) return;
      isRunning = event.type !== 'turn_ended';
      if (isRunning && hasLeft) void thread.stop();
    },
    { signal },
  );
  return () => {
    hasLeft = true;
    if (isRunning) void thread.stop();
  };
}
