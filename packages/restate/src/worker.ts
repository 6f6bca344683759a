import * as restate from '@restatedev/restate-sdk';
import { DefinitionError, findUnknownOption, type OptionNames, RunError } from '@spec/hooks';
import type { Runtime, TurnContext } from '@spec/runtime';
import { openServer } from './server.ts';
import { isTurnCall, SERVICE, type TurnEnd, type TurnFailure } from './service.ts';

/** Options of {@link restateWorker}. */
export interface RestateWorkerOptions {
  /** Made with the same agents, hooks and store as those of the processes that send. */
  readonly runtime: Pick<Runtime, 'runTurn'>;
  /** The port to serve; 0 takes any that is free. Keep it: turns that are under way belong to the worker's address. */
  readonly port: number;
  /** The interface to serve; default `127.0.0.1`. */
  readonly host?: string;
  /** The public keys of Restate servers that may call (`publickeyv1_…`); default: whoever reaches the port. */
  readonly identityKeys?: readonly string[];
  /** Told of each attempt at a turn: that it begins, and how it ended. An error that it throws is ignored. */
  readonly onAttempt?: (attempt: TurnAttempt) => void;
  /** How long `close` waits for turns that are under way, in milliseconds; default 10,000. */
  readonly graceMs?: number;
}

/** An attempt at a turn: ids and codes, no data. */
export interface TurnAttempt {
  readonly threadId: string;
  readonly turnId: string;
  /** `given_up`: Restate has it run elsewhere, or again. */
  readonly state: 'begun' | 'ended' | 'failed' | 'given_up';
  /** Why it failed. */
  readonly code?: string;
}

/** A worker that serves. */
export interface RestateWorker {
  readonly port: number;
  /**
   * Takes no more turns, lets those that are under way come to their end, and gives up those that do not in time; another worker goes on with
   * them. Close the runtime after it.
   */
  close(): Promise<void>;
}

const optionNames: OptionNames<RestateWorkerOptions> = {
  runtime: true,
  port: true,
  host: true,
  identityKeys: true,
  onAttempt: true,
  graceMs: true,
};

/**
 * Runs turns for Restate. One invocation is one turn, and the store is its journal: a worker that takes a turn over finds there how far it got.
 *
 * @throws {DefinitionError} `bad_option`, also where the port is in use
 */
export async function restateWorker(options: RestateWorkerOptions): Promise<RestateWorker> {
  const problem = findProblem(options);
  if (problem !== undefined) throw new DefinitionError('bad_option', `restateWorker: ${problem}.`);
  const { port, host = '127.0.0.1', identityKeys = [], graceMs = 10_000 } = options;
  const endpoint = restate
    .endpoint()
    .bind(threadObject(options))
    .setLogger(() => {});
  if (identityKeys.length > 0) endpoint.withIdentityV1(...identityKeys);
  return openServer(endpoint.http2Handler(), { port, host, graceMs });
}

function threadObject({ runtime, onAttempt }: RestateWorkerOptions) {
  const tell = (attempt: TurnAttempt): void => {
    try {
      onAttempt?.(attempt);
    } catch {
      // Whoever watches must not change what happens.
    }
  };
  return restate.object({
    name: SERVICE,
    options: {
      // A model or a tool may be silent for long, and a turn that is cut off runs again.
      inactivityTimeout: { hours: 24 },
      abortTimeout: { hours: 24 },
      journalRetention: 0,
      retryPolicy: { initialInterval: 50, maxInterval: 2_000 },
    },
    handlers: {
      turn: async (ctx: restate.ObjectContext, given: unknown): Promise<TurnEnd> => {
        // What is no turn fails at once: tried again and again it would keep all turns of its thread waiting.
        if (!isTurnCall(given, ctx.key)) throw terminal({ code: 'invalid_input' });
        const { threadId, request, call } = given;
        const givenUp = ctx.request().attemptCompletedSignal;
        const place = { threadId, turnId: request.id };
        tell({ ...place, state: 'begun' });
        try {
          const { turnId, status, steps, usage } = await runtime.runTurn(
            threadId,
            request,
            makeContext(givenUp),
          );
          tell({ ...place, state: 'ended' });
          return { turnId, status, steps, usage, call };
        } catch (error) {
          const code = findCode(error);
          tell({ ...place, state: givenUp.aborted ? 'given_up' : 'failed', code });
          throw isForNow(code) ? new Error(`The turn could not go on: ${code}.`) : terminal({ code, call });
        }
      },
    },
  });
}

/** Nothing goes into Restate's journal, which is by order: what is repeated is found by its id in the store. */
function makeContext(givenUp: AbortSignal): TurnContext {
  return {
    attempt: 1,
    isExclusive: true,
    givenUp,
    step: (_name, run) => run(),
    now: () => Date.now() * 1_000,
  };
}

/** What another attempt may get over, here or elsewhere. Errors that are not the runtime's own: their turn has an outcome by now. */
const forNow: ReadonlySet<string> = new Set([
  'thread_busy',
  'closed',
  'store_failed',
  'store_unreadable',
  'store_newer',
  'store_older',
  'unknown_id',
  'other',
]);

function isForNow(code: string): boolean {
  return forNow.has(code);
}

function findCode(error: unknown): string {
  return error instanceof RunError || error instanceof DefinitionError ? error.code : 'other';
}

function terminal(failure: TurnFailure): restate.TerminalError {
  return new restate.TerminalError(JSON.stringify(failure), { errorCode: 400 });
}

function findProblem(options: RestateWorkerOptions): string | undefined {
  if (typeof options !== 'object' || options === null)
    return 'needs options, such as { runtime, port: 9080 }';
  const { runtime, port, host, onAttempt, graceMs } = options;
  if (typeof runtime?.runTurn !== 'function') return 'runtime must be one that createRuntime made';
  if (!(Number.isInteger(port) && port >= 0 && port <= 65_535))
    return 'port must be a number from 0 to 65535';
  if (host !== undefined && typeof host !== 'string')
    return 'host must be the name of an interface, such as 127.0.0.1';
  if (onAttempt !== undefined && typeof onAttempt !== 'function') return 'onAttempt must be a function';
  if (graceMs !== undefined && !(Number.isSafeInteger(graceMs) && graceMs >= 0))
    return 'graceMs must be a whole number of milliseconds, 0 or more';
  return findUnknownOption(options, optionNames);
}
