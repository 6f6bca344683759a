import type { Deadline } from './deadlines.ts';
import type { AnyHook } from './define.ts';
import { Deliberation } from './deliberation.ts';
import { RunError } from './errors.ts';
import type { ExecutorSettings } from './executor.ts';
import { type Failure, InputProblem, invalidResult, threadAborted, timedOut, tookTooLong } from './failure.ts';
import type { LifecycleName } from './lifecycle.ts';
import type { ToolCallView } from './match/matcher.ts';
import { HookPermit, hookPermit } from './permit.ts';
import type { Outcome } from './record.ts';
import type { ChainMember } from './scope.ts';
import { thread } from './shapes/index.ts';
import type { Shape } from './shapes/shape.ts';
import { issuePaths, type StandardSchema } from './standard-schema.ts';
import type { ThreadState } from './state.ts';
import { type AnyRow, rowOf } from './table.ts';
import { type Taken, takeByKind } from './take.ts';

/** Hooks within hooks within hooks: a hook that writes messages runs the create chain again (C8). */
const MAX_DEPTH = 4;

export interface ChainStart {
  readonly settings: ExecutorSettings;
  readonly hook: LifecycleName;
  readonly members: readonly ChainMember[];
  readonly state: ThreadState;
  readonly args: readonly unknown[];
}

type Execute = (state: ThreadState, ...args: unknown[]) => unknown;

/** One run of one chain: which hook is running, what it was lent, and what came of it so far. */
export class ChainRun {
  readonly row: AnyRow;
  readonly shape: Shape<unknown> | undefined;
  readonly timers: { setTimeout: typeof setTimeout; clearTimeout: typeof clearTimeout };
  /** The private value that the chain carries (C2): hooks see copies of it. */
  subject: unknown;
  /** The copy of the subject that the running hook was lent. */
  lent: unknown;
  /** Counts how often the walk was ended from outside; an older walk that wakes up finds another number. */
  walks = 0;

  readonly #settings: ExecutorSettings;
  readonly #members: readonly ChainMember[];
  readonly #state: ThreadState;
  readonly #context: readonly unknown[];
  readonly #signal: AbortSignal | undefined;
  readonly #depth: number;
  readonly #deadline: Deadline & { passed: () => void };
  readonly #deliberation: Deliberation | undefined;
  #position = -1;
  #member: ChainMember | undefined;
  #permit: HookPermit | undefined;
  #startedAt = 0;
  #timeoutMs = 0;
  #taken: Taken | undefined;
  #collected: readonly string[] = [];

  constructor({ settings, hook, members, state, args }: ChainStart) {
    this.row = rowOf(hook);
    const last = args.length - 1;
    this.shape = this.row.args[last];
    this.subject = args[last];
    this.#settings = settings;
    this.#members = members;
    this.#state = state;
    this.#context = last > 0 ? args.slice(0, last) : [];
    this.#depth = depthOf(state, hook);
    this.#signal = state.execution?.abortSignal;
    this.#deadline = { at: 0, passed: () => {} };
    this.#deliberation = this.row.kind === 'decide' ? new Deliberation(members.map((member) => member.hook.id)) : undefined;
    this.timers = this.#createTimers() as never;
  }

  get hook(): AnyHook {
    return (this.#member as ChainMember).hook;
  }

  /** p-timeout's timers: the deadline's place in the executor's list, and an ear for the thread's abort. */
  #createTimers(): { setTimeout: (expire: () => void) => void; clearTimeout: () => void } {
    const { deadlines, aborts } = this.#settings;
    const signal = this.#signal;
    let expire: () => void;
    return {
      setTimeout: (callback) => {
        expire = callback;
        this.#deadline.passed = callback;
        deadlines.add(this.#deadline);
        if (signal !== undefined) aborts.add(signal, expire);
      },
      clearTimeout: () => {
        deadlines.remove(this.#deadline);
        if (signal !== undefined) aborts.remove(signal, expire);
      },
    };
  }

  /** The next hook to run. @throws {RunError} `aborted` (C6) */
  next(): ChainMember | undefined {
    const position = this.#deliberation === undefined ? this.#position + 1 : this.#deliberation.next();
    this.#member = position === undefined ? undefined : this.#members[position];
    if (this.#member === undefined) return undefined;
    this.#position = position as number;
    if (this.#signal?.aborted) throw this.#abortChain();
    return this.#member;
  }

  /** Starts the hook's clock; `false` where its matcher does not want this call. */
  begin({ hook }: ChainMember): boolean {
    const { clock, deadlines } = this.#settings;
    this.#startedAt = clock.now();
    this.#timeoutMs = hook.timeout ?? this.#settings.timeoutMs;
    const at = this.#startedAt + this.#timeoutMs;
    const isEarlier = at < this.#deadline.at;
    this.#deadline.at = at;
    if (isEarlier) deadlines.moved(this.#deadline);
    return hook.matcher === undefined || this.#matches(hook);
  }

  #matches(hook: AnyHook): boolean {
    const call = this.#toolCallView();
    const { environment, onRun } = this.#settings;
    try {
      if (hook.matcher?.test(call, environment)) return true;
    } catch (error) {
      throw new InputProblem(error instanceof RunError ? error.message : 'the matcher could not be applied');
    }
    this.#deliberation?.skip(this.#position);
    if (onRun !== undefined) this.#record('skipped', hook.matcher?.explain(call, environment));
    return false;
  }

  #toolCallView(): ToolCallView {
    const { name, arguments: json } = (this.row.toolCall as NonNullable<AnyRow['toolCall']>)([...this.#context, this.subject]).function;
    return { name, input: parseOrUndefined(json) };
  }

  async checkSchema(schema: StandardSchema): Promise<void> {
    const { issues } = await schema['~standard'].validate(this.shape === undefined ? this.subject : this.shape.lend(this.subject));
    if (issues !== undefined) throw new InputProblem(`the subject did not pass the hook's schema at ${issuePaths(issues)}`);
  }

  /** Calls the hook with a view of the state and copies of the data (C2, C4, C5). */
  call({ hook }: ChainMember): unknown {
    const { view, onLateWrite } = this.#settings;
    const permit = new HookPermit({ hook: hook.hook, id: hook.id, depth: this.#depth + 1, onLateWrite });
    this.#permit = permit;
    const state = view(this.#state, permit);
    const execute = hook.execute as Execute;
    if (this.shape === undefined) return execute(state);
    this.lent = this.shape === thread ? view(this.subject as ThreadState, permit) : this.shape.lend(this.subject);
    if (this.#context.length === 0) return execute(state, this.lent);
    return execute(state, ...this.#context.map((value, i) => (this.row.args[i] as Shape<unknown>).lend(value)), this.lent);
  }

  /** Takes what the hook answered, checked (C3). The failure where it came too late or a rewritten input does not fit. */
  take(returned: unknown): Failure | undefined | Promise<Failure | undefined> {
    const ms = this.#settings.clock.now() - this.#startedAt;
    if (ms > this.#timeoutMs) return tookTooLong(this.#timeoutMs, ms);
    this.#taken = takeByKind[this.row.kind](this, returned);
    const { checkInput } = this.#settings;
    if (this.#deliberation === undefined || !this.#taken.changed || checkInput === undefined) return undefined;
    return this.#checkRewrite(checkInput, this.#taken.subject);
  }

  async #checkRewrite(check: NonNullable<ExecutorSettings['checkInput']>, subject: unknown): Promise<Failure | undefined> {
    const broken = await check(this.hook.hook, subject, this.#state);
    return broken === undefined ? undefined : invalidResult(`the rewritten input does not fit: ${broken}`);
  }

  succeed(): void {
    this.#permit?.close();
    const taken = this.#taken as Taken;
    this.#record(taken.outcome, undefined, taken);
    this.subject = taken.subject;
    if (taken.collected !== undefined) this.#collected = [...this.#collected, ...taken.collected];
    this.#deliberation?.hear(this.#position, taken.decision ?? null, taken.changed);
    if (this.#deliberation !== undefined && taken.outcome === 'denied') this.#skipRest();
  }

  /** @throws {RunError} where the failure blocks the chain and nothing can take the subject's place */
  fail(failure: Failure): void {
    this.#permit?.close();
    this.#record(failure.outcome, failure);
    const { hook, onError, onTimeout, id } = this.hook;
    const policy = (failure.outcome === 'timed_out' ? onTimeout : undefined) ?? onError ?? this.row.onFailure;
    if (this.#deliberation !== undefined) return this.#decideFailure(policy, failure);
    if (policy === 'continue') return;
    this.#skipRest();
    if (this.row.withhold === undefined) throw new RunError(failure.code, failureText(this.hook, failure), { hook, id });
    this.subject = this.row.withhold(id);
  }

  #decideFailure(policy: 'block' | 'continue' | 'ask', failure: Failure): void {
    const reason = failureText(this.hook, failure);
    const decision = policy === 'continue' ? null : ({ decision: policy === 'ask' ? 'ask' : 'deny', reason } as const);
    this.#deliberation?.hear(this.#position, decision, false);
    if (policy === 'block') this.#skipRest();
  }

  /** The running hook's deadline passed, or the thread was aborted: the chain goes on without the hook (C4). */
  endFromOutside(): void {
    this.walks++;
    if (this.#member === undefined) return;
    if (this.#signal?.aborted) {
      this.#permit?.abort(this.#signal.reason);
      this.#record('aborted', threadAborted);
      this.#position++;
      throw this.#abortChain();
    }
    this.#permit?.abort(new DOMException(`the hook's ${this.#timeoutMs} ms are over`, 'TimeoutError'));
    this.fail(timedOut(this.#timeoutMs));
  }

  #abortChain(): RunError {
    const { hook } = this.#members[0] as ChainMember;
    for (const member of this.#members.slice(this.#position)) this.#recordSkipped(member, 'the thread was aborted');
    return new RunError('aborted', `The thread was aborted while its ${hook.hook} hooks ran.`, { hook: hook.hook });
  }

  /** Ends the chain: the hooks after this one are passed over. */
  #skipRest(): void {
    const by = this.hook.id;
    if (this.#settings.onRun !== undefined) {
      for (const member of this.#members.slice(this.#position + 1)) this.#recordSkipped(member, `the hook "${by}" had ended the chain`);
    }
    this.#position = this.#members.length;
  }

  #recordSkipped(member: ChainMember, why: string): void {
    this.#member = member;
    this.#startedAt = this.#settings.clock.now();
    this.#record('skipped', why);
  }

  /** What the chain's caller gets. */
  result(): unknown {
    if (this.#deliberation !== undefined) return this.#deliberation.verdict(this.subject);
    if (this.row.kind === 'collect') return this.#collected;
    return this.row.kind === 'observe' ? undefined : this.subject;
  }

  #record(outcome: Outcome, failure?: Failure | string, taken?: Taken): void {
    const { onRun, clock } = this.#settings;
    if (onRun === undefined) return;
    const { hook, source } = this.#member as ChainMember;
    const before = this.subject;
    const after = taken === undefined ? before : taken.subject;
    const sizeBefore = this.shape === undefined ? 0 : this.shape.size(before);
    const { code, why, error } = typeof failure === 'object' ? failure : { code: undefined, why: failure, error: undefined };
    onRun(
      {
        hook: hook.hook,
        id: hook.id,
        source,
        outcome,
        changed: taken?.changed ?? false,
        ms: outcome === 'skipped' ? 0 : clock.now() - this.#startedAt,
        sizeBefore,
        sizeAfter: after === before || this.shape === undefined ? sizeBefore : this.shape.size(after),
        ...(code === undefined ? undefined : { code }),
        ...(why === undefined ? undefined : { why }),
      },
      { state: this.#state, before, after, error },
    );
  }
}

function depthOf(state: ThreadState, hook: string): number {
  const depth = (state as { [hookPermit]?: HookPermit })[hookPermit]?.depth ?? 0;
  if (depth < MAX_DEPTH) return depth;
  const message = `Hooks that write messages ran each other's chains more than ${MAX_DEPTH} deep, last ${hook}. Make one of them stop.`;
  throw new RunError('depth_exceeded', message, { hook });
}

function failureText({ id, hook }: AnyHook, { code, why }: Failure): string {
  const what = { hook_failed: 'failed', hook_timed_out: 'timed out', aborted: 'was aborted' }[code as string] ?? `had an ${code.replace('_', ' ')}`;
  return `Hook "${id}" (${hook}) ${what}${why === undefined ? '' : `: ${why}`}.`;
}

function parseOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
