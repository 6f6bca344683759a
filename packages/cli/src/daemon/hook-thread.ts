import { Worker } from 'node:worker_threads';
import type { HookFolder } from '../hook/called.ts';
import type { ThreadData, ThreadReply, ThreadRequest } from './messages.ts';

/** The hooks of a folder in a thread of their own. */
export interface HookThread {
  /** Rejects with {@link Unanswered} if the thread ends, or does not answer in time: then it is ended. @param limit milliseconds */
  ask(question: Question, limit: number): Promise<ThreadReply>;
  /** Whether it answers no more. */
  isOver(): boolean;
  /** Ends it as soon as it has answered what it was asked. */
  retire(): void;
}

type Question = ThreadRequest extends infer Request
  ? Request extends ThreadRequest
    ? Omit<Request, 'id'>
    : never
  : never;

/** The thread ended without an answer; the message says why. */
export class Unanswered extends Error {}

const ENDED = 'The hooks ended their process.';
const LATE = 'The hooks did not answer in time.';

/** Starts the thread. Nothing is loaded in it before it is asked. */
export function startHookThread(folder: HookFolder): HookThread {
  const [, program = ''] = process.argv;
  const workerData: ThreadData = { folder };
  const worker = new Worker(program, { workerData, stdout: true, stderr: true, argv: [] });
  worker.stdout.resume(); // What hooks print is thrown away: some agents take any text for an answer.
  worker.stderr.resume();
  const waiting = new Map<number, Waiting>();
  let asked = 0;
  let isOver = false;
  let isRetired = false;
  const giveUp = (why: string): void => {
    isOver = true;
    for (const { reject } of waiting.values()) reject(new Unanswered(why));
    waiting.clear();
    void worker.terminate();
  };
  worker.on('message', (reply: ThreadReply) => waiting.get(reply.id)?.resolve(reply));
  worker.on('error', () => giveUp(ENDED)).on('exit', () => giveUp(ENDED));
  return {
    isOver: () => isOver,
    retire() {
      isRetired = true;
      if (waiting.size === 0) giveUp(ENDED);
    },
    ask(question, limit) {
      if (isOver) return Promise.reject(new Unanswered(ENDED));
      const id = ++asked;
      const timer = setTimeout(() => giveUp(LATE), limit);
      const reply = new Promise<ThreadReply>((resolve, reject) => waiting.set(id, { resolve, reject }));
      worker.postMessage({ ...question, id } satisfies ThreadRequest);
      return reply.finally(() => {
        clearTimeout(timer);
        waiting.delete(id);
        if (isRetired && waiting.size === 0) giveUp(ENDED);
      });
    },
  };
}

/** The error for a reply that is no answer. */
export function makeUnanswered(reply: ThreadReply): Unanswered {
  return new Unanswered(reply.kind === 'failed' ? reply.why : 'The hooks gave no answer.');
}

interface Waiting {
  resolve(reply: ThreadReply): void;
  reject(error: Unanswered): void;
}
