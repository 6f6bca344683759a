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
