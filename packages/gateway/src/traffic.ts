/** How many notifications of a server are passed on at once, and how many a second after that. */
const BURST = 2_000;
const PER_SECOND = 500;
/** The same for the characters of all of them. */
const BURST_CHARACTERS = 32_000_000;
const CHARACTERS_PER_SECOND = 4_000_000;
/** So many characters wait for a client at most that reads more slowly than a server sends. */
const MAX_WAITING = 16_000_000;
/** So many dropped ones, without a pause that lets the next burst pass, end a server's connection. */
const TOO_MANY = 20_000;

/** Bounds what a server sends without being asked. */
export class Traffic {
  #left: number = BURST;
  #characters: number = BURST_CHARACTERS;
  #at: number = performance.now();
  #dropped = 0;
  #waiting = 0;

  /** Whether one more of so many characters may pass. */
  admit(characters: number): 'pass' | 'drop' | 'end' {
    this.#refill();
    if (this.#left >= 1 && this.#characters >= characters && this.#waiting + characters <= MAX_WAITING) {
      this.#left--;
      this.#characters -= characters;
      return 'pass';
    }
    this.#dropped++;
    if (this.#dropped < TOO_MANY) return 'drop';
    this.#dropped = 0;
    return 'end';
  }

  #refill(): void {
    const now = performance.now();
    const seconds = (now - this.#at) / 1_000;
    this.#at = now;
    this.#left = Math.min(BURST, this.#left + seconds * PER_SECOND);
    this.#characters = Math.min(BURST_CHARACTERS, this.#characters + seconds * CHARACTERS_PER_SECOND);
    const isFull = this.#left === BURST && this.#characters === BURST_CHARACTERS;
    if (isFull && this.#waiting === 0) this.#dropped = 0;
  }

  /** Counts one that was let pass until the client has taken it. */
  async whileWaiting(characters: number, taken: Promise<void>): Promise<void> {
    this.#waiting += characters;
    await taken;
    this.#waiting -= characters;
  }

  /** How many were dropped since the last pause. */
  get dropped(): number {
    return this.#dropped;
  }
}
