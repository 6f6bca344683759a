import type { LifecycleName } from '@spec/hooks';
import type { Judge, Judgement } from './judges.ts';

/** Something that a hook would have done. Its texts are redacted. */
export interface Finding {
  readonly hook: LifecycleName;
  readonly id: string;
  readonly outcome: Judgement['outcome'];
  readonly tool?: string;
  /** The call's command, path or address, else its arguments; of a message its text. */
  readonly input?: string;
  readonly reason?: string;
  readonly session: string;
  /** ISO 8601. */
  readonly time: string;
}

/** How often a hook would have done what. */
export interface HookCount {
  readonly hook: LifecycleName;
  readonly id: string;
  readonly source: string | null;
  denied: number;
  asked: number;
  unknown: number;
}

/** Counts findings by hook, and keeps the newest of them. */
export class Findings {
  readonly #most: number;
  readonly #counts: ReadonlyMap<Judge, HookCount>;
  readonly #kept: Finding[] = [];
  #total = 0;

  /** @param most so many findings are kept */
  constructor(judges: readonly Judge[], most: number) {
    this.#most = most;
    this.#counts = new Map(
      judges.map((judge) => {
        const { hook, id, source } = judge;
        return [judge, { hook, id, source, denied: 0, asked: 0, unknown: 0 }];
      }),
    );
  }

  /** @param describe called where the finding is kept: it takes time to redact one */
  add(judge: Judge, outcome: Judgement['outcome'], describe: () => Finding): void {
    const count = this.#counts.get(judge);
    if (count !== undefined) count[outcome]++;
    this.#total++;
    this.#kept.push(describe());
    if (this.#kept.length >= 2 * this.#most + SPARE) this.#keepNewest();
  }

  get total(): number {
    return this.#total;
  }

  get byHook(): readonly HookCount[] {
    return [...this.#counts.values()];
  }

  /** The newest first. */
  get newest(): readonly Finding[] {
    this.#keepNewest();
    return this.#kept;
  }

  #keepNewest(): void {
    this.#kept.sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0));
    if (this.#kept.length > this.#most) this.#kept.length = this.#most;
  }
}

/** So many more are gathered before they are sorted. */
const SPARE = 1_000;
