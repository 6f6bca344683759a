import {
  type AgentInputItem,
  type Model,
  type RunConfig,
  Runner,
  RunState,
  type run as runAgent,
  type Session,
  StreamedRunResult,
} from '@openai/agents';
import { checkOptionNames, DefinitionError, type OptionNames } from '@spec/hooks';
import {
  type AcceptedHooks,
  type BridgeOptions,
  bridgeOptionNames,
  checkNames,
  createHost,
  followSignal,
  type HonouredHook,
  type Host,
  type HostOptions,
  type TurnOptions,
  UnansweredByThread,
} from '@spec/hooks/host';
import { HookedAgents } from './agents.ts';
import { Conversation } from './conversation.ts';
import { honours, honoursWithStore } from './honours.ts';
import { receiveInput, receivePending } from './input.ts';
import { lendItems } from './items.ts';
import { type Running, Runs } from './runs.ts';
import { endStreamed } from './streamed.ts';
import { HookedTools, toolHooks } from './tools.ts';

/** A hook that the OpenAI Agents SDK runs, wholly or in part. */
export type OpenAIAgentsHook = HonouredHook<typeof honours>;

interface CommonOptions extends BridgeOptions {
  /** Names of tools, MCP servers and sandbox agents whose calls no hook sees. Any other is refused where hooks are on tools. */
  readonly allowUnwrapped?: readonly string[];
  /** The models that a `before_model_call` hook may choose, by name. */
  readonly models?: Readonly<Record<string, Model>>;
  /** What the runner of the SDK is made with. */
  readonly runConfig?: Partial<RunConfig>;
}

export type OpenAIAgentsOptions = CommonOptions & AcceptedHooks<typeof honours, typeof honoursWithStore>;

/** Runs agents, with hooks, as `run` of the SDK does. */
export interface HookedRun {
  /** @throws {MessageDeniedError} where a hook does not let the user's message through */
  readonly run: typeof runAgent;
}

/** The hooks of an application, for its agents. */
export interface OpenAIAgentsHooks extends HookedRun {
  readonly scope: Host['scope'];
  /** The runner of the SDK that agents run in: for its events. */
  readonly runner: Runner;
  /** The agent, and those that it hands off to, with the hooks around models and tools. `run` does it by itself. */
  hooked<A extends object>(agent: A): A;
  /** Says which thread a run belongs to, and whose it is. */
  inTurn(turn: TurnOptions): HookedRun;
}

const optionNames: OptionNames<OpenAIAgentsOptions> = {
  ...bridgeOptionNames,
  ...{ allowUnwrapped: true, models: true, runConfig: true },
};

/**
 * Runs hooks in the OpenAI Agents SDK.
 *
 * @example hooks.run(agent, 'Refund order 7.')
 * @throws {DefinitionError} `bad_hook` for hooks that the SDK does not run as documented, with the reason of each
 */
export function createHooks(options: OpenAIAgentsOptions): OpenAIAgentsHooks {
  checkOptionNames('createHooks', options, optionNames);
  const { allowUnwrapped = [], models = {}, runConfig = {}, ...rest } = options;
  checkNames('createHooks', { allowUnwrapped });
  const table = options.store === undefined ? honours : honoursWithStore;
  const host = createHost({ ...rest, name: '@spec/openai-agents', honours: table } as HostOptions);
  const { scope } = host;
  const runs = new Runs();
  const onMessages = scope.before_create_message ?? scope.after_create_message ?? options.store;
  const isNeeded = onMessages !== undefined || toolHooks.some((name) => scope[name] !== undefined);
  const tools = new HookedTools({ runs, isNeeded, asksItself: options.onAsk !== undefined, allowUnwrapped });
  const agents = new HookedAgents({ runs, scope, models, tools });
  const runner = new Runner(agents.hookRunConfig(runConfig));
  runner.config.modelProvider = agents.hookProvider(runner.config.modelProvider);
  const start = runner.run.bind(runner) as Starter['start'];
  if (!host.isIdle) runner.run = refuseRun;
  const starter: Starter = { host, agents, runs, start, unanswered: new UnansweredByThread() };
  const inTurn = (turn: TurnOptions): HookedRun => ({
    run: ((agent: object, input: Input, given: Given = {}) =>
      startRun(starter, { agent, input, given }, turn)) as typeof runAgent,
  });
  return { scope, runner, hooked: (agent) => agents.hook(agent), inTurn, ...inTurn({}) };
}

type Input = string | AgentInputItem[] | RunState<unknown, never>;

/** What `run` of the SDK is given, as much of it as hooks need. */
interface Given {
  readonly stream?: boolean;
  readonly session?: Session;
  readonly signal?: AbortSignal;
  readonly conversationId?: string;
  readonly previousResponseId?: string;
}

interface Starter {
  readonly host: Host;
  readonly agents: HookedAgents;
  readonly runs: Runs;
  /** Runs an agent as the SDK does. */
  readonly start: (...args: unknown[]) => Promise<unknown>;
  readonly unanswered: UnansweredByThread;
}

/** @throws {DefinitionError} `bad_option` as an agent would run without its hooks */
async function refuseRun(): Promise<never> {
  throw new DefinitionError(
    'bad_option',
    'The runner of createHooks was asked to run an agent, which no hook would see. Call run of createHooks; the runner is there for its events.',
  );
}

interface Requested {
  readonly agent: object;
  readonly input: Input;
  readonly given: Given;
}

async function startRun(
  { host, agents, runs, start, unanswered }: Starter,
  { agent, input, given }: Requested,
  turn: TurnOptions,
): Promise<unknown> {
  if (host.isIdle) return start(agent, input, given);
  checkInput(host, agents, { input, given });
  const running = openRunning(
    { host, unanswered },
    { ...findThread(input), ...(await completeTurn(turn, given)) },
  );
  try {
    const received = await (input instanceof RunState
      ? receivePending(running, input)
      : receiveInput(running, input));
    const result = await runs.within(running, () => start(agents.hook(agent), received, given));
    const { state } = result as { readonly state: object };
    threadsOfStates.set(state, running.turn.state.threadId);
    if (result instanceof StreamedRunResult) endStreamed(result, running);
    else await running.conversation.endBatch();
    return result;
  } catch (error) {
    running.unanswered.fail();
    running.aborts.abort(); // Calls that the run has left open are answered by nobody else.
    throw error;
  }
}

/** A run that goes on with the state of one before is in the same thread, where nothing else is said. */
const threadsOfStates = new WeakMap<object, string>();

function findThread(input: Input): TurnOptions {
  const known = input instanceof RunState ? threadsOfStates.get(input) : undefined;
  return { threadId: known ?? crypto.randomUUID() }; // A thread that is not named keeps no values for the next run.
}

function openRunning(
  { host, unanswered }: Pick<Starter, 'host' | 'unanswered'>,
  options: TurnOptions,
): Running {
  const aborts = new AbortController();
  followSignal(aborts, options.abortSignal);
  const { signal: abortSignal } = aborts;
  const turn = host.openTurn({ ...options, abortSignal });
  const { threadId, userId } = turn.state;
  return {
    turn,
    aborts,
    conversation: new Conversation(turn),
    unanswered: unanswered.open(threadId),
    waiting: new Set(),
    openNested: () => openRunning({ host, unanswered }, { threadId, userId, abortSignal }),
  };
}

/** A session is a thread: its id, and the items in it. */
async function completeTurn(turn: TurnOptions, { session, signal }: Given): Promise<TurnOptions> {
  const options = { ...(signal === undefined ? {} : { abortSignal: signal }), ...turn };
  if (session === undefined) return options;
  const listMessages = async () => lendItems(await session.getItems()).messages;
  return { threadId: await session.getSessionId(), thread: { listMessages }, ...options };
}

/** @throws {DefinitionError} `bad_option` for what would pass hooks by */
function checkInput({ scope }: Host, agents: HookedAgents, { input, given }: Omit<Requested, 'agent'>): void {
  if (typeof input !== 'string' && !Array.isArray(input) && !(input instanceof RunState))
    throw new DefinitionError(
      'bad_option',
      'run needs what the user says behind the agent: a text, a list of items, or the state of a run.',
    );
  const isKeptThere = given.conversationId !== undefined || given.previousResponseId !== undefined;
  if (isKeptThere && (scope.filter_messages ?? scope.prefilter_llm_history) !== undefined)
    throw new DefinitionError(
      'bad_option',
      'With conversationId or previousResponseId the provider keeps the history, and no hook filters it. Give a session instead.',
    );
  if (input instanceof RunState && !agents.has(input._currentAgent))
    throw new DefinitionError(
      'bad_option',
      'This state is one of an agent without hooks. Read it with the agent that has them: RunState.fromString(hooks.hooked(agent), text).',
    );
}
