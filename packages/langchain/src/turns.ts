import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { getConfig } from '@langchain/langgraph';
import type { StoredToolResult } from '@spec/hooks';
import {
  followSignal,
  type Host,
  type HostTurn,
  onAbort,
  type TurnOptions,
  type Unanswered,
  UnansweredByThread,
} from '@spec/hooks/host';
import type { Runtime } from 'langchain';
import { lendMessages } from './messages.ts';
import type { Seen } from './seen.ts';

/** One invocation of an agent, as far as its hooks know it. */
export interface Running {
  readonly turn: HostTurn;
  /** Stops the turn. */
  readonly aborts: AbortController;
  readonly results: Map<string, StoredToolResult>;
  /** The messages in the state, when the agent last came to a hook. */
  messages: readonly BaseMessage[];
  attempt: number;
  /** The messages that the model was asked with last: with the very same ones, it is asked again. */
  asked: unknown;
  /** The messages that have come to the hooks, or were there when the turn began. */
  readonly shown: WeakSet<BaseMessage>;
  /** The message with the calls whose batch was told of last. */
  told: unknown;
  /** The calls whose results have come to the hooks. */
  readonly answered: Set<string>;
  /** The id of the last answer with calls of the turns before: what became of its calls, they have told. */
  earlier: string | undefined;
  /** What hooks have changed, which the state has as it was. */
  readonly changed: BaseMessage[];
  /** What hooks made of messages that the turn began with. */
  readonly rewritten: BaseMessage[];
  /** What was heard, where the state could not be told. */
  heard: { readonly _hooksSeen?: Seen };
  /** The answers that have passed the hooks. */
  readonly made: AIMessage[];
  /** Whether its messages have come to the hooks in this process from its beginning, or since. */
  isFollowed: boolean;
  isDenied: boolean;
  /** Where in a graph around it the agent stands; its own state does not outlive the run then. */
  readonly place: string | undefined;
  /** The messages that were denied: a graph around it has them still. */
  denied: Seen;
  /** The messages of the user that it has received, and no model has answered. */
  readonly unanswered: Unanswered;
}

/** What a middleware is told of the graph that it runs in. */
export type RuntimeLike = Pick<Runtime, 'signal' | 'configurable' | 'context'>;

/** What is known of an invocation: the messages in its state, and what the state holds of its turn and of the last one. */
export interface StateLike {
  readonly messages: readonly BaseMessage[];
  readonly _hooksTurn?: string | undefined;
  readonly _hooksSeen?: Seen | undefined;
}

/** Notes messages that are not to be heard any more. */
export function noteShown({ shown }: Running, messages: readonly BaseMessage[]): void {
  for (const message of messages) shown.add(message);
}

/** A call of a tool whose agent has hooks: an agent inside of it has a thread of its own. */
interface Caller {
  readonly callId: string;
  /** The thread of the call's turn. */
  readonly threadId: string;
  /** The thread that LangGraph knows it by, which what runs inside of the tool inherits. */
  readonly graphThreadId: unknown;
}

/** The calls of tools that are under way in this process, by the places in their graphs that they run in. */
const callers = new Map<string, Caller>();

/** Runs a tool, which may run an agent. */
export async function withinTool<Result>(
  { turn }: Running,
  { callId, configurable }: { readonly callId: string; readonly configurable: RuntimeLike['configurable'] },
  work: () => Promise<Result>,
): Promise<Result> {
  const place = (configurable as Placed | undefined)?.checkpoint_ns;
  if (place === undefined) return work();
  callers.set(place, { callId, threadId: turn.state.threadId, graphThreadId: configurable?.thread_id });
  try {
    return await work();
  } finally {
    callers.delete(place);
  }
}

/** What LangGraph tells of the place that something runs in. */
interface Placed {
  readonly checkpoint_ns?: string;
  readonly __pregel_abort_signals?: { readonly externalAbortSignal?: AbortSignal };
}

/** The signal of the whole invocation, which fires between two nodes too; that of a node tells of nothing any more when it has ended. */
function readOuterSignal({ configurable }: RuntimeLike): AbortSignal | undefined {
  return (configurable as Placed | undefined)?.__pregel_abort_signals?.externalAbortSignal;
}

/** The whole context of the invocation: LangChain gives a middleware those fields that a schema of its own names, and hooks have none. */
function readContext({ context }: RuntimeLike): unknown {
  return getConfig()?.context ?? context;
}

/**
 * The names of the nodes around an agent. One that has a thread of its own in each call stands nowhere: nothing of it comes again.
 *
 * @param isGivenThread whether it is in the thread that its graph is in
 */
function findPlace(configurable: RuntimeLike['configurable'], isGivenThread: boolean): string | undefined {
  const around = readPath(configurable).slice(0, -1);
  if (around.length === 0 || !isGivenThread) return undefined;
  return around.map((node) => node.replace(/:[^:]*$/, '')).join('|');
}

function readPath(configurable: RuntimeLike['configurable']): readonly string[] {
  return (configurable as Placed | undefined)?.checkpoint_ns?.split('|') ?? [];
}

/** The thread of an invocation: the one that it is given, or one of its own below that of the call that it runs in. */
function findThread(configurable: RuntimeLike['configurable']): TurnOptions {
  const threadId = configurable?.thread_id;
  if (threadId === undefined) return {};
  const path = readPath(configurable);
  for (let depth = path.length - 1; depth > 0; depth--) {
    const caller = callers.get(path.slice(0, depth).join('|'));
    if (caller === undefined) continue;
    return { threadId: caller.graphThreadId === threadId ? `${caller.threadId}/${caller.callId}` : threadId };
  }
  return { threadId };
}

/** The names of turns that other middleware has begun past `beforeAgent`: of each invocation, by the place in its graph. */
const names = new WeakMap<AbortSignal, Map<string, string>>();

function nameTurn(runtime: RuntimeLike): string {
  const name: string = crypto.randomUUID();
  const signal = readOuterSignal(runtime);
  if (signal === undefined) return name;
  const place = readPath(runtime.configurable).slice(0, -1).join('|');
  const named = names.get(signal) ?? new Map<string, string>();
  names.set(signal, named);
  const known = named.get(place) ?? name;
  named.set(place, known);
  return known;
}

/** An invocation, and how much is under way in it. */
interface Known {
  readonly running: Running;
  useCount: number;
}

/** So many invocations are remembered in which nothing is under way: those that wait for a person, and those that failed. */
const MAX_KEPT = 1000;

/** For so long, in milliseconds, one is remembered at least: it may be on its way from one node of its graph to the next. */
const REST_MS = 60_000;

/**
 * The turns of a middleware. An agent may be interrupted and resumed, here or in another process, and one middleware serves many
 * invocations at once; so the state of the graph holds the name of its turn, and a turn that is not known is opened again.
 */
export class Turns {
  readonly #host: Host;
  readonly #read: (runtime: RuntimeLike) => TurnOptions;
  readonly #running = new Map<string, Known>();
  /** Those of them in which nothing is under way, the longest first. */
  readonly #resting = new Map<string, number>();
  readonly #unanswered = new UnansweredByThread();

  constructor(host: Host, read: (runtime: RuntimeLike) => TurnOptions) {
    this.#host = host;
    this.#read = read;
  }

  /** Does a piece of work in the turn of an invocation, which is remembered for as long as that takes. */
  async use<Result>(
    { messages, _hooksTurn }: StateLike,
    runtime: RuntimeLike,
    work: (running: Running) => Promise<Result>,
  ): Promise<Result> {
    const name = _hooksTurn ?? nameTurn(runtime);
    const known = this.#find(name, runtime);
    const { running } = known;
    running.messages = messages;
    followSignal(running.aborts, runtime.signal);
    followSignal(running.aborts, readOuterSignal(runtime));
    known.useCount++;
    this.#resting.delete(name);
    try {
      return await work(running);
    } finally {
      if (--known.useCount === 0) this.#rest(name, known);
    }
  }

  /** An invocation has ended. */
  close(name: string | undefined): void {
    if (name === undefined) return;
    this.#running.delete(name);
    this.#resting.delete(name);
  }

  #find(name: string, runtime: RuntimeLike): Known {
    const known = this.#running.get(name);
    const isOver = known?.running.turn.state.execution.abortSignal.aborted === true;
    const isLate = isOver && runtime.signal?.aborted === true; // Of the invocation that was stopped, not of one that goes on with it.
    if (known !== undefined && (!isOver || isLate)) return known;
    const opened = { running: this.#open(name, runtime), useCount: 0 };
    this.#running.set(name, opened);
    return opened;
  }

  #rest(name: string, known: Known): void {
    if (this.#running.get(name) !== known) return;
    const now = performance.now();
    this.#resting.set(name, now);
    for (const [oldest, since] of this.#resting) {
      if (this.#resting.size <= MAX_KEPT || now - since < REST_MS) return;
      this.close(oldest);
    }
  }

  #open(turnId: string, runtime: RuntimeLike): Running {
    const { configurable } = runtime;
    const aborts = new AbortController();
    const thread = findThread(configurable);
    const running: Omit<Running, 'turn' | 'unanswered'> = {
      aborts,
      results: new Map(),
      messages: [],
      attempt: 0,
      asked: undefined,
      shown: new WeakSet(),
      told: undefined,
      answered: new Set(),
      earlier: undefined,
      changed: [],
      heard: {},
      rewritten: [],
      made: [],
      isFollowed: false,
      isDenied: false,
      place: findPlace(
        configurable,
        thread.threadId !== undefined && thread.threadId === configurable?.thread_id,
      ),
      denied: {},
    };
    const turn = this.#host.openTurn({
      turnId,
      abortSignal: aborts.signal,
      ...thread,
      thread: { listMessages: () => lendMessages(opened.messages).messages },
      ...this.#read({ ...runtime, context: readContext(runtime) }),
    });
    const unanswered = this.#unanswered.open(turn.state.threadId);
    const opened: Running = Object.assign(running, { turn, unanswered });
    onAbort(aborts.signal, () => unanswered.fail());
    return opened;
  }
}
