import type { NewMessage } from '@spec/hooks';
import type { Engine } from '../engine/engine.ts';
import type { TurnEnding, TurnResult } from '../engine/turn-result.ts';
import { unref } from '../time.ts';
import { AwayLine } from './away-line.ts';
import { Flow, type NewTurn, newTurn } from './flow.ts';
import { isThreadBusy } from './lease.ts';
import { sendNamed } from './named-turn.ts';
import type { TurnOwner } from './turn-owner.ts';

/** The most turns in a row that only queued messages start, so that hooks that queue one in every turn come to an end. */
const MAX_WOKEN = 8;

const nothing = (): void => {};

/** The turns of one thread. They run one after another, even if earlier ones failed. */
export class TurnLine {
  readonly #core: TurnOwner;
  /** The running turn, and those that wait for it. */
  readonly #turns: Flow[] = [];
  /** Those that run elsewhere. */
  readonly away: AwayLine = new AwayLine();
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
    this.countAnew();
    const line = this.#core.engine.isRemote ? this.away : this;
    if (id === undefined) return line.enter(newTurn(), (flow) => this.#core.begin(flow, input));
    this.#named ??= new Map();
    const known = this.#named.get(id);
    if (known !== undefined) return known;
    const turn = sendNamed(this.#core, line, { id, input }).finally(() => this.#named?.delete(id));
    this.#named.set(id, turn);
    return turn;
  }

  /** Finishes the turn of a process that died, or starts work on what waits; `null` if there is neither. */
  async resume(): Promise<TurnResult | null> {
    const { lease, engine } = this.#core;
    if (engine.isRemote) return this.#resumeElsewhere();
    if (lease.fence === undefined) await lease.takeFromDead(() => this.#refuseClosed());
    this.#refuseClosed();
    const { turn } = this.#core.record;
    if (turn === null || this.find(turn.id) !== undefined)
      return this.enter(newTurn(), (flow) => this.#takeUp(flow));
    return this.enter({ id: turn.id, isNamed: true }, (flow) => this.#resume(flow));
  }

  /** Whoever opens the thread after it was closed has its turns: one that began here would run beside them. */
  #refuseClosed(): void {
    if (!this.#core.isOpen) throw this.#core.closedError();
  }

  async #resumeElsewhere(): Promise<TurnResult | null> {
    const { store, engine, id } = this.#core;
    const turn = (await store.getThread(id))?.turn;
    if (turn != null) return engine.resume(id, turn.id);
    return (await this.hasWork())
      ? engine.submit(id, { id: newTurn().id, messages: [], isNamed: true })
      : null;
  }

  /** Whether something waits in the queue that a turn is for. */
  async hasWork(): Promise<boolean> {
    const items = await this.#core.store.listQueue(this.#core.id);
    return items.some(({ kind }) => kind !== 'stop');
  }

  /** Finishes a turn that was left behind, or finds what came of it in a process that took the thread meanwhile; `null` where nothing is left. */
  async #resume(flow: Flow, engine: Engine = this.#core.engine): Promise<TurnResult | null> {
    const { lease, id: threadId } = this.#core;
    const { flowId: id } = flow;
    flow.pin(await lease.held());
    if (this.#core.record.turn?.id !== id) return null;
    flow.isAskedAnew = true;
    try {
      return await engine.resume(threadId, id);
    } catch (error) {
      flow.isAskedAnew = false;
      const end = isThreadBusy(error, threadId) ? await this.#findEnd(id, error) : { error };
      await this.#core.tellEnd(flow, end);
      if ('error' in end) throw end.error;
      return end.result;
    }
  }

  async #findEnd(turnId: string, error: unknown): Promise<TurnEnding> {
    const { engine, id } = this.#core;
    try {
      const result = await engine.find(id, turnId);
      return result === null ? { error } : { result };
    } catch (found) {
      return { error: found };
    }
  }

  /**
   * Runs the turn that was left behind before the turn that found it.
   *
   * @param engine the one that runs the turn that found it
   */
  finishLeftBehind(engine: Engine = this.#core.engine): Promise<void> | undefined {
    const { turn } = this.#core.record;
    if (turn === null || this.running?.turnId === turn.id) return undefined;
    return this.#finish(turn.id, engine);
  }

  async #finish(id: string, engine: Engine): Promise<void> {
    const flow = new Flow({ id, isNamed: true });
    this.#turns.unshift(flow);
    try {
      await this.#resume(flow, engine);
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
    const { engine, id } = this.#core;
    if (engine.wake !== undefined) {
      void engine.wake(id).catch(() => {}); // What was queued stays, and the next turn takes it.
      return;
    }
    this.enter(newTurn(), (flow) => this.#takeUp(flow)).catch((error) => this.#comeBack(error));
  }

  /** Another process runs the thread's turns. It handles queued items, or this process does when the other is gone. */
  #comeBack(error: unknown): void {
    if (!isThreadBusy(error)) return; // Events and the error row tell of it.
    this.#wokenInARow--;
    unref(setTimeout(() => this.wake(), this.#core.runtime.leaseMs / 2));
  }

  async #takeUp(flow: Flow): Promise<TurnResult | null> {
    const { lease, engine, id: threadId } = this.#core;
    if (!(await this.hasWork())) return null;
    flow.pin(await lease.held());
    await this.finishLeftBehind();
    return engine.submit(threadId, { id: flow.flowId, messages: [] });
  }

  /** A person has asked for a turn: those that only queued messages start count anew. */
  countAnew(): void {
    this.#wokenInARow = 0;
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
    else if (!flow.isQueueEmpty) void this.#wakeIfAsked();
    this.#mayWait = false;
  }

  /** Starts work on what another process queued while the turn ended, even if that process is gone. */
  async #wakeIfAsked(): Promise<void> {
    const { isOpen, engine } = this.#core;
    if (!isOpen || engine.isRemote) return; // There whoever queues wakes.
    if (await this.hasWork().catch(() => false)) this.wake();
  }

  /** Aborts the turn that is running or about to begin. */
  stop(reason?: unknown): void {
    this.running?.abort(reason);
    this.away.stop(reason);
  }

  /** Aborts every turn that has not ended. */
  stopAll(): void {
    for (const flow of this.#turns) flow.abort();
    this.away.stopAll();
  }

  /** Gives up every turn that has not ended: another process goes on with them. */
  giveUpAll(): void {
    for (const flow of this.#turns) flow.giveUp();
  }

  /** Resolves when no turn is running or waiting. */
  async idle(): Promise<void> {
    await this.away.idle();
    while (this.#turns.length > 0) await this.#last;
  }
}
