import { MAX_DECISION_ROUNDS } from './strictness.ts';

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
