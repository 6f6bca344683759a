import { RunError } from '@spec/hooks';
import { findRefusal, type ScriptEnd, type ScriptRequest } from './script-run.ts';
import { ScriptWorker } from './script-worker.ts';
import type { SyntaxProblem } from './worker-messages.ts';

/** How many warm workers wait for the next script. */
const IDLE_WORKERS = 2;
/** How many scripts of one level run at the same time; more wait for their turn. */
const RUNNING_SCRIPTS = 16;

/** A worker with more memory than this is not used again: WebAssembly memory never shrinks. */
const MAX_IDLE_BYTES = 32 * 1024 * 1024;

/** Runs untrusted scripts, one at a time in each worker. */
export interface Sandbox {
  /**
   * Rejects only when the sandbox is closed.
   *
   * @param level 0, or for a script that runs inside a tool call of another one: 1, 2, … A level waits for no turn of another.
   * @throws {RunError} `closed`
   */
  run(request: ScriptRequest, level?: number): Promise<ScriptEnd>;
  /** What is wrong with a script, found without running it. @throws {RunError} `closed` */
  check(code: string): Promise<SyntaxProblem | undefined>;
  /** Ends the workers that wait for work; one that is needed later starts then. */
  rest(): void;
  /** Ends all workers, including running ones. Idempotent. */
  close(): Promise<void>;
}

/** Makes a sandbox (design §9). Workers start when they are first needed, and keep no process alive while they wait. */
export function createSandbox(): Sandbox {
  const idle: ScriptWorker[] = [];
  const all = new Set<ScriptWorker>();
  const levels: Turns[] = [];
  let isClosed = false;

  const take = (): ScriptWorker => {
    if (isClosed) throw new RunError('closed', 'The sandbox of scripts is closed.');
    const warm = idle.pop();
    if (warm !== undefined) return warm;
    const worker = new ScriptWorker();
    all.add(worker);
    return worker;
  };

  const end = (worker: ScriptWorker): void => {
    all.delete(worker);
    void worker.end();
  };

  const giveBack = (worker: ScriptWorker): void => {
    const isGood = worker.isAlive && worker.bytes <= MAX_IDLE_BYTES && idle.length < IDLE_WORKERS;
    if (isGood && !isClosed) idle.push(worker);
    else end(worker);
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
    async run(request, level = 0) {
      levels[level] ??= new Turns();
      const turns = levels[level];
      await turns.take();
      try {
        return findRefusal(request) ?? (await use((worker) => worker.run(request)));
      } finally {
        turns.giveBack();
      }
    },
    check: (code) => use((worker) => worker.check(code)),
    rest() {
      for (const worker of idle.splice(0)) end(worker);
    },
    async close() {
      isClosed = true;
      await Promise.all([...all].map((worker) => worker.end()));
    },
  };
}

/** The turns of one level, first come, first served. */
class Turns {
  #free = RUNNING_SCRIPTS;
  readonly #waiting: (() => void)[] = [];

  async take(): Promise<void> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free++;
    else next();
  }
}
