import { findFiringSignal } from '../executor/aborts.ts';
import type { ModelAnswer, ModelCall, ModelRequest, StoredToolResult } from '../vocabulary/control.ts';
import type { ChainResult, HookArgs, LifecycleName } from '../vocabulary/lifecycle.ts';
import type { HookToolCall, HookToolResult } from '../vocabulary/messages.ts';
import type { NewMessage, ThreadState } from '../vocabulary/state.ts';
import { answerOpen, answerStopped } from './answer-stopped.ts';
import { CalledTools } from './called-tools.ts';
import { type CallDecision, type DecideCallOptions, decideCall } from './decide-call.ts';
import { decideModelCall } from './decide-model-call.ts';
import type { TurnExecution } from './execution.ts';
import { storeMessage } from './messages.ts';
import { askPerson } from './person.ts';
import { type CallOutcome, passResult, type RunCallOptions, runCall, type Tool } from './run-call.ts';
import type { InsertMessage } from './thread-port.ts';
import type { TurnChains } from './turn-chains.ts';

/** What became of a message that a user sent. */
export type MessageVerdict =
  | { readonly isDenied: false; readonly message: NewMessage }
  | { readonly isDenied: true; readonly reason: string; readonly userMessage?: string | undefined };

/**
 * One turn of somebody else's loop. Call what the loop comes to, in its order; what has no hook costs next to nothing. Everything rejects with
 * a `RunError` where a blocking hook failed or the turn was aborted: the loop must not go on with what it has.
 */
export interface HostTurn {
  /** The thread as hooks see it. */
  readonly state: ThreadState;
  /** Whether a hook has called `state.execution.stop()`: end the turn after this step. */
  readonly isStopped: boolean;
  /** Whether any hook has one of these names. */
  has(...names: readonly LifecycleName[]): boolean;
  /** Whether messages are sent through `store`: hooks are on them, or a store keeps them. */
  readonly takesMessages: boolean;
  /** Whether a store keeps its messages. */
  readonly isStored: boolean;
  /** The calls of the model's last answer, where messages are sent through `store`. */
  readonly called: CalledTools;
  /** Runs the chain of one name: for everything that has no function of its own here. */
  run<K extends LifecycleName>(hook: K, ...args: HookArgs<K>): Promise<ChainResult<K>>;
  /** Another call of the model begins. @returns its number, from 1 */
  nextStep(): number;

  /** A user's message arrives: `before_user_message`. */
  receive(message: NewMessage): Promise<MessageVerdict>;
  /** Sends a message through `before_create_message`, has it stored, and tells `after_create_message`. */
  store<Stored extends object>(message: NewMessage, insert: InsertMessage<Stored>): Promise<Stored>;
  /** The same for a message that a turn leaves behind which was stopped: its chains run on a signal that does not fire. */
  storeDespiteAbort(message: NewMessage): Promise<void>;
  /** The same for a message made of what hooks gave: to other hooks it is none of the person's or the model's. */
  storeOfHooks<Stored extends object>(message: NewMessage, insert: InsertMessage<Stored>): Promise<Stored>;
  /**
   * Decides on a call of the model: `before_model_call`. Tell of it when it is over (`tellModelCall`).
   *
   * @throws {RunError} `model_denied`
   */
  decideModelCall(
    request: ModelRequest,
  ): Promise<{ request: ModelRequest; answer?: ModelAnswer | undefined }>;
  /**
   * A call of the model is over: `after_model_call`. Its hooks run also where the turn was stopped meanwhile, which is then the code of
   * its error: such a call cost something too.
   */
  tellModelCall(call: ModelCall): Promise<void>;
  /** Decides on a tool call, and runs nothing: for loops that ask people in their own way. */
  decideCall(call: HookToolCall, options?: DecideCallOptions): Promise<CallDecision>;
  /** Decides on a tool call, runs its tool, and sends the result through the hooks that see it. Always gives an answer. */
  runCall(call: HookToolCall, tool: Tool, options?: RunCallOptions): Promise<CallOutcome>;
  /** Sends a result through the hooks that see it, where the loop has run the tool itself. */
  passResult(call: HookToolCall, result: HookToolResult): Promise<HookToolResult>;
  /**
   * All results of one answer are there: `after_tool_batch`.
   *
   * @param calls those of the answer, where the results may stand in another order than theirs
   */
  endBatch(results: readonly StoredToolResult[], calls?: readonly HookToolCall[]): Promise<void>;
  /** The turn would end: why it must go on, in words for the model, or nothing. At most eight times a turn. */
  keepGoing(reason?: 'completed' | 'limit' | 'stopped'): Promise<string | undefined>;
  /** What hooks have for the conversation since the last call: give it to the model with its next message. */
  takeContexts(): string[];
}

/** How often hooks may keep one turn going. */
const MAX_KEPT_GOING = 8;

/** A turn whose hooks run in chains. A class, as a literal with an accessor would make a hidden class for each turn. */
export class ChainedTurn implements HostTurn {
  readonly state: ThreadState;
  readonly takesMessages: boolean;
  readonly isStored: boolean;
  #called: CalledTools | undefined;
  readonly #chains: TurnChains;
  readonly #execution: TurnExecution;
  #keptGoing = 0;

  constructor(chains: TurnChains, execution: TurnExecution) {
    this.state = chains.state;
    this.isStored = chains.recorder !== undefined;
    this.takesMessages = this.isStored || chains.has('before_create_message', 'after_create_message');
    this.#chains = chains;
    this.#execution = execution;
  }

  /** Made where a place takes calls to the rows of their results: most turns of a gateway have none. */
  get called(): CalledTools {
    if (this.#called !== undefined) return this.#called;
    // The stop is what the caller must see.
    const onStopped = (): void => void answerOpen(this).catch(() => {});
    this.#called = new CalledTools(findFiringSignal(this.#execution), onStopped);
    return this.#called;
  }

  get isStopped(): boolean {
    return this.#execution.stopped;
  }

  has(...names: readonly LifecycleName[]): boolean {
    return this.#chains.has(...names);
  }

  async run<K extends LifecycleName>(hook: K, ...args: HookArgs<K>): Promise<ChainResult<K>> {
    return await this.#chains.run(hook, ...args);
  }

  nextStep(): number {
    return ++this.#execution.stepCount;
  }

  receive(message: NewMessage): Promise<MessageVerdict> {
    return receive(this.#chains, message);
  }

  store<Stored extends object>(message: NewMessage, insert: InsertMessage<Stored>): Promise<Stored> {
    return storeMessage(this.#chains, this.state, { message, insert });
  }

  async storeDespiteAbort(message: NewMessage): Promise<void> {
    const state = this.#chains.makeStateDespiteAbort();
    await storeMessage(this.#chains, state, { message, insert: (checked) => checked });
  }

  storeOfHooks<Stored extends object>(message: NewMessage, insert: InsertMessage<Stored>): Promise<Stored> {
    return storeMessage(this.#chains, this.#chains.makeStateOfHooks(), { message, insert });
  }

  decideModelCall(request: ModelRequest): ReturnType<HostTurn['decideModelCall']> {
    return decideModelCall(this.#chains, request);
  }

  async tellModelCall(call: ModelCall): Promise<void> {
    const isAborted = call.errorCode !== null && this.#execution.abortSignal.aborted;
    const ended = isAborted ? { ...call, errorCode: 'aborted' } : call;
    await this.#chains.runOn(this.#chains.makeStateDespiteAbort(), 'after_model_call', ended);
  }

  async decideCall(call: HookToolCall, options?: DecideCallOptions): Promise<CallDecision> {
    try {
      return await decideCall(this.#chains, call, options);
    } catch (error) {
      await answerStopped(this, error);
      throw error;
    }
  }

  runCall(call: HookToolCall, tool: Tool, options?: RunCallOptions): Promise<CallOutcome> {
    return runCall(this.#chains, call, { tool, ...options });
  }

  passResult(call: HookToolCall, result: HookToolResult): Promise<HookToolResult> {
    return passResult(this.#chains, call, result);
  }

  async endBatch(results: readonly StoredToolResult[], calls: readonly HookToolCall[] = []): Promise<void> {
    if (!this.has('after_tool_batch')) return;
    this.#chains.addContexts(await this.#chains.run('after_tool_batch', sortByCalls(results, calls)));
  }

  async keepGoing(reason: 'completed' | 'limit' | 'stopped' = 'completed'): Promise<string | undefined> {
    const keptGoing = this.#keptGoing;
    if (keptGoing >= MAX_KEPT_GOING) return undefined;
    const verdict = await this.#chains.run('before_stop', { reason, keptGoing });
    if (verdict.decision !== 'deny') return undefined;
    this.#keptGoing++;
    return verdict.reason;
  }

  takeContexts(): string[] {
    return this.#chains.takeContexts();
  }
}

function sortByCalls(
  results: readonly StoredToolResult[],
  calls: readonly HookToolCall[],
): StoredToolResult[] {
  const at = ({ toolCall: { id } }: StoredToolResult): number => calls.findIndex((call) => call.id === id);
  return [...results].sort((one, other) => at(one) - at(other));
}

async function receive(chains: TurnChains, given: NewMessage): Promise<MessageVerdict> {
  const verdict = await chains.run('before_user_message', given);
  const { decision, subject: message, by, reason, userMessage } = verdict;
  await chains.passOn(verdict);
  if (decision === 'deny')
    return { isDenied: true, reason: reason ?? `The hook "${by}" denied the message.`, userMessage };
  if (decision !== 'ask') return { isDenied: false, message };
  const { threadId, execution } = chains.state;
  const { abortSignal } = execution;
  const about = { about: 'user_message', threadId, message, reason, userMessage, abortSignal } as const;
  const refusal = await askPerson(chains.onAsk, about);
  if (refusal === undefined) return { isDenied: false, message };
  return { isDenied: true, reason: refusal, userMessage };
}
