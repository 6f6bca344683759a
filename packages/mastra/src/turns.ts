import type { RequestContext } from '@mastra/core/request-context';
import type { HookToolCall, StoredToolResult } from '@spec/hooks';
import { followSignal, type Host, type HostTurn, RefusedCalls, type TurnOptions } from '@spec/hooks/host';

/** One run of an agent, as far as its hooks know it. */
export interface Running {
  readonly turn: HostTurn;
  /** Stops the turn. */
  readonly aborts: AbortController;
  /** What hooks gave for the conversation, and how many messages of the prompt stand before it. */
  readonly added: { readonly after: number; readonly text: string }[];
  readonly refused: RefusedCalls;
  results: StoredToolResult[];
  /** The calls of the last answer. */
  calls: HookToolCall[];
  /** Why a call could not be finished: Mastra makes every error of a tool an answer of it, so the model is not called again. */
  broken: { readonly error: unknown } | undefined;
  /** The messages that hooks have heard, or that were there before; unknown of a run that another process has begun. */
  heard: Set<string> | undefined;
  /** Whether a request has left that no answer has come for yet. */
  isAwaiting: boolean;
  attempt: number;
  /** The number that Mastra gave the step whose model was called last. */
  asked: number | undefined;
  began:
    | { readonly callId: string; readonly at: number; readonly model: string; readonly cached: boolean }
    | undefined;
  tools: readonly string[];
}

/** Under which a request context has the name of its turn. */
export const KEY = 'spec_hooks_turn';

/** So many runs are remembered for those that go on in another request context: Mastra does not tell when one has ended. */
const MAX_KEPT = 1000;

/** What Mastra gives a processor for one run of an agent, and for no other. */
export type RunState = Readonly<Record<string, unknown>>;

/**
 * The runs of agents. The processor of a run knows it by the state that Mastra gives it. Its tools share its request context, which holds
 * the name of its turn; so does another agent that somebody hands the context on to.
 */
export class Turns {
  readonly #host: Host;
  readonly #read: (context: RequestContext | undefined) => TurnOptions;
  readonly #running = new Map<string, Running>();
  /** A run has its turn as long as it lives, however many others begin. */
  readonly #byContext = new WeakMap<RequestContext, Running>();
  readonly #byState = new WeakMap<RunState, Running>();

  constructor(host: Host, read: (context: RequestContext | undefined) => TurnOptions) {
    this.#host = host;
    this.#read = read;
  }

  /** Begins a run. */
  open(context: RequestContext | undefined, options: TurnOptions, state?: RunState): Running {
    const turnId = crypto.randomUUID();
    const aborts = new AbortController();
    followSignal(aborts, options.abortSignal);
    const given = { ...options, abortSignal: aborts.signal };
    const turn = this.#host.openTurn({ turnId, ...given, ...this.#read(context) });
    const running: Running = {
      turn,
      aborts,
      added: [],
      refused: new RefusedCalls(turn),
      results: [],
      calls: [],
      broken: undefined,
      heard: undefined,
      isAwaiting: false,
      attempt: 1,
      asked: undefined,
      began: undefined,
      tools: [],
    };
    if (this.#running.size >= MAX_KEPT) this.#running.delete(this.#running.keys().next().value ?? '');
    this.#running.set(turnId, running);
    context?.set(KEY, turnId);
    if (context !== undefined) this.#byContext.set(context, running);
    if (state !== undefined) this.#byState.set(state, running);
    return running;
  }

  /** The run that something belongs to. One that goes on in another process is opened again. */
  find(context: RequestContext | undefined, options: TurnOptions, state?: RunState): Running {
    const shared = (context && this.#byContext.get(context)) ?? this.#running.get(String(context?.get(KEY)));
    const known = (state && this.#byState.get(state)) ?? shared;
    const isOver = known?.turn.state.execution.abortSignal.aborted === true;
    const isLate = isOver && options.abortSignal?.aborted === true; // Of the run that was stopped, not of one that goes on with it.
    if (known === undefined || (isOver && !isLate)) return this.open(context, options, state);
    followSignal(known.aborts, options.abortSignal);
    return known;
  }
}
