/** Why a value does not fit: a rule and field names, never the value. Inside the executor only; callers see a `RunError`. */
export class ShapeProblem extends Error {
  override readonly name = 'ShapeProblem';
}
