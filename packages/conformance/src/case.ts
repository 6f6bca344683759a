import type { LifecycleName } from '@spec/hooks';
import type { Ability, FullTrial, Setup, Subject } from './subject.ts';

/**
 * `MUST`, `SHOULD` and `MAY` are the specification's words; what it states as a fact, without one of them, counts as `MUST`.
 * `ours` is what this project promises beyond it.
 */
export type Level = 'MUST' | 'SHOULD' | 'MAY' | 'ours';

/** One requirement on a runtime. */
export interface Case {
  /** `<topic>.<what>`, snake_case: `before_create_message.is_used_for_insertion`. Baselines name cases by it, so it stays. */
  readonly id: string;
  /** Of the specification (`spec 4.1`), of the design (`design 5`), of the lifecycle (`control before_stop`), or an invariant (`C5`). */
  readonly section: string;
  readonly level: Level;
  /** The requirement in one sentence. */
  readonly says: string;
  /** Ids of the sentences of the specification that it tests, from `specificationSentences`. */
  readonly covers?: readonly string[];
  /** What the runtime must be able to do for the case to apply. */
  readonly needs?: readonly Ability[];
  /** The hooks that it is about: rows of the lifecycle tables. It fails where those of one of these names do not run. */
  readonly hooks?: readonly LifecycleName[];
  /** Those of these hooks that fail in it: each row of the tables must have such a case. */
  readonly failing?: readonly LifecycleName[];
  /** Throws where the requirement is not met, saying what was expected and what came. */
  run(bench: TestBench): Promise<void>;
}

/** What a case gets: trials on the subject, closed when the case ends, also the ones that it opened again. */
export interface TestBench {
  readonly open: (setup: Setup) => Promise<FullTrial>;
  readonly subject: Subject;
}
