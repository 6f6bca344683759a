import type { ThreadState } from '../vocabulary/state.ts';

/** A sort of value that a chain can carry. A shape never looks at a hook name. */
export interface Shape<T> {
  readonly name: string;
  /** Whether values are records with fields of their own, which `changes` can name. */
  readonly fields?: true;
  /** Takes a value into a chain's hands. */
  hold(value: T): Held<T>;
}

/** A value in a chain's hands: hooks see copies of it, and what they return takes its place once it is checked. */
export interface Held<T> {
  /** The private value itself. */
  readonly value: T;
  /** Characters of a text, items of a list, characters of a record's texts. */
  readonly size: number;
  /**
   * A copy for one hook to do with as it likes.
   *
   * @throws {ShapeProblem} where the value holds something that is no data.
   */
  lend(borrower: Borrower): T;
  /**
   * Takes what came back from the hook that was lent the last copy: itself where that holds the same, else a
   * private, checked copy of it.
   *
   * @throws {ShapeProblem} where it breaks the shape.
   */
  adopt(returned: unknown): Held<T>;
}

/** The hook that something is lent to: other threads' states end with it, as its own does. */
export interface Borrower {
  view(state: ThreadState): ThreadState;
}
