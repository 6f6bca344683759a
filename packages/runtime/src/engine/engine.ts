// Engine: the port on which turns run. Threads submit turns to it and the runtime runs them; it never looks into a turn.

import type { LedgerEntry, Store, StoredMessage } from '../stores/store.ts';
import { nowInMicros } from '../time.ts';
import { readOutcome } from './outcome.ts';
import type { TurnResult } from './turn-result.ts';

/** What a turn begins with. It is JSON, and all of it has passed `before_create_message`: an engine may keep it. */
export interface TurnRequest {
  /** The idempotency key: the same id twice is one turn. The ids of the turn's messages begin with it. */
  readonly id: string;
  /** What is stored first; none where the turn only takes up what waits in the queue. */
  readonly messages: readonly StoredMessage[];
  /** Whether the result is kept, so that it can be awaited again: the caller chose the id, or the turn runs elsewhere. */
  readonly isNamed?: true;
  /** The runs of hooks that saw the messages, where they are yet to be stored: with the messages. */
  readonly runs?: readonly LedgerEntry[];
}

/** What a turn gets from the engine that runs it. */
export interface TurnContext {
  /** 1, or more where the turn was begun before and its process died. */
  readonly attempt: number;
  /**
   * Runs one effect, or gives what it gave before the process died. Its result is JSON or `undefined`. `run` may have been
   * begun before and not have come to its end: what it writes has ids that are the same each time.
   */
  step<T>(name: string, run: () => Promise<T> | T): Promise<T> | T;
  /** Microseconds since the epoch. */
  now(): number;
  /**
   * Whether the engine runs one turn of a thread at a time, in whatever process. Whoever holds the thread's lease is dead then, or hangs:
   * the lease is taken over, and the runtime finds out itself how far the turn got, whatever `attempt` says.
   */
  readonly isExclusive?: true;
  /** Fires when the engine has given this attempt up. Nothing more of it is stored. */
  readonly givenUp?: AbortSignal;
}

/** How a runtime runs a turn. Called again with a higher `attempt` it goes on where the store and the engine's steps say. */
export type RunTurn = (threadId: string, request: TurnRequest, context: TurnContext) => Promise<TurnResult>;

/**
 * Where turns run. The turn is written once, against this; a durable engine can take the place of the
 * embedded one.
 */
export interface Engine {
  /** Whether turns run in other processes. Then this one takes no lease to send, and the engine goes on with turns whose process died. */
  readonly isRemote?: true;
  /** Has a turn run on what waits in the queue, after the turns before it; without waiting for it. Only where turns run elsewhere. */
  wake?(threadId: string): Promise<void>;
  /** Runs a turn to its end. The same id twice is one turn. */
  submit(threadId: string, request: TurnRequest): Promise<TurnResult>;
  /** Goes on with a turn whose process died. */
  resume(threadId: string, turnId: string): Promise<TurnResult>;
  /**
   * What came of a turn whose id its caller chose; `null` where there is none.
   *
   * @throws what the turn threw
   */
  find(threadId: string, turnId: string): Promise<TurnResult | null>;
}

/** What an engine is made with. */
export interface EngineParts {
  readonly run: RunTurn;
  readonly store: Store;
}

export type CreateEngine = (parts: EngineParts) => Engine;

/**
 * Runs turns in this process. It remembers no steps: where a turn is, the ids of its stored messages tell, and what makes
 * turns of a thread exclusive is the thread's lease.
 */
export function embeddedEngine({ run, store }: EngineParts): Engine {
  return {
    submit: (threadId, request) => run(threadId, request, direct),
    resume: (threadId, id) => run(threadId, { id, messages: [] }, { ...direct, attempt: 2 }),
    find: (threadId, turnId) => readOutcome(store, threadId, turnId),
  };
}

/** Where nothing is remembered, each effect just runs. */
export const direct: TurnContext = { attempt: 1, step: (_name, run) => run(), now: nowInMicros };
