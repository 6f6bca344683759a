/**
 * How the executor handles values of one sort: what a hook is lent, and how what it returned is taken back.
 * A shape never looks at a hook name.
 */
export interface Shape<T> {
  readonly name: string;
  /** Whether values are records with fields of their own, which `changes` can name. */
  readonly fields?: true;
  /** A copy for one hook to do with as it likes (C2). */
  lend(kept: T): T;
  /**
   * Takes a returned value into the chain (C3): `kept` itself where it holds the same, else a private, checked copy.
   *
   * @throws {ShapeProblem} where the value breaks the shape.
   */
  adopt(returned: unknown, loan: Loan<T>): T;
  size(value: T): number;
}

/** What a hook was lent, and the private original it was copied from. */
export interface Loan<T> {
  readonly kept: T;
  readonly lent: T;
}
