import { createRegistry } from '../define/registry.ts';
import type { Scope } from '../define/scope.ts';
import { DefinitionError, RunError } from '../errors.ts';
import { createExecutor, type Executor, type ExecutorOptions } from '../executor/executor.ts';
import { guardState } from '../executor/guard-state.ts';
import type { HookPermit } from '../executor/permit.ts';
import { checkOptionNames, type OptionNames } from '../option-names.ts';
import { isRecord } from '../values.ts';
import type { HookMessage } from '../vocabulary/messages.ts';
import type { ModelUsage } from '../vocabulary/model-usage.ts';
import type { NewMessage, ThreadState } from '../vocabulary/state.ts';
import { TurnExecution } from './execution.ts';
import { checkHonoured, dropUnhonoured } from './honours.ts';
import { bridgeOptionNames, checkHostOptions, chooseOwners, type HostOptions } from './host-options.ts';
import { findParts, makeState } from './host-state.ts';
import { KeptValues, type ThreadValues } from './kept-values.ts';
import { LastThreads } from './last-threads.ts';
import { storeMessage, updateMessage } from './messages.ts';
import { StoredValues } from './stored-values.ts';
import {
  type ApplyUpdates,
  type InsertMessage,
  type MessageUpdates,
  type ThreadPort,
  writesMessages,
} from './thread-port.ts';
import { ThreadRecorder } from './thread-recorder.ts';
import { ChainedTurn, type HostTurn } from './turn.ts';
import { type PartsOfTurn, TurnChains } from './turn-chains.ts';

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
  const executor = makeExecutor(options);
  return {
    scope,
    isIdle: Object.keys(scope).length === 0 && options.store === undefined,
    openTurn(turn = {}) {
      checkOptionNames('The options of a turn', turn, turnOptionNames);
      checkPort(turn.thread);
      const threadId = readThreadId(turn.threadId);
      const kept = threadId === undefined ? new KeptValues() : values.find(threadId);
      return openTurn({ options, scope, executor }, { ...turn, threadId, values: kept });
    },
  };
}

/** Turns of one thread share what hooks keep, so turns that have no name for theirs must not be of one. @throws {RunError} `invalid_input` */
function readThreadId(given: unknown): string | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  if (typeof given === 'string') return given;
  throw new RunError('invalid_input', 'The threadId of a turn must be a text.');
}

/** A name in its place would be taken for a thread that can do nothing. @throws {DefinitionError} `bad_option` */
function checkPort(given: unknown): void {
  if (given === undefined || isRecord(given)) return;
  const rule = 'thread must be an object with what hooks may do with their thread; its name is "threadId"';
  throw new DefinitionError('bad_option', `The options of a turn: ${rule}.`);
}

/** What all turns of a host share. */
interface Shared {
  readonly options: HostOptions;
  readonly scope: Scope;
  readonly executor: Executor;
}

function openTurn(
  { options, scope, executor }: Shared,
  turn: TurnOptions & { readonly values: ThreadValues },
): HostTurn {
  const execution = new TurnExecution(turn);
  const parts = new TurnParts(options, turn, execution);
  const chains = new TurnChains({ executor, scope, onAsk: options.onAsk, parts });
  parts.chains = chains;
  return new ChainedTurn(chains, execution);
}

/** What the states of one turn are made of. */
class TurnParts implements PartsOfTurn {
  readonly place: string;
  readonly threadId: string;
  readonly agentId: string;
  readonly userId: string | null;
  readonly execution: TurnExecution;
  readonly usage: ModelUsage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 };
  readonly port: ThreadPort;
  readonly values: ThreadValues;
  readonly recorder: ThreadRecorder | undefined;
  chains!: TurnChains;

  constructor(
    { name, agent, store }: HostOptions,
    turn: TurnOptions & { readonly values: ThreadValues },
    execution: TurnExecution,
  ) {
    const { threadId = crypto.randomUUID(), thread = NO_PORT } = turn;
    this.place = name;
    this.threadId = threadId;
    this.agentId = turn.agentId ?? agent?.name ?? name;
    this.userId = turn.userId ?? null;
    this.execution = execution;
    this.recorder = store === undefined ? undefined : new ThreadRecorder(store, this);
    this.port =
      store === undefined ? thread : { ...thread, listMessages: () => store.listMessages(threadId) };
    this.values = store && this.recorder ? new StoredValues(store, threadId, this.recorder) : turn.values;
  }

  inject(insert: InsertMessage, message: NewMessage, permit: HookPermit | undefined): Promise<HookMessage> {
    return storeMessage(this.chains, makeState(this, { permit }), { message, insert, permit });
  }

  update(apply: ApplyUpdates, change: MessageUpdates, permit: HookPermit | undefined): Promise<HookMessage> {
    return updateMessage(this.chains, makeState(this, { permit }), { ...change, apply, permit });
  }
}

const NO_PORT: ThreadPort = {};

/** The same thread for one hook: what it writes counts as written within that hook. A thread that takes no messages is the same for all. */
function view(state: ThreadState, permit: HookPermit): ThreadState {
  const parts = findParts(state);
  const isOwn = parts !== undefined && writesMessages(parts.port);
  const own = isOwn ? makeState(parts, { permit, execution: state.execution }) : state;
  return guardState(own, permit);
}

function makeExecutor({ timeout, clock, environment, ...told }: HostOptions): Executor {
  return createExecutor({
    ...(timeout === undefined ? {} : { timeout }),
    ...(clock === undefined ? {} : { clock }),
    ...(environment === undefined ? {} : { environment }),
    ...makeOnRun(told),
    ...(told.onLateWrite === undefined ? {} : { onLateWrite: told.onLateWrite }),
    view,
  });
}

function makeOnRun({ onRun, store }: Pick<HostOptions, 'onRun' | 'store'>): Pick<ExecutorOptions, 'onRun'> {
  if (store === undefined) return onRun === undefined ? {} : { onRun };
  return {
    onRun(record, told) {
      findParts(told.state)?.recorder?.note(record);
      onRun?.(record, told);
    },
  };
}
