import { connect, HttpCallError, type Ingress, rpc } from '@restatedev/restate-sdk-clients';
import { DefinitionError, findUnknownOption, type OptionNames, RunError } from '@spec/hooks';
import {
  type CreateEngine,
  type EngineParts,
  readEndedOutcome,
  readOutcome,
  type ThreadRecord,
  type TurnRequest,
  type TurnResult,
} from '@spec/runtime';
import { encodeKey, SERVICE, type TurnCall, type TurnEnd, type TurnFailure } from './service.ts';

/** Options of {@link restateEngine}. */
export interface RestateEngineOptions {
  /** The address of Restate's ingress, such as `http://127.0.0.1:8080`; those of several nodes, of which any takes calls. */
  readonly ingress: string | readonly string[];
  /** Sent with every request to Restate, such as an `authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long Restate may be out of reach before a call fails, in milliseconds; default 60,000. */
  readonly patienceMs?: number;
}

const optionNames: OptionNames<RestateEngineOptions> = { ingress: true, headers: true, patienceMs: true };

/**
 * Has turns run by the workers of a Restate server: `createRuntime({ engine: restateEngine({ ingress }) })`. A message passes its hooks in the
 * process that sends it; everything else of its turn happens in a worker, once, whatever dies meanwhile. All processes share one store.
 *
 * @throws {DefinitionError} `bad_option`
 */
export function restateEngine(options: RestateEngineOptions): CreateEngine {
  const problem = findProblem(options);
  if (problem !== undefined) throw new DefinitionError('bad_option', `restateEngine: ${problem}`);
  const { ingress, headers = {}, patienceMs = 60_000 } = options;
  const nodes = [ingress]
    .flat()
    .map((url) => connect({ url: url.replace(/\/+$/, ''), headers: { ...headers } }));
  return (parts) => makeEngine(parts, callPatiently(nodes, patienceMs));
}

function makeEngine({ store }: EngineParts, callRestate: CallRestate): ReturnType<CreateEngine> {
  /** Restate knows a turn by its id: called again, it is the same one, and gives the same end. */
  async function callTurn(call: TurnCall, idempotencyKey: string): Promise<TurnEnd | TurnFailure> {
    const opts = rpc.opts<TurnCall, TurnEnd>({ idempotencyKey });
    try {
      return await callRestate((restate) =>
        restate.call<TurnCall, TurnEnd>({ ...address(call), parameter: call, opts }),
      );
    } catch (error) {
      const failure = readFailure(error);
      if (failure === undefined) throw error;
      return failure;
    }
  }

  async function submit(threadId: string, request: TurnRequest): Promise<TurnResult> {
    const key = encodeKey(request.id);
    const call = { threadId, request, call: crypto.randomUUID() };
    const end = await callTurn(call, key);
    const outcome = await readOutcomeAt(threadId, request.id, end);
    if (outcome !== null) return outcome;
    const thread = end.call === call.call ? null : await findUntouched(threadId, request);
    if (thread === null) return readEnd(threadId, request.id, end);
    const ownEnd = await callTurn(call, `${key}~${thread.createdAt}`);
    return (await readOutcomeAt(threadId, request.id, ownEnd)) ?? readEnd(threadId, request.id, ownEnd);
  }

  function readOutcomeAt(
    threadId: string,
    turnId: string,
    end: TurnEnd | TurnFailure,
  ): Promise<TurnResult | null> {
    if ('code' in end) return readOutcome(store, threadId, turnId);
    return readEndedOutcome(store, threadId, { turnId, steps: end.steps });
  }

  /**
   * The thread, where it knows nothing of a turn whose end Restate remembers: that was of a thread of the same id, which was deleted since, or
   * was in the store before an older copy of it was restored.
   */
  async function findUntouched(threadId: string, { messages }: TurnRequest): Promise<ThreadRecord | null> {
    const [first] = messages;
    if (first === undefined || (await store.getMessage(threadId, first.id)) !== null) return null;
    return store.getThread(threadId);
  }

  return {
    isRemote: true,
    submit,
    resume: (threadId, id) => submit(threadId, { id, messages: [], isNamed: true }),
    find: (threadId, turnId) => readOutcome(store, threadId, turnId),
    async wake(threadId) {
      const request: TurnRequest = { id: crypto.randomUUID(), messages: [], isNamed: true };
      const call: TurnCall = { threadId, request };
      await callRestate((restate) => restate.send<TurnCall>({ ...address(call), parameter: call }));
    },
  };
}

/** What Restate knows of a turn of which the store kept no outcome. @throws {RunError} how it ended */
function readEnd(threadId: string, turnId: string, end: TurnEnd | TurnFailure): TurnResult {
  if ('code' in end) throw makeFailure(threadId, turnId, end);
  const { call: _, ...result } = end;
  return { ...result, text: null };
}

function address({ threadId }: TurnCall): { service: string; handler: string; key: string } {
  return { service: SERVICE, handler: 'turn', key: encodeKey(threadId) };
}

/** A request that took longer had a server: `fetch` itself gives up after five minutes. */
const longMs = 30_000;

/** Calls Restate, again and again while it is out of reach. @throws {RunError} `engine_failed` */
type CallRestate = <T>(call: (restate: Ingress) => Promise<T>) => Promise<T>;

/** How long it may take until each node of a cluster knows of workers that were registered at one of them. */
const spreadMs = 5_000;

/** Calls one node for as long as it answers, then the next one. */
function callPatiently(nodes: readonly Ingress[], patienceMs: number): CallRestate {
  let current = 0;
  return async (call) => {
    let missedSince: number | undefined;
    for (let pause = 20; ; pause = Math.min(2 * pause, 1_000)) {
      const [asked, at] = [performance.now(), current];
      try {
        return await call(nodes[at] as Ingress);
      } catch (error) {
        if (readFailure(error) !== undefined) throw error;
        const status = error instanceof HttpCallError ? error.status : undefined;
        const failed = performance.now();
        missedSince = missedSince === undefined || failed - asked > longMs ? failed : missedSince;
        const mayNotKnowYet = status === 404 && nodes.length > 1 && failed - missedSince < spreadMs;
        if (status !== undefined && status < 500 && status !== 429 && !mayNotKnowYet) throw refused(status);
        if (failed - missedSince > patienceMs) throw unreachable(status);
        if (current === at) current = (at + 1) % nodes.length;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
}

/** How a worker said that a turn ended with an error; `undefined` if Restate itself failed. */
function readFailure(error: unknown): TurnFailure | undefined {
  if (!(error instanceof HttpCallError)) return undefined;
  try {
    const { message } = JSON.parse(error.responseText) as { message: string };
    const { code, call } = JSON.parse(message) as TurnFailure;
    return /^[a-z_]{1,40}$/.test(code) ? { code, call } : undefined;
  } catch {
    return undefined;
  }
}

/** The text of an error that the store kept no outcome of is not known here. */
function makeFailure(threadId: string, turnId: string, { code }: TurnFailure): RunError {
  const message = `Turn ${turnId} of thread ${threadId} ended with an error: ${code}.`;
  return new RunError(code as RunError['code'], message, { threadId, turnId });
}

function refused(status: number): RunError {
  const why =
    status === 404
      ? 'it knows no worker: start one, and register it with registerWorkers'
      : 'look at its log, and at the headers of restateEngine';
  return new RunError('engine_failed', `Restate refused the turn (${status}): ${why}.`);
}

function unreachable(status: number | undefined): RunError {
  const what = status === undefined ? 'cannot be reached' : `answers with an error (${status})`;
  const message = `Restate ${what}; nobody knows whether the turn was taken. Check the ingress of restateEngine, and send again under the same id.`;
  return new RunError('engine_failed', message);
}

function findProblem(options: RestateEngineOptions): string | undefined {
  if (typeof options !== 'object' || options === null)
    return 'needs options, such as { ingress: "http://127.0.0.1:8080" }.';
  const unknown = findUnknownOption(options, optionNames); // First: a misspelt option is why another one is missing.
  if (unknown !== undefined) return unknown;
  const { ingress, headers, patienceMs } = options;
  const nodes = [ingress].flat();
  if (nodes.length === 0 || !nodes.every(isHttpUrl))
    return 'ingress must be an address such as http://127.0.0.1:8080, or a list of such.';
  if (headers !== undefined && (typeof headers !== 'object' || headers === null))
    return 'headers must be an object.';
  if (patienceMs !== undefined && !(Number.isSafeInteger(patienceMs) && patienceMs >= 0))
    return 'patienceMs must be a whole number of milliseconds, 0 or more.';
  return undefined;
}

/** Whether a text is an address of a server. */
export function isHttpUrl(url: unknown): boolean {
  try {
    return typeof url === 'string' && /^https?:$/.test(new URL(url).protocol);
  } catch {
    return false;
  }
}
