/** Why a value does not fit: a rule and field names, never the value. Inside the executor only; callers see a `RunError`. */
export class ShapeProblem extends Error {
  override readonly name = 'ShapeProblem';
}

/** What a value is that throws when it is read. What it throws says nothing: it may quote data (C9). */
export const UNREADABLE = 'cannot be read: reading it throws';

/** What was thrown may itself be a proxy that throws when it is looked at. */
export function isShapeProblem(error: unknown): error is ShapeProblem {
  try {
    return error instanceof ShapeProblem;
  } catch {
    return false;
  }
}
