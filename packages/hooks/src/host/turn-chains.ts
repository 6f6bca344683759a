import type { Scope } from '../define/scope.ts';
import type { Executor } from '../executor/executor.ts';
import type { ChainResult, HookArgs, LifecycleName, Verdict } from '../vocabulary/lifecycle.ts';
import type { HookToolCall } from '../vocabulary/messages.ts';
import type { NewMessage, ThreadState } from '../vocabulary/state.ts';
import { type TurnExecution, UnstoppedExecution } from './execution.ts';
import { makeState, type StateParts } from './host-state.ts';
import type { AskPerson } from './person.ts';
import type { ThreadRecorder } from './thread-recorder.ts';

/** What the states of a turn are made of, with its own execution. */
export interface PartsOfTurn extends StateParts {
  readonly execution: TurnExecution;
}

/** What runs the chains of one turn, and keeps what hooks have for the conversation. */
export class TurnChains {
  readonly state: ThreadState;
  readonly onAsk: AskPerson | undefined;
  /** Where the place keeps its threads in a store. */
  readonly recorder: ThreadRecorder | undefined;
  readonly #parts: PartsOfTurn;
  readonly #executor: Executor;
  readonly #scope: Scope;
  readonly #contexts: string[] = [];
  /** What the person was given to read: that is told once, however often hooks say it. */
  #noticed: Set<string> | undefined;

  constructor({ executor, scope, onAsk, parts }: ChainsStart) {
    this.state = makeState(parts);
    this.onAsk = onAsk;
    this.recorder = parts.recorder;
    this.#parts = parts;
    this.#executor = executor;
    this.#scope = scope;
  }

  /** The same thread in a turn that nothing stops. */
  makeStateDespiteAbort(): ThreadState {
    return makeState(this.#parts, { execution: new UnstoppedExecution(this.#parts.execution) });
  }

  /** The same thread for the chains of what hooks gave. */
  makeStateOfHooks(): ThreadState {
    return makeState(this.#parts, { isOfHooks: true });
  }

  /** Whether any hook has one of these names. */
  has(...names: readonly LifecycleName[]): boolean {
    return names.some((name) => this.#scope[name] !== undefined);
  }

  /** Runs the chain of one name, on the state of one thread. */
  runOn<K extends LifecycleName>(
    state: ThreadState,
    hook: K,
    ...args: HookArgs<K>
  ): Promise<ChainResult<K>> | ChainResult<K> {
    const result = this.#executor.run(hook, this.#scope, state, ...args);
    return this.recorder === undefined ? result : flushAfter(result, this.recorder);
  }

  /** Runs the chain of a message that is about to be stored: its runs are stored with it. */
  async passNewMessage(
    state: ThreadState,
    message: NewMessage,
  ): Promise<ChainResult<'before_create_message'>> {
    try {
      return await this.#executor.run('before_create_message', this.#scope, state, { ...message });
    } catch (error) {
      await this.recorder?.flush();
      throw error;
    }
  }

  run<K extends LifecycleName>(hook: K, ...args: HookArgs<K>): Promise<ChainResult<K>> | ChainResult<K> {
    return this.runOn(this.state, hook, ...args);
  }

  /** A call with the values that hooks put back for its tool. */
  restore(call: HookToolCall): Promise<HookToolCall> | HookToolCall {
    return this.#executor.restore(this.#scope, this.state, call);
  }

  addContexts(contexts: readonly string[]): void {
    this.#contexts.push(...contexts);
  }

  takeContexts(): string[] {
    return this.#contexts.splice(0);
  }

  /** Keeps what hooks have for the conversation, and tells what they have for the person where nobody is asked. */
  passOn({
    decision,
    context,
    userMessage,
  }: Pick<Verdict, 'decision' | 'context' | 'userMessage'>): Promise<void> | undefined {
    this.addContexts(context);
    if (userMessage === undefined || decision === 'ask') return undefined;
    this.#noticed ??= new Set();
    if (this.#noticed.has(userMessage)) return undefined;
    this.#noticed.add(userMessage);
    return this.#notify(userMessage);
  }

  async #notify(message: string): Promise<void> {
    await this.run('after_notification', { kind: 'notice', message });
  }
}

interface ChainsStart {
  readonly executor: Executor;
  readonly scope: Scope;
  readonly onAsk: AskPerson | undefined;
  readonly parts: PartsOfTurn;
}

/** The runs of a chain are stored when it is over, however it ended. */
async function flushAfter<Result>(
  result: Promise<Result> | Result,
  recorder: ThreadRecorder,
): Promise<Result> {
  try {
    return await result;
  } finally {
    await recorder.flush();
  }
}
