/** The possible decisions. Deny beats ask, and ask beats allow. */
export type DecisionName = 'allow' | 'ask' | 'deny';

const strictness: Readonly<Record<DecisionName, number>> = { allow: 1, ask: 2, deny: 3 };

/** Whether a decision beats another. Any decision beats no decision. */
export function isStricter(one: DecisionName | undefined, other: DecisionName | undefined): boolean {
  return one !== undefined && (other === undefined || strictness[one] > strictness[other]);
}

/** How often those that decide may be asked again because what they decide on was rewritten; then it is denied. */
export const MAX_DECISION_ROUNDS = 3;

/** The reason for denying something that was rewritten in every round. */
export function rewrittenTooOften(by: string): string {
  return `The input was rewritten again and again, last by ${by}; after ${MAX_DECISION_ROUNDS} rounds it is denied.`;
}

/** What the model is told of a tool call that is denied, in every loop. `by` is the id of the hook that denied it. */
export function describeDenial({ by = null, reason }: Denial): string {
  return `This tool call was denied${by === null ? '' : ` by ${by}`}.${reason === undefined ? '' : ` ${reason}`}`;
}

interface Denial {
  readonly by?: string | null;
  readonly reason?: string | undefined;
}

/** What the model is told of a tool call that is denied because its arguments were rewritten in every round. */
export const ENDLESSLY_REWRITTEN: string = `This tool call was denied: its arguments were rewritten again and again, ${MAX_DECISION_ROUNDS} times.`;
