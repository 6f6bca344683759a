import { DefinitionError, RunError } from '@spec/hooks';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/** How long after its deadline a script is still waited for, in milliseconds: its worker is ended then. */
const GRACE = 250;
/** Characters of JSON that a script may be given, at its start and as the result of one tool. */
const MAX_GIVEN = 4 * 1_048_576;

/** What a script gets, and who answers it. */
export interface ScriptRequest {
  readonly code: string;
  /** Its variables; JSON values. */
  readonly variables: Readonly<Record<string, unknown>>;
  /** Milliseconds of running time; waiting for tools does not count. */
  readonly deadline: number;
  callTool(name: string, input: Record<string, unknown>): Promise<unknown>;
  onLog(line: string): void;
  readonly signal?: AbortSignal;
}

/** How a script ended. */
export type ScriptEnd =
  | { readonly type: 'done'; readonly value: unknown }
  | {
      readonly type: 'failed';
      readonly code: 'threw' | 'timed_out' | 'never_settles' | 'crashed' | 'aborted' | 'given_too_much';
      /** What the script threw. It may quote data: for the model, never for records. */
      readonly message?: string | undefined;
      /** The line in which it threw, from 1. */
      readonly line?: number | undefined;
    };

/** What keeps a script from being run at all. */
export function findRefusal({ signal, variables }: ScriptRequest): ScriptEnd | undefined {
  if (signal?.aborted) return { type: 'failed', code: 'aborted' };
  return JSON.stringify(variables).length > MAX_GIVEN
    ? { type: 'failed', code: 'given_too_much' }
    : undefined;
}

/** The thread that a script runs in, as its run sees it. */
interface ScriptThread {
  /** Milliseconds that it may still need to start. */
  readonly startTime: number;
  send(message: ToWorker): void;
  /** Ends it, whatever it is doing. */
  cut(): void;
}

/**
 * The host's side of one run of a script.
 *
 * R1 The deadline is running time: it stands still while the thread starts, and while the script has nothing to do but wait for tools.
 * R2 A script that the thread itself does not stop at its deadline is stopped with the thread, a moment later.
 * R3 The thread's last word counts, where it was said in time, however late it is heard.
 */
export class ScriptRun {
  readonly #request: ScriptRequest;
  readonly #thread: ScriptThread;
  readonly #clock: Deadline = new Deadline(() => this.#cut('timed_out'));
  readonly #abort = (): void => this.#cut('aborted');
  #cutBy: 'timed_out' | 'aborted' | undefined;
  #isOver = false;
  #answered = 0;
  /** What is left of the deadline where the script waits for tools. */
  #remaining: number | undefined;

  constructor(request: ScriptRequest, thread: ScriptThread) {
    this.#request = request;
    this.#thread = thread;
  }

  start(): void {
    const { code, variables, deadline, signal } = this.#request;
    signal?.addEventListener('abort', this.#abort, { once: true });
    this.#clock.start(this.#thread.startTime + deadline + GRACE);
    this.#thread.send({ type: 'run', code, data: JSON.stringify(variables), deadline });
  }

  /** What the thread says; `undefined` is its loss. */
  hear(message: FromWorker | undefined, end: (value: ScriptEnd) => void): void {
    if (message === undefined) end({ type: 'failed', code: this.#cutBy ?? 'crashed' });
    else if (message.type === 'ready') this.#clock.start(this.#request.deadline + GRACE);
    else if (message.type === 'log') this.#request.onLog(message.isCut ? `${message.line}…` : message.line);
    else if (message.type === 'call') void this.#callTool(message);
    else if (message.type === 'waiting') this.#wait(message);
    else if (message.type === 'done') end(doneWith(message.json));
    else if (message.type === 'failed') {
      const { code, message: text, line } = message;
      end({ type: 'failed', code, message: text, line });
    }
  }

  stop(): void {
    this.#isOver = true;
    this.#clock.stop();
    this.#request.signal?.removeEventListener('abort', this.#abort);
  }

  #cut(why: 'timed_out' | 'aborted'): void {
    this.#cutBy = why;
    this.#thread.cut();
  }

  /** An answer that is on its way to it means that it is not waiting any more. */
  #wait({ remaining, answered }: Extract<FromWorker, { type: 'waiting' }>): void {
    if (answered !== this.#answered) return;
    this.#remaining = remaining;
    this.#clock.stop();
  }

  async #callTool({ id, name, input }: Extract<FromWorker, { type: 'call' }>): Promise<void> {
    const answer = await this.#callFunction(name, input);
    if (this.#isOver) return; // It did not wait for this call, and its thread may run another script by now.
    if (this.#remaining !== undefined) this.#clock.start(this.#remaining + GRACE);
    this.#remaining = undefined;
    this.#answered++;
    this.#thread.send({ type: 'answer', id, ...answer });
  }

  async #callFunction(name: string, input: string): Promise<{ result: string } | { error: string }> {
    try {
      const given: unknown = JSON.parse(input);
      if (typeof given !== 'object' || given === null || Array.isArray(given))
        return { error: `callTool('${name}', input): input must be an object.` };
      const result =
        JSON.stringify(await this.#request.callTool(name, given as Record<string, unknown>)) ?? 'null';
      if (result.length <= MAX_GIVEN) return { result };
      return { error: `The result of ${name} has ${result.length} characters; a script takes ${MAX_GIVEN}.` };
    } catch (error) {
      const isOurs = error instanceof RunError || error instanceof DefinitionError;
      return { error: isOurs ? error.message : `The tool ${name} could not be called.` };
    }
  }
}

function doneWith(json: string | undefined): ScriptEnd {
  return { type: 'done', value: json === undefined ? undefined : JSON.parse(json) };
}

/** A limit of time that can stand still. */
class Deadline {
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Immediate | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Ends in `ms` milliseconds, whatever was set before. What has arrived by then is heard first, however busy this thread was. */
  start(ms: number): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#check = setImmediate(this.#onEnd);
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#check);
  }
}
