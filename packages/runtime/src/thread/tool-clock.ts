import type { PausableClock } from '@spec/hooks';

/** The time that a call of a tool may take. It stands still while a person is asked (design §4.2). */
export class ToolClock implements PausableClock {
  readonly #onUp: () => void;
  #leftMs: number;
  #runsSince = 0;
  #pauses = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;

  /** @param onUp called when the time is up, unless the clock was ended before */
  constructor(ms: number, onUp: () => void) {
    this.#leftMs = ms;
    this.#onUp = onUp;
    this.#run();
  }

  pauseClock(): () => void {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#stand();
    let isPaused = true;
    return () => {
      if (!isPaused) return;
      isPaused = false;
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#run();
    };
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
  }

  #run(): void {
    if (this.#hasEnded) return;
    this.#runsSince = performance.now();
    this.#timer = setTimeout(() => {
      this.#hasEnded = true;
      this.#onUp();
    }, this.#leftMs);
  }

  #stand(): void {
    if (this.#hasEnded) return;
    clearTimeout(this.#timer);
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#runsSince));
  }
}
