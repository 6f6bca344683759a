/** A limit of time that can stand still. */
export class Deadline {
  readonly #onEnd: () => void;
  #timer: NodeJS.Timeout | undefined;
  #check: NodeJS.Immediate | undefined;

  constructor(onEnd: () => void) {
    this.#onEnd = onEnd;
  }

  /** Ends in `ms` milliseconds, whatever was set before. What has arrived by then is heard first, however busy this thread was. */
  start(ms: number): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#check = setImmediate(this.#onEnd);
    }, ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#check);
  }
}
