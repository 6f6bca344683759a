import { type DecisionName, isStricter, MAX_DECISION_ROUNDS, rewrittenTooOften } from '../strictness.ts';
import type { Decision } from '../vocabulary/control.ts';
import type { Verdict } from '../vocabulary/lifecycle.ts';

const NONE: readonly never[] = Object.freeze([]);

/** The verdict of a chain without hooks, and the start of every other. */
export function noVerdict<S>(subject: S): Verdict<S> {
  return { decision: null, by: null, context: NONE, subject, rewrittenBy: NONE };
}

/**
 * Who is asked next in a decide chain, and what comes of it.
 *
 * V1 deny > ask > allow > nothing, whatever the order; a deny ends it.
 * V2 Every hook has seen the final input: after a rewrite, those that had not made it are asked again, in order, and the one that made it too
 *    if others see more in it than it has written.
 * V3 After three rounds of asking again it is denied.
 */
export class Deliberation {
  readonly #ids: readonly string[];
  readonly #opinions: Array<Decision | null>;
  /** The version of the input that each hook last saw; -1 for none. */
  readonly #seen: number[];
  readonly #rewrittenBy: string[] = [];
  #lastRewriter = '';
  #version = 0;
  #position = 0;
  #round = 0;
  #ended: { decision: 'deny'; by: string; reason: string | undefined } | undefined;

  constructor(ids: readonly string[]) {
    this.#ids = ids;
    this.#opinions = ids.map(() => null);
    this.#seen = ids.map(() => -1);
  }

  /** The position of the hook to ask, or `undefined` when the verdict stands. */
  next(): number | undefined {
    while (this.#ended === undefined) {
      const position = this.#seen.findIndex((seen, i) => i >= this.#position && seen !== this.#version);
      if (position >= 0) {
        this.#position = position + 1;
        return position;
      }
      if (!this.#seen.some((seen) => seen !== this.#version)) return undefined;
      this.#nextRound();
    }
    return undefined;
  }

  #nextRound(): void {
    this.#position = 0;
    this.#round++;
    if (this.#round <= MAX_DECISION_ROUNDS) return;
    const by = this.#lastRewriter;
    this.#ended = { decision: 'deny', by, reason: rewrittenTooOften(`the hook "${by}"`) };
  }

  /** Whether a hook was asked, or passed over, at least once. */
  asked(position: number): boolean {
    return this.#seen[position] !== -1;
  }

  /** Passes a hook over: it does not apply to this input. */
  skip(position: number): void {
    this.#opinions[position] = null;
    this.#seen[position] = this.#version;
  }

  /** Takes a hook's answer, and whether it changed the input: to one that it knows, or to one in which others see more. */
  addOpinion(position: number, decision: Decision | null, rewritten: false | 'known' | 'unknown'): void {
    const id = this.#ids[position] as string;
    if (rewritten !== false) {
      this.#version++;
      this.#lastRewriter = id;
      if (!this.#rewrittenBy.includes(id)) this.#rewrittenBy.push(id);
    }
    this.#opinions[position] = decision;
    this.#seen[position] = rewritten === 'unknown' ? this.#version - 1 : this.#version;
    if (decision?.decision === 'deny') this.#ended = { decision: 'deny', by: id, reason: decision.reason };
  }

  verdict<S>(subject: S): Verdict<S> {
    if (this.#opinions.every((opinion) => opinion === null) && this.#rewrittenBy.length === 0)
      return noVerdict(subject);
    const strictest = this.#ended ?? this.#strictest();
    const userMessage = this.#userMessage(strictest?.by);
    const result = this.#opinions.findLast((opinion) => opinion?.result !== undefined)?.result;
    return {
      ...noVerdict(subject),
      decision: strictest?.decision ?? null,
      by: strictest?.by ?? null,
      ...(strictest?.reason === undefined ? {} : { reason: strictest.reason }),
      ...(userMessage === undefined ? {} : { userMessage }),
      ...(result === undefined ? {} : { result }),
      context: this.#opinions.flatMap((opinion) => opinion?.context ?? []),
      rewrittenBy: this.#rewrittenBy,
    };
  }

  /** What the person is told: by the hook whose decision it is, else by the first that has something to say. */
  #userMessage(by: string | undefined): string | undefined {
    const decider = this.#opinions[this.#ids.indexOf(by ?? '')];
    return (
      (decider ?? undefined)?.userMessage ??
      this.#opinions.find((opinion) => opinion?.userMessage !== undefined)?.userMessage
    );
  }

  #strictest(): { decision: DecisionName; by: string; reason: string | undefined } | undefined {
    let strictest: { decision: DecisionName; by: string; reason: string | undefined } | undefined;
    this.#opinions.forEach((opinion, i) => {
      const decision = opinion?.decision;
      if (decision === undefined || !isStricter(decision, strictest?.decision)) return;
      strictest = { decision, by: this.#ids[i] as string, reason: opinion?.reason };
    });
    return strictest;
  }
}
