import type { AnyHook } from '../define/define.ts';
import type { ChainMember } from '../define/scope.ts';
import { RunError } from '../errors.ts';
import type { AnyRow } from '../lifecycle/row.ts';
import type { Borrower } from '../shapes/shape.ts';
import { issuePaths, type StandardSchema } from '../standard-schema.ts';
import type { EntryRun } from '../vocabulary/record.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { type Abortable, type AbortWatch, findFiringSignal } from './aborts.ts';
import { ChainArguments, explainMismatch } from './arguments.ts';
import type { ChainEnd, ChainStart, ExecutorSettings } from './chain-start.ts';
import type { Deadline } from './deadlines.ts';
import { Deliberation } from './deliberation.ts';
import {
  decideByPolicy,
  type Failure,
  InputProblem,
  textForModel,
  threadAborted,
  timedOut,
  tookTooLong,
} from './failure.ts';
import { depthAround, HookPermit, type HookRunner, permitAround } from './permit.ts';
import { recordEntryRun, recordFailure, recordSkip, recordSuccess } from './records.ts';
import type { RunningChain } from './running-chain.ts';
import { checkRewrite, type Taken, takeAnswer, withholdSubject } from './take-answer.ts';

/**
 * One run of one chain: the running hook, what it was lent, and the results so far.
 *
 * R1 A hook is running from `begin` until exactly one of `succeed`, `fail` and `expire` ends it; each records it (C10).
 * R2 A deadline or the thread's abort ends the running hook at that instant, not later: a hook
 *    that settles in the same tick can only be before it or too late.
 * R3 While a person decides on something that the running hook waits for, its clock stands still.
 */
export class ChainRun implements RunningChain, HookRunner, Deadline, Abortable, Borrower {
  readonly row: AnyRow;
  readonly settings: ExecutorSettings;
  readonly state: ThreadState;
  readonly args: ChainArguments;
  /** Counts how often a walk was ended from outside; an older walk that wakes up finds another number. */
  walks = 0;
  /** The running hook's deadline. */
  at: number = Number.POSITIVE_INFINITY;
  slot = 0;
  /** When its clock began to run, last. */
  since = 0;
  /** When the running hook began. */
  startedAt = 0;
  /** How long it took to answer. */
  ms = 0;

  readonly #end: ChainEnd;
  readonly #members: readonly ChainMember[];
  readonly #abort: AbortWatch | undefined;
  readonly #depth: number;
  readonly #deliberation: Deliberation | undefined;
  #position = -1;
  #member!: ChainMember;
  #running = false;
  #permit!: HookPermit;
  #timeoutMs = 0;
  /** How often the running hook's clock was stopped and did not run again, since when, and how long before that. */
  #pauses = 0;
  #pausedAt = 0;
  #pausedMs = 0;
  /** What others took of its time. */
  #othersMs = 0;
  #answer: unknown;
  #taken!: Taken;
  #collected: readonly string[] = [];

  constructor(start: ChainStart, end: ChainEnd) {
    const { settings, hook, row, members, state } = start;
    this.row = row;
    this.settings = settings;
    this.state = state;
    this.args = new ChainArguments(start);
    this.#end = end;
    this.#members = members;
    this.#depth = depthAround(state, hook);
    this.#abort = settings.aborts(findFiringSignal(state.execution));
    this.#deliberation =
      row.kind === 'decide' ? new Deliberation(members.map((member) => member.hook.id)) : undefined;
  }

  get hook(): AnyHook {
    return this.#member.hook;
  }

  /** Listens for deadlines and for the thread's abort, until the chain's end. */
  open(): void {
    this.settings.deadlines.add(this);
    this.#abort?.add(this);
  }

  #close(): void {
    this.settings.deadlines.remove(this);
    this.#abort?.remove(this);
  }

  /** The next hook to run, or `undefined` at the end of the chain. @throws {RunError} `aborted` (C6) */
  next(): AnyHook | undefined {
    const position = this.#deliberation === undefined ? this.#position + 1 : this.#deliberation.next();
    const member = position === undefined ? undefined : this.#members[position];
    if (member === undefined) return undefined;
    if (this.#abort?.aborted) throw this.#abortChain();
    this.#position = position as number;
    this.#member = member;
    return member.hook;
  }

  /** Starts the hook's clock; `false` if its matcher does not match this call. */
  begin(): boolean {
    const { hook } = this.#member;
    const { clock, deadlines, timeoutMs, onLateWrite } = this.settings;
    this.#running = true;
    this.#pauses = 0;
    this.#pausedMs = 0;
    this.#othersMs = 0;
    this.startedAt = clock.now();
    this.since = this.startedAt;
    this.#timeoutMs = hook.timeout ?? timeoutMs;
    this.at = this.startedAt + this.#timeoutMs;
    deadlines.moved(this);
    this.#permit = new HookPermit({
      hook: hook.hook,
      id: hook.id,
      depth: this.#depth + 1,
      onLateWrite,
      chain: this,
      member: this.#member,
      within: permitAround(this.state),
    });
    return hook.matcher === undefined || this.#matches(hook.matcher);
  }

  #matches(matcher: NonNullable<AnyHook['matcher']>): boolean {
    const why = explainMismatch(matcher, this.args, this.settings.environment);
    if (why === undefined) return true;
    this.#running = false;
    this.#deliberation?.skip(this.#position);
    recordSkip(this, this.#member, why);
    return false;
  }

  /** The time in which a person decides is not the hook's: its deadline moves by as much (R3). */
  pauseClock(): () => void {
    const permit = this.#permit;
    const { clock, deadlines } = this.settings;
    if (this.#pauses++ === 0) {
      this.#pausedAt = clock.now();
      this.at = Number.POSITIVE_INFINITY;
    }
    let isPaused = true;
    return () => {
      if (!isPaused || permit !== this.#permit || !this.#running) return;
      isPaused = false;
      if (--this.#pauses > 0) return;
      this.since = clock.now();
      this.#pausedMs += this.since - this.#pausedAt;
      this.at = this.startedAt + this.#pausedMs + this.#othersMs + this.#timeoutMs;
      deadlines.moved(this);
    };
  }

  /** A deadline measures the hook's own time. What the event loop did for others does not count. */
  postpone(ms: number): void {
    if (!this.#running || this.#pauses > 0) return;
    this.#othersMs += ms;
    this.at += ms;
  }

  /** Also after the hook has settled, since recording is no write. */
  noteEntry(member: ChainMember, run: EntryRun): void {
    recordEntryRun(this, member, run);
  }

  async checkSchema(schema: StandardSchema): Promise<void> {
    const { issues } = await schema['~standard'].validate(this.args.lend(this));
    if (issues !== undefined)
      throw new InputProblem(`the subject did not pass the hook's schema at ${issuePaths(issues)}`);
  }

  /** Calls the hook with a view of the state and copies of the data (C2, C4, C5). */
  call(): unknown {
    return this.args.call(this.hook, this, this.view(this.state));
  }

  view(state: ThreadState): ThreadState {
    return this.settings.view(state, this.#permit);
  }

  /** Checks and takes the hook's answer (C3). Returns the failure if it came too late or a rewritten input does not fit. */
  take(returned: unknown): Failure | undefined | Promise<Failure | undefined> {
    this.#permit.close();
    this.ms = this.elapsedMs;
    if (this.ms > this.#timeoutMs && this.#isLate()) return tookTooLong(this.#timeoutMs, this.ms);
    this.#answer = returned;
    this.#taken = takeAnswer(this, returned);
    const { held } = this.#taken;
    return this.#deliberation && held !== this.args.subject ? checkRewrite(this, held.value) : undefined;
  }

  #isLate(): boolean {
    this.settings.deadlines.settle();
    return this.ms - this.#othersMs > this.#timeoutMs;
  }

  /** How long the running hook has had, without the time of a person. */
  get elapsedMs(): number {
    const now = this.#pauses > 0 ? this.#pausedAt : this.settings.clock.now();
    return now - this.startedAt - this.#pausedMs;
  }

  succeed(): void {
    this.#running = false;
    const taken = this.#taken;
    recordSuccess(this, this.#member, taken);
    const rewritten = taken.held !== this.args.subject && this.args.judgeRewrite(this.#answer, taken.held);
    this.args.subject = taken.held;
    if (taken.collected !== undefined) this.#collected = [...this.#collected, ...taken.collected];
    this.#deliberation?.addOpinion(this.#position, taken.decision, rewritten);
    if (taken.outcome === 'denied') this.skipRest(`the hook "${this.hook.id}" had denied`);
  }

  /** @throws {RunError} if the failure blocks the chain and nothing can replace the subject */
  fail(failure: Failure): void {
    const { hook } = this;
    const isTimeout = failure.outcome === 'timed_out';
    this.#running = false;
    this.#permit.close();
    if (isTimeout)
      this.#permit.abort(new DOMException(`the hook's ${this.#timeoutMs} ms are over`, 'TimeoutError'));
    recordFailure(this, this.#member, failure);
    const policy = (isTimeout ? hook.onTimeout : undefined) ?? hook.onError ?? this.row.onFailure;
    this.#deliberation?.addOpinion(
      this.#position,
      decideByPolicy(policy, textForModel(hook, failure)),
      false,
    );
    if (policy === 'continue' || (policy === 'ask' && this.#deliberation !== undefined)) return;
    this.skipRest(`the hook "${hook.id}" had blocked the chain`);
    if (this.#deliberation === undefined) withholdSubject(this, failure);
  }

  /** The running hook's deadline passed, or the thread was aborted: the chain goes on without the hook (C4, R2). */
  expire(): void {
    if (!this.#running) return;
    this.walks++;
    this.at = Number.POSITIVE_INFINITY;
    try {
      if (this.#abort?.aborted) throw this.#abortRunning(this.#abort.reason);
      this.fail(timedOut(this.#timeoutMs));
    } catch (error) {
      this.reject(error);
      return;
    }
    this.#end.walkOn();
  }

  #abortRunning(reason: unknown): RunError {
    this.#running = false;
    this.#permit.abort(reason);
    recordFailure(this, this.#member, threadAborted);
    return this.#abortChain();
  }

  #abortChain(): RunError {
    const { hook } = (this.#members[0] as ChainMember).hook;
    this.skipRest('the thread was aborted');
    const { threadId } = this.state;
    return new RunError('aborted', `The thread was aborted while its ${hook} hooks ran.`, { hook, threadId });
  }

  /** Ends the chain: the hooks that have not run are passed over. */
  skipRest(why: string): void {
    const deliberation = this.#deliberation;
    const rest =
      deliberation === undefined
        ? this.#members.slice(this.#position + 1)
        : this.#members.filter((_, i) => i !== this.#position && !deliberation.asked(i));
    for (const member of rest) recordSkip(this, member, why);
    this.#position = this.#members.length;
  }

  finish(): void {
    this.#close();
    this.#end.resolve(this.#result());
  }

  /** Ends the chain with an error. */
  reject(error: unknown): void {
    this.#close();
    this.#end.reject(error);
  }

  #result(): unknown {
    if (this.#deliberation !== undefined) return this.#deliberation.verdict(this.args.subject.value);
    if (this.row.kind === 'collect') return this.#collected;
    return this.row.kind === 'observe' ? undefined : this.args.subject.value;
  }
}
