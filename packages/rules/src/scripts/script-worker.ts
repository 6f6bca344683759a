import { Worker } from 'node:worker_threads';
import type { ScriptEnd, ScriptRequest } from './sandbox.ts';
import type { FromWorker, SyntaxProblem, ToWorker } from './worker-messages.ts';

/** 64 MB, in pages of 64 KiB. */
const MEMORY_PAGES = 1024;
const MAX_CALLS = 100;
/** Characters that one run of a script may log. */
const MAX_LOG = 16_384;
/** How long after its deadline a script is still waited for, in milliseconds: its worker is ended then. */
const GRACE = 250;
/** How long a worker may take to start, in milliseconds. */
const START = 10_000;

/** A thread in which scripts run, one after another. */
export class ScriptWorker {
  /** The size of its memory after the last script. */
  bytes = 0;
  isAlive = true;
  readonly #thread: Worker;
  #isStarted = false;
  #listener: (message: FromWorker | undefined) => void = () => {};

  constructor() {
    this.#thread = new Worker(new URL('./script-worker.mjs', import.meta.url), {
      workerData: { memoryPages: MEMORY_PAGES },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { stackSizeMb: 8, maxOldGenerationSizeMb: 96 },
    });
    this.#thread.unref();
    this.#thread.on('message', (message: FromWorker) => this.#listener(message));
    this.#thread.on('error', () => this.#lose()); // Out of memory, or it could not be started.
    this.#thread.on('exit', () => this.#lose());
  }

  async end(): Promise<void> {
    this.#lose();
    await this.#thread.terminate();
  }

  #lose(): void {
    this.isAlive = false;
    this.#listener(undefined);
  }

  #send(message: ToWorker): void {
    this.#thread.postMessage(message);
  }

  /** Where a script is not JavaScript. */
  check(code: string): Promise<SyntaxProblem | undefined> {
    return this.#converse<SyntaxProblem | undefined>({ type: 'check', code }, (message, end) => {
      if (message === undefined) return end({ message: 'it could not be compiled', line: 1, column: 1 });
      if (message.type === 'checked') end(message.problem);
      return undefined;
    });
  }

  /** Runs a script to its end, whatever that is. */
  run(request: ScriptRequest): Promise<ScriptEnd> {
    const { code, variables, deadline, signal } = request;
    if (signal?.aborted) return Promise.resolve({ type: 'failed', code: 'aborted' });
    const clock = new Deadline(() => this.#cut('timed_out'));
    clock.start((this.#isStarted ? 0 : START) + deadline + GRACE);
    const abort = (): void => this.#cut('aborted');
    signal?.addEventListener('abort', abort, { once: true });
    const data = JSON.stringify(variables);
    const start: ToWorker = { type: 'run', code, data, deadline, maxCalls: MAX_CALLS, maxLog: MAX_LOG };
    const ended = this.#converse<ScriptEnd>(start, (message, end) => {
      if (message?.type === 'waiting') return clock.stop();
      if (message?.type === 'call')
        return void this.#callTool(request, message, () => clock.start(deadline + GRACE));
      if (message?.type === 'log') return request.onLog(message.isCut ? `${message.line}…` : message.line);
      return end(this.#endOf(message));
    });
    return ended.finally(() => {
      clock.stop();
      signal?.removeEventListener('abort', abort);
    });
  }

  #cutBy: 'timed_out' | 'aborted' | undefined;

  /** Ends the thread in the middle of a script: nothing else stops a loop inside the engine. */
  #cut(why: 'timed_out' | 'aborted'): void {
    this.#cutBy = why;
    void this.end();
  }

  #endOf(message: FromWorker | undefined): ScriptEnd {
    if (message?.type === 'done')
      return { type: 'done', value: message.json === undefined ? undefined : JSON.parse(message.json) };
    if (message?.type === 'failed') {
      const { code, message: text } = message;
      return { type: 'failed', code, ...(text === undefined ? {} : { message: text }) };
    }
    return { type: 'failed', code: this.#cutBy ?? 'crashed' };
  }

  async #callTool(
    request: ScriptRequest,
    { id, name, input }: Extract<FromWorker, { type: 'call' }>,
    goOn: () => void,
  ): Promise<void> {
    const answer = await resultOf(request, name, input);
    if (!this.isAlive) return;
    goOn();
    this.#send({ type: 'answer', id, ...answer });
  }

  /** Sends a message and hears what comes until an end; `undefined` is the loss of the thread. */
  #converse<T>(
    message: ToWorker,
    hear: (message: FromWorker | undefined, end: (value: T) => void) => void,
  ): Promise<T> {
    this.#thread.ref();
    return new Promise<T>((resolve) => {
      const end = (value: T): void => {
        this.#listener = () => {};
        this.#thread.unref();
        resolve(value);
      };
      this.#listener = (heard) => {
        this.#isStarted = true;
        if (heard !== undefined && 'bytes' in heard) this.bytes = heard.bytes;
        if (heard !== undefined && 'isBroken' in heard && heard.isBroken) this.isAlive = false;
        hear(heard, end);
      };
      if (this.isAlive) this.#send(message);
      else hear(undefined, end);
    });
  }
}

async function resultOf(
  { callTool }: ScriptRequest,
  name: string,
  input: string,
): Promise<{ result: string } | { error: string }> {
  try {
    const result = await callTool(name, JSON.parse(input));
    return { result: JSON.stringify(result) ?? 'null' };
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'the tool could not be called' };
  }
}

/** A limit of time that stands still while tools run. */
class Deadline {
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  start(ms: number): void {
    this.stop();
    this.#timer = setTimeout(this.#onEnd, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
