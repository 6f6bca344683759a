import { type Random, seededRandom } from '../redact/random.ts';
import { Events } from './events.ts';

/** What a simulation assumes. Times in seconds. */
export interface Assumptions {
  readonly workers: number;
  readonly threads: number;
  /** Turns that begin in a second, at the time of the day that is simulated. */
  readonly turnsPerSecond: number;
  /** How long is simulated. */
  readonly seconds: number;
  /** The mean of a turn; turns are distributed exponentially. */
  readonly turnSeconds: number;
  /** The mean of a step, which is done again after a takeover. */
  readonly stepSeconds: number;
  /** The part of the turns that goes to the hot threads, and how many these are. */
  readonly hotShare: number;
  readonly hotThreads: number;
  /** How often each worker dies. */
  readonly deathsPerWorkerAndDay: number;
  /** From the death of a worker to the next attempt: the least and the most. */
  readonly takeoverSeconds: readonly [number, number];
  /** How many workers go at once in the middle of the time, as with a machine or a rack; they do not come back. */
  readonly lostWorkers: number;
  readonly seed: string;
}

/** What came of it. */
export interface Simulated {
  readonly turns: number;
  readonly attempts: number;
  /** Turns whose thread had another turn. */
  readonly waited: number;
  /** Seconds from the message to the begin of its turn: of 99 of 100 turns on other threads, and on hot ones, at most. */
  readonly waitP99: number;
  readonly hotWaitP99: number;
  /** The most turns at once on one worker, and on all. */
  readonly mostOnOne: number;
  readonly mostAtOnce: number;
  /** Turns that the lost workers had, and the seconds until the last of these ran again. */
  readonly lostTurns: number;
  readonly lostSeconds: number;
  /** Seconds of models and tools that were done twice, in a thousand. */
  readonly repeatedPerMille: number;
  /** Threads on which two turns ran at once: 0, or the simulation is wrong. */
  readonly overlaps: number;
}

interface Turn {
  readonly thread: number;
  readonly sentAt: number;
  /** Seconds that are left. */
  left: number;
  worker: number;
  begunAt: number;
  /** Grows with each attempt: an end that was planned for an earlier one is none. */
  attempt: number;
}

type Event =
  | { readonly kind: 'message' }
  | { readonly kind: 'begin' | 'end'; readonly turn: Turn; readonly attempt: number }
  | { readonly kind: 'death'; readonly worker: number }
  | { readonly kind: 'loss' };

/** Plays a part of a day: who waits, who dies, who takes over. The same assumptions give the same result. */
export function simulate(assumptions: Assumptions): Simulated {
  return new Simulation(assumptions).run();
}

class Simulation {
  readonly #of: Assumptions;
  readonly #random: Random;
  readonly #events = new Events<Event>();
  /** The turns that wait for a thread, the one that runs first. */
  readonly #lines = new Map<number, Turn[]>();
  readonly #onWorker: Set<Turn>[];
  readonly #alive: number[];
  readonly #waits: { readonly hot: number[]; readonly other: number[] } = { hot: [], other: [] };
  readonly #sums = {
    turns: 0,
    attempts: 0,
    waited: 0,
    mostOnOne: 0,
    atOnce: 0,
    mostAtOnce: 0,
    lostTurns: 0,
    overlaps: 0,
  };
  #worked = 0;
  #repeated = 0;
  #lostAt = 0;
  #lostUntil = 0;
  readonly #lost = new Set<Turn>();

  constructor(assumptions: Assumptions) {
    this.#of = assumptions;
    this.#random = seededRandom(assumptions.seed);
    this.#onWorker = Array.from({ length: assumptions.workers }, () => new Set<Turn>());
    this.#alive = Array.from({ length: assumptions.workers }, (_, worker) => worker);
  }

  run(): Simulated {
    const { seconds, workers, deathsPerWorkerAndDay } = this.#of;
    this.#events.add(0, { kind: 'message' });
    this.#events.add(seconds / 2, { kind: 'loss' });
    const deaths = Math.round((workers * deathsPerWorkerAndDay * seconds) / 86_400);
    for (let n = 0; n < deaths; n++)
      this.#events.add(this.#random.part() * seconds, { kind: 'death', worker: this.#random.below(workers) });
    for (let next = this.#events.take(); next !== undefined; next = this.#events.take())
      this.#happen(next.event, next.at);
    return this.#sum();
  }

  #happen(event: Event, now: number): void {
    if (event.kind === 'message') this.#receive(now);
    else if (event.kind === 'death') this.#endWorker(event.worker, now);
    else if (event.kind === 'loss') this.#loseWorkers(now);
    else if (event.attempt !== event.turn.attempt) return;
    else if (event.kind === 'begin') this.#begin(event.turn, now);
    else this.#end(event.turn, now);
  }

  #receive(now: number): void {
    const { hotShare, hotThreads, threads, turnSeconds, turnsPerSecond, seconds } = this.#of;
    const isHot = this.#random.part() < hotShare;
    const thread = this.#random.below(isHot ? hotThreads : threads - hotThreads) + (isHot ? 0 : hotThreads);
    const turn = { thread, sentAt: now, left: this.#draw(turnSeconds), worker: -1, begunAt: 0, attempt: 0 };
    const line = this.#lines.get(thread);
    this.#sums.turns++;
    if (line === undefined) {
      this.#lines.set(thread, [turn]);
      this.#plan('begin', turn, now);
    } else {
      this.#sums.waited++;
      line.push(turn);
    }
    const next = now + this.#draw(1 / turnsPerSecond);
    if (next < seconds) this.#events.add(next, { kind: 'message' });
  }

  #begin(turn: Turn, now: number): void {
    if (turn.attempt === 0)
      this.#waits[turn.thread < this.#of.hotThreads ? 'hot' : 'other'].push(now - turn.sentAt);
    if (this.#lines.get(turn.thread)?.[0] !== turn || turn.worker >= 0) this.#sums.overlaps++;
    if (this.#lost.has(turn)) this.#lostUntil = Math.max(this.#lostUntil, now);
    this.#sums.attempts++;
    turn.worker = this.#alive[this.#random.below(this.#alive.length)] ?? 0;
    turn.begunAt = now;
    const own = this.#onWorker[turn.worker]?.add(turn);
    this.#sums.mostOnOne = Math.max(this.#sums.mostOnOne, own?.size ?? 0);
    this.#sums.mostAtOnce = Math.max(this.#sums.mostAtOnce, ++this.#sums.atOnce);
    this.#plan('end', turn, now + turn.left);
  }

  #end(turn: Turn, now: number): void {
    this.#worked += now - turn.begunAt;
    this.#leave(turn);
    const line = this.#lines.get(turn.thread) ?? [];
    line.shift();
    const [next] = line;
    if (next === undefined) this.#lines.delete(turn.thread);
    else this.#plan('begin', next, now);
  }

  /** Another process takes its place at once; its turns go on elsewhere when their end is noticed. */
  #endWorker(worker: number, now: number): void {
    const [least, most] = this.#of.takeoverSeconds;
    for (const turn of [...(this.#onWorker[worker] ?? [])]) {
      const done = now - turn.begunAt;
      const repeated = Math.min(done, this.#draw(this.#of.stepSeconds));
      this.#worked += done;
      this.#repeated += repeated;
      turn.left += repeated - done;
      this.#leave(turn);
      turn.attempt++;
      this.#plan('begin', turn, now + least + this.#random.part() * (most - least));
    }
  }

  #loseWorkers(now: number): void {
    this.#lostAt = now;
    this.#lostUntil = now;
    const lost = this.#alive.splice(0, Math.min(this.#of.lostWorkers, this.#alive.length - 1));
    for (const worker of lost) {
      for (const turn of this.#onWorker[worker] ?? []) this.#lost.add(turn);
      this.#endWorker(worker, now);
    }
    this.#sums.lostTurns = this.#lost.size;
  }

  #leave(turn: Turn): void {
    this.#onWorker[turn.worker]?.delete(turn);
    turn.worker = -1;
    this.#sums.atOnce--;
  }

  #plan(kind: 'begin' | 'end', turn: Turn, at: number): void {
    this.#events.add(at, { kind, turn, attempt: turn.attempt });
  }

  #draw(mean: number): number {
    return -mean * Math.log(1 - this.#random.part());
  }

  #sum(): Simulated {
    const { atOnce: _, ...sums } = this.#sums;
    return {
      ...sums,
      waitP99: percentile(this.#waits.other, 0.99),
      hotWaitP99: percentile(this.#waits.hot, 0.99),
      lostSeconds: this.#lostUntil - this.#lostAt,
      repeatedPerMille: (1_000 * this.#repeated) / this.#worked,
    };
  }
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
}
