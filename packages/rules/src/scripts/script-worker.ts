import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type ScriptEnd, type ScriptRequest, ScriptRun } from './script-run.ts';
import type { FromWorker, SyntaxProblem, ToWorker, WorkerLimits } from './worker-messages.ts';

/** No types of Node 20 declare it. */
declare const WebAssembly: { readonly Module: new (bytes: Uint8Array) => object };

/** The engine of scripts, compiled once in a process: a worker that compiles it takes more than twice as long to start. */
let engine: object | undefined;

function compileEngine(): object {
  engine ??= new WebAssembly.Module(
    readFileSync(createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm')),
  );
  return engine;
}

const LIMITS: WorkerLimits = {
  memoryPages: 1024, // 64 MB
  maxJson: 1_048_576,
  maxCalls: 100,
  maxLog: 16_384,
  maxLines: 200,
};

/** How long a worker may take to start, in milliseconds: a loaded machine takes its time. */
const START = 10_000;
/** How long a script may take to be compiled, in milliseconds. */
const COMPILE = 5_000;

const CANNOT_BE_COMPILED: SyntaxProblem = {
  message: 'it cannot be compiled within its limits of time and memory',
  line: 1,
  column: 1,
};

/** A thread in which scripts run, one after another. */
export class ScriptWorker {
  /** The size of its memory after the last script. */
  bytes = 0;
  isAlive = true;
  readonly #thread: Worker;
  #isReady = false;
  /** Hears what the thread says; `undefined` is its loss. */
  #listener: (message: FromWorker | undefined) => void = () => {};

  constructor() {
    this.#thread = new Worker(new URL('./script-worker.mjs', import.meta.url), {
      workerData: { ...LIMITS, engine: compileEngine() },
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { stackSizeMb: 8, maxOldGenerationSizeMb: 96 },
    });
    this.#thread.unref();
    this.#thread.on('message', (message: FromWorker) => this.#hear(message));
    this.#thread.on('error', () => this.#lose()); // Out of memory, or it could not be started.
    this.#thread.on('exit', () => this.#lose());
  }

  /** Ends the thread, also in the middle of a script: nothing else stops a loop inside the engine. */
  async end(): Promise<void> {
    this.#lose();
    await this.#thread.terminate();
  }

  /** Where a script is not JavaScript. */
  check(code: string): Promise<SyntaxProblem | undefined> {
    const timer = setTimeout(() => void this.end(), START + COMPILE);
    const checked = this.#converse<SyntaxProblem | undefined>((message, end) => {
      if (message === undefined) end(CANNOT_BE_COMPILED);
      else if (message.type === 'checked') end(message.problem);
    });
    this.#send({ type: 'check', code });
    return checked.finally(() => clearTimeout(timer));
  }

  /** Runs a script to its end, whatever that is. */
  async run(request: ScriptRequest): Promise<ScriptEnd> {
    const run = new ScriptRun(request, {
      startTime: this.#isReady ? 0 : START,
      send: (message) => this.#send(message),
      cut: () => void this.end(),
    });
    const ended = this.#converse<ScriptEnd>((message, end) => run.hear(message, end));
    run.start();
    try {
      return await ended;
    } finally {
      run.stop();
    }
  }

  #hear(message: FromWorker): void {
    this.#isReady = true;
    if ('bytes' in message) this.bytes = message.bytes;
    if ('isBroken' in message && message.isBroken) this.isAlive = false;
    this.#listener(message);
  }

  #lose(): void {
    this.isAlive = false;
    this.#listener(undefined);
  }

  #send(message: ToWorker): void {
    if (this.isAlive) this.#thread.postMessage(message);
    else this.#listener(undefined);
  }

  /** Hears what comes until an end; the thread keeps the process alive for so long. */
  #converse<T>(hear: (message: FromWorker | undefined, end: (value: T) => void) => void): Promise<T> {
    this.#thread.ref();
    return new Promise<T>((resolve) => {
      const end = (value: T): void => {
        this.#listener = () => {};
        this.#thread.unref();
        resolve(value);
      };
      this.#listener = (message) => hear(message, end);
    });
  }
}
