/** How many notifications of a server are passed on at once, and how many a second after that. */
const BURST = 2_000;
const PER_SECOND = 500;
/** So many dropped ones, without a pause that lets the next burst pass, end a server's connection. */
const TOO_MANY = 20_000;

/** Bounds what a server sends without being asked. */
export class Traffic {
  #left: number = BURST;
  #at: number = performance.now();
  #dropped = 0;

  /** Whether one more may pass. */
  admit(): 'pass' | 'drop' | 'end' {
    const now = performance.now();
    this.#left = Math.min(BURST, this.#left + ((now - this.#at) / 1_000) * PER_SECOND);
    this.#at = now;
    if (this.#left === BURST) this.#dropped = 0;
    if (this.#left >= 1) {
      this.#left--;
      return 'pass';
    }
    this.#dropped++;
    if (this.#dropped < TOO_MANY) return 'drop';
    this.#dropped = 0;
    return 'end';
  }

  /** How many were dropped since the last pause. */
  get dropped(): number {
    return this.#dropped;
  }
}
