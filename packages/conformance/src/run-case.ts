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
}

export interface RunCaseOptions {
  /** Milliseconds that a case may take, without what its trials need to close. Default 5,000. */
  readonly timeLimit?: number;
}

/** How long the trials of a case may take to close, in milliseconds. */
const CLOSING_LIMIT = 2_000;

/** Runs one case on a subject. Never rejects: what goes wrong is in the outcome. */
export async function runCase(
  one: Case,
  subject: Subject,
  { timeLimit = 5_000 }: RunCaseOptions = {},
): Promise<CaseOutcome> {
  const started = performance.now();
  const end = (outcome: CaseOutcome['outcome'], message?: string): CaseOutcome => ({
    id: one.id,
    outcome,
    ...(message === undefined ? {} : { message }),
    ms: performance.now() - started,
  });
  const missing = missingAbilities(one, subject);
  if (missing.length > 0) return end('not_applicable', `needs ${missing.join(', ')}`);
  const bench = new OpenBench(subject);
  try {
    await within(timeLimit, `the case did not end within ${timeLimit} ms`, () => one.run(bench));
    return end('passed');
  } catch (error) {
    return end('failed', textOf(error));
  } finally {
    await bench.close();
  }
}

/** The abilities that a case needs and a subject does not have. */
export function missingAbilities({ needs = [] }: Case, { abilities }: Subject): readonly Ability[] {
  return needs.filter((ability) => !abilities.includes(ability));
}

class OpenBench implements TestBench {
  readonly subject: Subject;
  readonly open: TestBench['open'] = async (setup) => this.#keep(await this.subject.open(setup));
  readonly #trials: Trial[] = [];
  #isClosed = false;

  constructor(subject: Subject) {
    this.subject = subject;
  }

  /** Closes all trials, the newest first; what cannot be closed is left alone: the case has been judged. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const trial of this.#trials.reverse()) await closeQuietly(trial);
  }

  #keep(trial: Trial): FullTrial {
    this.#trials.push(trial);
    if (this.#isClosed) void closeQuietly(trial); // The case took too long.
    return new Proxy(trial, {
      get: (target, name) => this.#methodOf(target, name),
    }) as FullTrial;
  }

  #methodOf(trial: Trial, name: string | symbol): unknown {
    const value: unknown = Reflect.get(trial, name);
    if (name === 'then') return undefined;
    if (value === undefined) return () => Promise.reject(cannot(this.subject, String(name)));
    if (typeof value !== 'function') return value;
    const method = value.bind(trial) as (...args: unknown[]) => unknown;
    if (name !== 'reopen' && name !== 'crashAndResume') return method;
    return async () => this.#keep((await method()) as Trial);
  }
}

function cannot({ name }: Subject, method: string): Error {
  return new Error(`The trials of the subject "${name}" have no "${method}", though its abilities need it.`);
}

async function closeQuietly(trial: Trial): Promise<void> {
  await within(CLOSING_LIMIT, 'it did not close', () => trial.close()).catch(() => {});
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

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${typeof error}`;
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? `${error.message} (${error.name}, ${code})` : error.message;
}
