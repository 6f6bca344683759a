import type { NewMessage, Scope } from '@spec/hooks';
import type { Engine } from '../engine/engine.ts';
import type { TurnEnding, TurnResult } from '../engine/turn-result.ts';
import type { Store, ThreadRecord } from '../stores/store.ts';
import { pause, unref } from '../time.ts';
import { Flow, type Heard, type NewTurn, newTurn } from './flow.ts';
import { isThreadBusy, type ThreadLease } from './lease.ts';

/** The most turns in a row that only queued messages start, so that hooks that queue one in every turn come to an end. */
const MAX_WOKEN = 8;
/** How often a named turn that lost its thread to another process is looked up again. */
const MAX_ATTEMPTS = 3;

/** The thread that the turns are of. */
export interface TurnOwner {
  readonly id: string;
  readonly record: ThreadRecord;
  readonly store: Store;
  readonly lease: ThreadLease;
  /** The hooks that apply now. */
  readonly scope: Scope;
  readonly isOpen: boolean;
  readonly runtime: { readonly engine: Engine; readonly leaseMs: number };
  /** Runs a turn on a person's message. */
  begin(flow: Flow, input: NewMessage): Promise<TurnResult>;
  /** Announces how a turn ended, if its start was announced but not its end. */
  tellEnd(flow: Flow, end: TurnEnding): Promise<void>;
  /** A turn is over. */
  rest(): void;
}

const nothing = (): void => {};

/** The turns of one thread. They run one after another, even if earlier ones failed. */
export class TurnLine {
  readonly #core: TurnOwner;
  /** The running turn, and those that wait for it. */
  readonly #turns: Flow[] = [];
  /** Turns under an id of their caller's. */
  #named: Map<string, Promise<TurnResult>> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  /** Whether something was queued that the running turn may have missed. */
  #mayWait = false;
  #wokenInARow = 0;

  constructor(core: TurnOwner) {
    this.#core = core;
  }

  get running(): Flow | undefined {
    return this.#turns[0];
  }

  /** Whether turns wait behind the one that is running. */
  get othersWait(): boolean {
    return this.#turns.length > 1;
  }

  find(turnId: string): Flow | undefined {
    return this.#turns.find((turn) => turn.turnId === turnId);
  }

  /** Runs a turn on a message; under an id of the caller's once, however often it is asked for. */
  send(input: NewMessage, id?: string): Promise<TurnResult> {
    this.#wokenInARow = 0;
    if (id === undefined) return this.enter(newTurn(), (flow) => this.#core.begin(flow, input));
    this.#named ??= new Map();
    const known = this.#named.get(id);
    if (known !== undefined) return known;
    const turn = this.#sendNamed(id, input).finally(() => this.#named?.delete(id));
    this.#named.set(id, turn);
    return turn;
  }

  /**
   * Where another process took the thread meanwhile, as from one that was asleep, it asks anew what came of the turn. Listeners hear of
   * one turn, however often it is asked.
   */
  async #sendNamed(id: string, input: NewMessage): Promise<TurnResult> {
    const heard: Heard = { start: false, end: false };
    for (let attempt = 1; ; attempt++) {
      let flow: Flow | undefined;
      const run = (entered: Flow): Promise<TurnResult> => {
        flow = entered;
        flow.heard = heard;
        return this.#findOrRun(flow, input);
      };
      try {
        return await this.enter({ id, isNamed: true }, run);
      } catch (error) {
        if (flow === undefined) throw error;
        if (attempt < MAX_ATTEMPTS && (await this.#hasLost(flow, error))) continue;
        flow.isAskedAnew = false;
        await this.#core.tellEnd(flow, { error });
        throw error;
      }
    }
  }

  async #findOrRun(flow: Flow, input: NewMessage): Promise<TurnResult> {
    const { flowId: id } = flow;
    const found = await this.#findOrTakeLease(id);
    if (typeof found !== 'number') {
      await this.#core.tellEnd(flow, { result: found });
      return found;
    }
    flow.pin(found);
    flow.isAskedAnew = true;
    return this.#runNamed(flow, id, input);
  }

  #runNamed(flow: Flow, id: string, input: NewMessage): Promise<TurnResult> {
    const { runtime, record, id: threadId } = this.#core;
    return record.turn?.id === id ? runtime.engine.resume(threadId, id) : this.#core.begin(flow, input);
  }

  /** Whether another process took the thread from a turn that was admitted. */
  async #hasLost(flow: Flow, error: unknown): Promise<boolean> {
    const { lease, id } = this.#core;
    if (!flow.isPinned || !isThreadBusy(error, id)) return false;
    try {
      return !flow.keepsFence(await lease.take());
    } catch (refusal) {
      return isThreadBusy(refusal);
    }
  }

  /** What came of a turn, also in another process, which is waited for; where there is none, the fence under which this one may run it. */
  async #findOrTakeLease(turnId: string): Promise<TurnResult | number> {
    const { runtime, id: threadId } = this.#core;
    const find = (): Promise<TurnResult | null> => runtime.engine.find(threadId, turnId);
    for (;;) {
      const result = await find();
      if (result !== null) return result;
      let fence: number;
      try {
        fence = await this.#takeLeaseFor(turnId);
      } catch (error) {
        if (!isThreadBusy(error)) throw error;
        if (await this.#runsElsewhere(turnId)) {
          await pause(runtime.leaseMs / 20);
          continue;
        }
        const ended = await find();
        if (ended === null) throw error;
        return ended;
      }
      return (await find()) ?? fence; // It may have ended just before.
    }
  }

  /** If the lease is held and no hook runs before, the turn's first commit names the turn, which saves a commit for the lease. */
  #takeLeaseFor(turnId: string): Promise<number> | number {
    const { lease, scope } = this.#core;
    const isFirst = scope.before_user_message === undefined && scope.before_create_message === undefined;
    return (isFirst ? lease.fence : undefined) ?? lease.takeFor(turnId);
  }

  /** Whether another process runs the turn, or has let go of the thread meanwhile. Its record names the turn that has begun, its lease one that is about to. */
  async #runsElsewhere(turnId: string): Promise<boolean> {
    const { store, id } = this.#core;
    const lease = await store.getLease(id);
    if (lease === null || lease.turnId === turnId) return true;
    return (await store.getThread(id))?.turn?.id === turnId;
  }

  /** Finishes the turn of a process that died, or starts work on what waits; `null` if there is neither. */
  async resume(): Promise<TurnResult | null> {
    const { lease } = this.#core;
    if (lease.fence === undefined) await lease.takeFromDead();
    const { turn } = this.#core.record;
    if (turn === null || this.find(turn.id) !== undefined)
      return this.enter(newTurn(), (flow) => this.#takeUp(flow));
    return this.enter({ id: turn.id, isNamed: true }, (flow) => this.#resume(flow));
  }

  /** Finishes a turn that was left behind, or finds what came of it in a process that took the thread meanwhile; `null` where nothing is left. */
  async #resume(flow: Flow): Promise<TurnResult | null> {
    const { lease, runtime, id: threadId } = this.#core;
    const { flowId: id } = flow;
    flow.pin(await lease.held());
    if (this.#core.record.turn?.id !== id) return null;
    flow.isAskedAnew = true;
    try {
      return await runtime.engine.resume(threadId, id);
    } catch (error) {
      flow.isAskedAnew = false;
      const end = isThreadBusy(error, threadId) ? await this.#findEnd(id, error) : { error };
      await this.#core.tellEnd(flow, end);
      if ('error' in end) throw end.error;
      return end.result;
    }
  }

  async #findEnd(turnId: string, error: unknown): Promise<TurnEnding> {
    const { runtime, id } = this.#core;
    try {
      const result = await runtime.engine.find(id, turnId);
      return result === null ? { error } : { result };
    } catch (found) {
      return { error: found };
    }
  }

  /** Runs the turn that was left behind before the turn that found it. */
  finishLeftBehind(): Promise<void> | undefined {
    const { turn } = this.#core.record;
    if (turn === null || this.running?.turnId === turn.id) return undefined;
    return this.#finish(turn.id);
  }

  async #finish(id: string): Promise<void> {
    const flow = new Flow({ id, isNamed: true });
    this.#turns.unshift(flow);
    try {
      await this.#resume(flow);
    } catch (error) {
      if (this.#core.record.turn !== null) throw error; // Else it has ended: its error row tells how.
    } finally {
      this.#turns.splice(this.#turns.indexOf(flow), 1);
    }
  }

  /** Starts work on queued items: in the running turn, or else in a new one. */
  wake(): void {
    if (this.running !== undefined) {
      this.#mayWait = true;
      return;
    }
    if (!this.#core.isOpen || this.#wokenInARow >= MAX_WOKEN) return;
    this.#wokenInARow++;
    this.enter(newTurn(), (flow) => this.#takeUp(flow)).catch((error) => this.#comeBack(error));
  }

  /** Another process runs the thread's turns. It handles queued items, or this process does when the other is gone. */
  #comeBack(error: unknown): void {
    if (!isThreadBusy(error)) return; // Events and the error row tell of it.
    this.#wokenInARow--;
    unref(setTimeout(() => this.wake(), this.#core.runtime.leaseMs / 2));
  }

  async #takeUp(flow: Flow): Promise<TurnResult | null> {
    const { store, lease, runtime, id: threadId } = this.#core;
    const items = await store.listQueue(threadId);
    if (items.every(({ kind }) => kind === 'stop')) return null;
    flow.pin(await lease.held());
    await this.finishLeftBehind();
    return runtime.engine.submit(threadId, { id: flow.flowId, messages: [] });
  }

  /** Runs something as a separate turn, after the earlier turns. */
  enter<T>(turn: NewTurn, run: (flow: Flow) => Promise<T> | T): Promise<T> {
    const flow = new Flow(turn);
    this.#turns.push(flow);
    const running = this.#runAfter(this.#last, flow, run);
    this.#last = running.then(nothing, nothing);
    return running;
  }

  async #runAfter<T>(before: Promise<unknown>, flow: Flow, run: (flow: Flow) => Promise<T> | T): Promise<T> {
    await before;
    try {
      return await run(flow);
    } finally {
      this.#leave(flow);
    }
  }

  #leave(flow: Flow): void {
    this.#turns.splice(this.#turns.indexOf(flow), 1);
    this.#core.lease.endTurn(flow.turnId);
    this.#core.rest();
    if (this.running !== undefined || flow.stopped) return;
    if (this.#mayWait) this.wake();
    else void this.#wakeIfAsked();
    this.#mayWait = false;
  }

  /** Starts work on what another process queued while the turn ended, even if that process is gone. */
  async #wakeIfAsked(): Promise<void> {
    const { store, id, isOpen } = this.#core;
    const items = isOpen ? await store.listQueue(id).catch(() => []) : [];
    if (items.some(({ kind }) => kind !== 'stop')) this.wake();
  }

  /** Aborts the turn that is running or about to begin. */
  stop(reason?: unknown): void {
    this.running?.abort(reason);
  }

  /** Aborts every turn that has not ended. */
  stopAll(): void {
    for (const flow of this.#turns) flow.abort();
  }

  /** Resolves when no turn is running or waiting. */
  async idle(): Promise<void> {
    while (this.#turns.length > 0) await this.#last;
  }
}
