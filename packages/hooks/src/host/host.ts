import { createRegistry } from '../define/registry.ts';
import type { Scope } from '../define/scope.ts';
import { RunError } from '../errors.ts';
import { createExecutor, type Executor, type ExecutorOptions } from '../executor/executor.ts';
import { guardState } from '../executor/guard-state.ts';
import { type HookPermit, hookTexts } from '../executor/permit.ts';
import { checkOptionNames, type OptionNames } from '../option-names.ts';
import type { ThreadState } from '../vocabulary/state.ts';
import { TurnExecution, UnstoppedExecution } from './execution.ts';
import { checkHonoured, dropUnhonoured } from './honours.ts';
import { bridgeOptionNames, checkHostOptions, chooseOwners, type HostOptions } from './host-options.ts';
import { KeptValues, type ThreadValues } from './kept-values.ts';
import { LastThreads } from './last-threads.ts';
import { storeMessage, updateMessage } from './messages.ts';
import { StoredValues } from './stored-values.ts';
import { makeState, type StateParts, type ThreadPort, writesMessages } from './thread-port.ts';
import { ThreadRecorder } from './thread-recorder.ts';
import { ChainedTurn, type HostTurn } from './turn.ts';
import { TurnChains } from './turn-chains.ts';

/** The thread and the turn that hooks run in. */
export interface TurnOptions {
  /**
   * Values that hooks keep (`state.setValue`) belong to it. Without a `store` they are kept in memory, for the 1,000 threads that were used
   * last. Default, also for an empty text: a new id, so no other turn has its values.
   */
  readonly threadId?: string | undefined;
  /** Default: a new id. */
  readonly turnId?: string | undefined;
  /** Default: the name of the `agent`, else of the host. */
  readonly agentId?: string | undefined;
  readonly userId?: string | null | undefined;
  /** Ends the hooks that run, and lets no other begin. */
  readonly abortSignal?: AbortSignal | undefined;
  /** What the place lets hooks do with its thread. */
  readonly thread?: ThreadPort;
}

/** Our hooks in one place of somebody else's. */
export interface Host {
  /** The hooks in effect. */
  readonly scope: Scope;
  /** Whether there is nothing to do: no hook is in effect, and no store keeps messages. */
  readonly isIdle: boolean;
  /** Begins a turn. */
  openTurn(options?: TurnOptions): HostTurn;
}

const optionNames: OptionNames<HostOptions> = {
  name: true,
  honours: true,
  ...bridgeOptionNames,
};

const turnOptionNames: OptionNames<TurnOptions> = {
  ...{ threadId: true, turnId: true, agentId: true, userId: true, abortSignal: true, thread: true },
};

/**
 * Runs hooks in a loop that is not ours: a framework's, a coding agent's, one of your own.
 *
 * @throws {DefinitionError} `bad_hook` where a hook would not run as documented, with the reason of each; `bad_option` for an option of the
 * wrong sort; as {@link createRegistry} does
 */
export function createHost(options: HostOptions): Host {
  checkOptionNames('createHost', options, optionNames);
  checkHostOptions(options);
  const { name, honours, hooks = [], policies = [], allowPartial = [], agent, prompt } = options;
  const registry = createRegistry({ hooks, policies });
  checkHonoured(name, honours, { hooks: [...registry.hooks.values()], allowPartial });
  if (agent !== undefined && prompt !== undefined) registry.scope({ agent }); // A list that the prompt's hides is checked too.
  const scope = dropUnhonoured(registry.scope(chooseOwners(options)), honours);
  const values = new LastThreads(() => new KeptValues());
  const states = new States();
  const executor = makeExecutor(options, states);
  return {
    scope,
    isIdle: Object.keys(scope).length === 0 && options.store === undefined,
    openTurn(turn = {}) {
      checkOptionNames('openTurn', turn, turnOptionNames);
      const threadId = readThreadId(turn.threadId);
      const kept = threadId === undefined ? new KeptValues() : values.find(threadId);
      return openTurn({ options, scope, executor, states }, { ...turn, threadId, values: kept });
    },
  };
}

/** Turns of one thread share what hooks keep, so turns that have no name for theirs must not be of one. @throws {RunError} `invalid_input` */
function readThreadId(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given === 'string') return given;
  throw new RunError('invalid_input', 'The threadId of a turn must be a text.');
}

/** What all turns of a host share. */
interface Shared {
  readonly options: HostOptions;
  readonly scope: Scope;
  readonly executor: Executor;
  readonly states: States;
}

function openTurn(
  { options, scope, executor, states }: Shared,
  { thread: port = {}, values, ...turn }: TurnOptions & { readonly values: ThreadValues },
): HostTurn {
  const { name, agent, onAsk, store } = options;
  const execution = new TurnExecution(turn);
  const threadId = turn.threadId ?? crypto.randomUUID();
  const agentId = turn.agentId ?? agent?.name ?? name;
  const thread = { threadId, agentId, userId: turn.userId ?? null, execution };
  const recorder = store === undefined ? undefined : new ThreadRecorder(store, thread);
  // Field by field: what is spread and then gets more fields has a hidden class of its own in each turn.
  const parts: StateParts = {
    threadId,
    agentId,
    userId: thread.userId,
    execution,
    place: name,
    usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
    values: store && recorder ? new StoredValues(store, threadId, recorder) : values,
    port: store === undefined ? port : { ...port, listMessages: () => store.listMessages(threadId) },
    inject: (insert, message, permit) =>
      storeMessage(chains, states.make(known, permit), { message, insert, permit }),
    update: (apply, change, permit) =>
      updateMessage(chains, states.make(known, permit), { ...change, apply, permit }),
  };
  const known: KnownTurn = { parts, recorder };
  const makeUnstopped = (): StateParts => ({ ...parts, execution: new UnstoppedExecution(execution) });
  const chains = new TurnChains({
    executor,
    scope,
    onAsk,
    recorder,
    state: states.make(known),
    makeStateOfHooks: () => Object.assign(states.make(known), { [hookTexts]: true }),
    makeStateDespiteAbort: () => states.make({ parts: makeUnstopped(), recorder }),
  });
  return new ChainedTurn(chains, execution);
}

/** What the states of a turn are made of, and what keeps its runs. */
interface KnownTurn {
  readonly parts: StateParts;
  readonly recorder: ThreadRecorder | undefined;
}

/** The states of open turns, each with its turn. */
class States {
  readonly #turns = new WeakMap<object, KnownTurn>();

  make(turn: KnownTurn, permit?: HookPermit): ThreadState {
    const state = makeState(turn.parts, permit);
    this.#turns.set(state, turn);
    return state;
  }

  /** The same thread for one hook: what it writes counts as written within that hook. A thread that takes no messages is the same for all. */
  view(state: ThreadState, permit: HookPermit): ThreadState {
    const turn = this.#turns.get(state);
    const isOwn = turn !== undefined && writesMessages(turn.parts.port);
    return guardState(isOwn ? this.make(turn, permit) : state, permit);
  }

  findRecorder(state: ThreadState): ThreadRecorder | undefined {
    return this.#turns.get(state)?.recorder;
  }
}

function makeExecutor({ timeout, clock, environment, ...told }: HostOptions, states: States): Executor {
  return createExecutor({
    ...(timeout === undefined ? {} : { timeout }),
    ...(clock === undefined ? {} : { clock }),
    ...(environment === undefined ? {} : { environment }),
    ...makeOnRun(told, states),
    ...(told.onLateWrite === undefined ? {} : { onLateWrite: told.onLateWrite }),
    view: (state, permit) => states.view(state, permit),
  });
}

function makeOnRun(
  { onRun, store }: Pick<HostOptions, 'onRun' | 'store'>,
  states: States,
): Pick<ExecutorOptions, 'onRun'> {
  if (store === undefined) return onRun === undefined ? {} : { onRun };
  return {
    onRun(record, told) {
      states.findRecorder(told.state)?.note(record);
      onRun?.(record, told);
    },
  };
}
