import type { Subject } from '../subject.ts';

/** One deliberate fault: what it breaks of a good runtime, and who must notice. */
export interface Fault {
  /** snake_case. */
  readonly id: string;
  /** What the broken runtime does, in one sentence. */
  readonly says: string;
  /** The ids of cases that name the fault: each of them fails. */
  readonly foundBy: readonly string[];
  /** The other cases that may fail because of it: ids or topics, where `*` stands for anything. No others do. */
  readonly breaks: readonly string[];
  /** A version of a good runtime that has the fault and no other. */
  breakIt(good: Subject): Subject;
}
