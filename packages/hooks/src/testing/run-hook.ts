import { type AnyHook, type Hook, isHook } from '../define/define.ts';
import { scopeOf } from '../define/scope.ts';
import type { Duration } from '../duration.ts';
import { DefinitionError, RunError } from '../errors.ts';
import { createExecutor, type Executor } from '../executor/executor.ts';
import type { LateWrite } from '../executor/permit.ts';
import { lifecycleTable } from '../lifecycle/table.ts';
import type { MatchEnvironment } from '../match/matcher.ts';
import { checkOptionNames, type OptionNames } from '../option-names.ts';
import type { ChainResult, HookArgs, LifecycleName } from '../vocabulary/lifecycle.ts';
import type { RunRecord } from '../vocabulary/record.ts';
import { chainedView } from './chained-writes.ts';
import { type FakeState, fakeState } from './fake-state.ts';
import { type VirtualClock, virtualClock } from './virtual-clock.ts';

/** What a hook is run with, where the defaults do not do. */
export interface RunHookOptions {
  /** Default: an empty {@link fakeState}. */
  readonly state?: FakeState;
  /** For a hook that names no timeout. Default 5 s, as in a runtime. */
  readonly timeout?: Duration;
  /** The `source` in the run's record. Default `'test'`. */
  readonly source?: string;
  /** How a matcher resolves paths. */
  readonly environment?: MatchEnvironment;
  /** To share one clock with the functions that the hook calls. Default: one of its own. */
  readonly clock?: VirtualClock;
}

/** What came of running one hook. */
export interface HookOutcome<K extends LifecycleName> {
  /** What the caller of the chain gets: the next subject, a verdict, texts. Throws {@link error} where the chain was blocked. */
  readonly result: ChainResult<K>;
  /** Why the chain was blocked: what the hook's failure does to a turn. */
  readonly error: RunError | undefined;
  /** What the hook threw, as it threw it. */
  readonly thrown: unknown;
  /** The record of the hook's run, as it goes to a ledger. */
  readonly run: RunRecord;
}

/** A hook that is running. Await it for its {@link HookOutcome}; time stands still until {@link advance} moves it. */
export interface HookTrial<K extends LifecycleName> extends Promise<HookOutcome<K>> {
  readonly state: FakeState;
  readonly clock: VirtualClock;
  /** The records of all runs, in the order in which they ended: also of those that the hook's own writes caused. */
  readonly runs: readonly RunRecord[];
  /** What the hook tried to write after it had ended; nothing of it was written. */
  readonly lateWrites: readonly LateWrite[];
  /** Moves the time on, see {@link VirtualClock.advance}. */
  advance(duration: Duration): Promise<void>;
  /** Aborts the thread while the hook runs. */
  abort(reason?: unknown): void;
}

/** Of a hook that may have one of several names, as in a list, the trial is of one of them. */
type TrialOf<K extends LifecycleName> = K extends LifecycleName ? HookTrial<K> : never;

type RunWithOptions = <Given extends AnyHook | Hook>(
  hook: Given,
  ...args: HookArgs<Given['hook']>
) => TrialOf<Given['hook']>;

/** Runs one hook; `with` gives a variant that has options. */
export interface RunHook extends RunWithOptions {
  with(options: RunHookOptions): RunWithOptions;
}

/**
 * Runs one hook as a runtime would, through the real executor, on a fake state and a clock that stands still.
 *
 * @example const { result, run } = await runHook(last20, messages);
 * @throws {DefinitionError} `bad_hook` for what `defineHook` did not make.
 */
export const runHook: RunHook = Object.assign(makeRun({}), { with: makeRun });

function makeRun(options: RunHookOptions): RunWithOptions {
  return (hook, ...args) =>
    start(options, hook as Hook, args as unknown as HookArgs<LifecycleName>) as TrialOf<
      (typeof hook)['hook']
    >;
}

const optionNames: OptionNames<RunHookOptions> = {
  state: true,
  timeout: true,
  source: true,
  environment: true,
  clock: true,
};

/** What is noted while a hook runs. */
interface Notes {
  readonly runs: RunRecord[];
  readonly lateWrites: LateWrite[];
  own?: { readonly run: RunRecord; readonly thrown: unknown };
}

function start<K extends LifecycleName>(
  options: RunHookOptions,
  hook: Hook<K>,
  args: HookArgs<K>,
): HookTrial<K> {
  if (!isHook(hook)) throw new DefinitionError('bad_hook', 'runHook takes a hook that defineHook made.');
  checkOptionNames('runHook.with', options, optionNames);
  refuseMissingArguments(hook, args.length);
  const { clock = virtualClock(), source = 'test' } = options;
  const state = options.state ?? fakeState({ clock });
  const notes: Notes = { runs: [], lateWrites: [] };
  const scope = scopeOf([{ hook: hook as unknown as AnyHook, source }]);
  const executor: Executor = createExecutor({
    clock,
    ...(options.timeout === undefined ? {} : { timeout: options.timeout }),
    ...(options.environment === undefined ? {} : { environment: options.environment }),
    view: (viewed, permit) => chainedView(viewed, permit, { scope, executor: () => executor }),
    onLateWrite: (late) => notes.lateWrites.push(late),
    onRun(run, details) {
      notes.runs.push(run);
      if (details.state === state) notes.own = { run, thrown: details.error };
    },
  });
  const run = async (): Promise<ChainResult<K>> => executor.run(hook.hook, scope, state, ...args);
  return Object.assign(awaitOutcome(run(), notes), {
    state,
    clock,
    runs: notes.runs,
    lateWrites: notes.lateWrites,
    advance: (duration: Duration) => clock.advance(duration),
    abort: (reason?: unknown) => state.abort(reason),
  });
}

/** Without its subject a hook fails somewhere inside of us, which looks like a fault of the hook. */
function refuseMissingArguments(
  { id, hook }: { readonly id: string; readonly hook: LifecycleName },
  given: number,
): void {
  const wanted = lifecycleTable[hook].args.length;
  if (given >= wanted) return;
  const problem = `"${id}" needs ${wanted} behind the hook, those of ${hook} without the state; got ${given}.`;
  throw new DefinitionError('bad_option', `runHook: arguments are missing: ${problem}`);
}

async function awaitOutcome<K extends LifecycleName>(
  running: Promise<ChainResult<K>>,
  notes: Notes,
): Promise<HookOutcome<K>> {
  let ended: { readonly result: ChainResult<K> } | { readonly error: RunError };
  try {
    ended = { result: await running };
  } catch (error) {
    if (!(error instanceof RunError)) throw error;
    ended = { error };
  }
  const { run, thrown } = notes.own as NonNullable<Notes['own']>;
  if ('result' in ended) return { result: ended.result, error: undefined, thrown, run };
  return withoutResult({ error: ended.error, thrown, run });
}

/** The getter is not enumerable, so that an outcome can still be printed and compared. */
function withoutResult<K extends LifecycleName>(outcome: Omit<HookOutcome<K>, 'result'>): HookOutcome<K> {
  return Object.defineProperty(outcome, 'result', {
    get() {
      throw outcome.error;
    },
  }) as HookOutcome<K>;
}
