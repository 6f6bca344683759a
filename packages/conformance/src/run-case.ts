import type { Case, TestBench } from './case.ts';
import type { Ability, FullTrial, Subject, Trial } from './subject.ts';

/** What a case came to. */
export interface CaseOutcome {
  readonly id: string;
  readonly outcome: 'passed' | 'failed' | 'not_applicable';
  /** Why it failed, or what the subject would have to be able to do. */
  readonly message?: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** How often it was run, where that was more than once. */
  readonly tries?: number;
}

export interface RunCaseOptions {
  /** Milliseconds that a case may take, without what its trials need to close. Default 10,000. */
  readonly timeLimit?: number;
}

/** How long a trial may take to close, in milliseconds; no longer than its case. */
const CLOSING_LIMIT = 4_000;

/** What a setup that names no timeout gives a hook, in milliseconds: enough on a machine under load. */
const HOOK_TIMEOUT = 8_000;

/** A process that was held up for longer than this may have ended hooks that were in time, in milliseconds. */
const HELD_UP = 20;

/** How often a case is run whose process was held up each time. */
const MAX_TRIES = 3;

/**
 * Runs one case on a subject. Never rejects: what goes wrong is in the outcome. A case that failed while the process was held up,
 * by other programs or by what else runs in it, is run again: hooks have 40 ms in cases about timeouts.
 */
export async function runCase(
  one: Case,
  subject: Subject,
  { timeLimit = 10_000 }: RunCaseOptions = {},
): Promise<CaseOutcome> {
  const { id } = one;
  const missing = missingAbilities(one, subject);
  if (missing.length > 0)
    return { id, outcome: 'not_applicable', message: `needs ${missing.join(', ')}`, ms: 0 };
  const started = performance.now();
  for (let tries = 1; ; tries++) {
    const began = performance.now();
    const longestDelay = watchDelays();
    const problem = await problemWith(one, subject, timeLimit);
    const isHeldUp = longestDelay() > HELD_UP && performance.now() - began < timeLimit;
    if (problem !== undefined && isHeldUp && tries < MAX_TRIES) continue;
    return {
      ...{ id, outcome: problem === undefined ? 'passed' : 'failed', ms: performance.now() - started },
      ...(problem === undefined ? {} : { message: problem }),
      ...(tries === 1 ? {} : { tries }),
    };
  }
}

/** Runs a case, and closes its trials. Gives what went wrong. */
async function problemWith(one: Case, subject: Subject, timeLimit: number): Promise<string | undefined> {
  const bench = new OpenBench(subject);
  const problem = await within(timeLimit, `the case did not end within ${timeLimit} ms`, () =>
    one.run(bench),
  ).then(() => undefined, describeError);
  const unclosed = await bench.close(Math.min(CLOSING_LIMIT, timeLimit));
  return problem ?? unclosed;
}

/** Watches how long the process is held up at a time, until it is asked, in milliseconds. */
function watchDelays(): () => number {
  const step = 5;
  let last = performance.now();
  let longest = 0;
  const look = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last - step);
    last = now;
  };
  const timer = setInterval(look, step);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };
}

/** The abilities that a case needs and a subject does not have. */
export function missingAbilities({ needs = [] }: Case, { abilities }: Subject): readonly Ability[] {
  return needs.filter((ability) => !abilities.includes(ability));
}

class OpenBench implements TestBench {
  readonly subject: Subject;
  readonly open: TestBench['open'] = async (setup) =>
    this.#keep(await this.subject.open({ hookTimeout: HOOK_TIMEOUT, ...setup }), 'open');
  readonly #trials = new Set<Trial>();
  #isClosed = false;

  constructor(subject: Subject) {
    this.subject = subject;
  }

  /** Closes all trials, the newest first. Gives what was wrong with that. */
  async close(limit: number): Promise<string | undefined> {
    this.#isClosed = true;
    const problems: Array<string | undefined> = [];
    for (const trial of [...this.#trials].reverse()) problems.push(await findProblemOfClosing(trial, limit));
    return problems.find((problem) => problem !== undefined);
  }

  #keep(trial: Trial, from: string): FullTrial {
    if (typeof trial !== 'object' || trial === null)
      throw new Error(`The subject "${this.subject.name}" gave no trial from "${from}".`);
    this.#trials.add(trial);
    if (this.#isClosed) void findProblemOfClosing(trial, CLOSING_LIMIT); // The case took too long.
    return new Proxy(trial, {
      get: (target, name) => this.#findMethod(target, name),
    }) as FullTrial;
  }

  #findMethod(trial: Trial, name: string | symbol): unknown {
    const value: unknown = Reflect.get(trial, name);
    if (name === 'then') return undefined;
    if (value === undefined) return () => this.#refuse(String(name));
    if (typeof value !== 'function') return value;
    const method = ignoreLateErrors(value.bind(trial) as (...args: unknown[]) => unknown);
    if (name !== 'reopen' && name !== 'crashAndResume') return method;
    return async () => {
      const next = this.#keep((await method()) as Trial, name);
      this.#trials.delete(trial);
      return next;
    };
  }

  #refuse(method: string): Promise<never> {
    const error = new Error(
      `The trials of the subject "${this.subject.name}" have no "${method}", though its abilities need it.`,
    );
    if (immediate.has(method)) throw error;
    return Promise.reject(error);
  }
}

/** A case that fails no longer waits for what it asked for. What fails then must not end the process. */
function ignoreLateErrors(method: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
  return (...args) => {
    const answer = method(...args);
    if (answer instanceof Promise) answer.catch(() => {});
    return answer;
  };
}

/** The methods that give no promise. */
const immediate: ReadonlySet<string> = new Set(['sent', 'streamed']);

async function findProblemOfClosing(trial: Trial, limit: number): Promise<string | undefined> {
  const late = `it did not end within ${limit} ms`;
  return within(limit, late, () => trial.close()).then(
    () => undefined,
    (error: unknown) => `closing a trial of the case: ${describeError(error)}`,
  );
}

async function within<T>(ms: number, late: string, run: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late)), ms);
  });
  try {
    return await Promise.race([run(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whatever a subject throws: an error may fail when it is asked for its text. */
function describeError(error: unknown): string {
  try {
    if (!(error instanceof Error)) return `it threw ${typeof error}`;
    const { message, name, code } = error as Error & { code?: unknown };
    return typeof code === 'string' ? `${String(message)} (${String(name)}, ${code})` : String(message);
  } catch {
    return 'it threw what does not tell what it is';
  }
}
