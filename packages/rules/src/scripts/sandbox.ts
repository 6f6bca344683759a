import { RunError } from '@spec/hooks';
import { ScriptWorker } from './script-worker.ts';
import type { SyntaxProblem } from './worker-messages.ts';

/** How many warm workers wait for the next script. */
const IDLE_WORKERS = 2;

/** A worker with more memory than this is not used again: WebAssembly memory never shrinks. */
const MAX_IDLE_BYTES = 32 * 1024 * 1024;

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
      readonly code: 'threw' | 'timed_out' | 'never_settles' | 'crashed' | 'aborted';
      /** What the script threw. It may quote data: for the model, never for records. */
      readonly message?: string;
    };

/** Runs untrusted scripts, one at a time in each worker. */
export interface Sandbox {
  /** Rejects only when the sandbox is closed. @throws {RunError} `closed` */
  run(request: ScriptRequest): Promise<ScriptEnd>;
  /** What is wrong with a script, found without running it. @throws {RunError} `closed` */
  check(code: string): Promise<SyntaxProblem | undefined>;
  /** Ends the workers that wait for work; one that is needed later starts then. */
  rest(): void;
  /** Ends all workers, also those that are running. Twice is once. */
  close(): Promise<void>;
}

/** Makes a sandbox (design §9). Workers start when they are first needed, and keep no process alive. */
export function createSandbox(): Sandbox {
  const idle: ScriptWorker[] = [];
  const all = new Set<ScriptWorker>();
  let isClosed = false;

  const take = (): ScriptWorker => {
    if (isClosed) throw new RunError('closed', 'The sandbox of scripts is closed.');
    const warm = idle.pop();
    if (warm !== undefined) return warm;
    const worker = new ScriptWorker();
    all.add(worker);
    return worker;
  };

  const giveBack = (worker: ScriptWorker): void => {
    const isGood =
      worker.isAlive && worker.bytes <= MAX_IDLE_BYTES && idle.length < IDLE_WORKERS && !isClosed;
    if (isGood) idle.push(worker);
    else {
      all.delete(worker);
      void worker.end();
    }
  };

  const use = async <T>(work: (worker: ScriptWorker) => Promise<T>): Promise<T> => {
    const worker = take();
    try {
      return await work(worker);
    } finally {
      giveBack(worker);
    }
  };

  return {
    run: (request) => use((worker) => worker.run(request)),
    check: (code) => use((worker) => worker.check(code)),
    rest() {
      for (const worker of idle.splice(0)) {
        all.delete(worker);
        void worker.end();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...all].map((worker) => worker.end()));
    },
  };
}
