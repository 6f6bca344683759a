import { Flow, type NewTurn } from './flow.ts';

/** The turns of a thread that were sent elsewhere and wait for their end there. They are sent one after another. */
export class AwayLine {
  readonly #flows: Flow[] = [];
  #last: Promise<unknown> = Promise.resolve();

  find(turnId: string): Flow | undefined {
    return this.#flows.find((flow) => flow.turnId === turnId);
  }

  /** Sends a turn, after the earlier ones have ended. */
  enter<T>(turn: NewTurn, run: (flow: Flow) => Promise<T>): Promise<T> {
    const flow = new Flow(turn);
    this.#flows.push(flow);
    const sent = this.#last
      .then(() => run(flow))
      .finally(() => this.#flows.splice(this.#flows.indexOf(flow), 1));
    this.#last = sent.catch(() => {});
    return sent;
  }

  /** Aborts what is still on its way; a turn that runs is asked to stop where it runs. */
  stop(reason?: unknown): void {
    this.#flows[0]?.abort(reason);
  }

  stopAll(): void {
    for (const flow of this.#flows) flow.abort();
  }

  async idle(): Promise<void> {
    while (this.#flows.length > 0) await this.#last;
  }
}
