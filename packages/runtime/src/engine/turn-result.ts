import type { ModelUsage } from '@spec/hooks';

/** How a turn ended. */
export interface TurnResult {
  readonly turnId: string;
  /**
   * `completed`: the model stopped calling tools. `denied`: a hook refused the message and nothing was stored. `limit`: the agent's
   * `maxSteps` were used up. `stopped`: a hook or tool ended it after a step. `aborted`: it was stopped at once.
   */
  readonly status: 'completed' | 'denied' | 'limit' | 'stopped' | 'aborted';
  /** The model's last text. */
  readonly text: string | null;
  /** How many times the model was called. */
  readonly steps: number;
  /** The tokens that the turn's model calls used, those of its summaries too. */
  readonly usage: ModelUsage;
  /** For the caller: why the message was denied. */
  readonly reason?: string;
  /** A hook's message to the person. */
  readonly userMessage?: string;
}

/** The result of a turn. */
export type TurnEnding = { readonly result: TurnResult } | { readonly error: unknown };

/** A result without what follows from where the turn was. */
export type Ended = Omit<TurnResult, 'turnId' | 'steps' | 'usage'>;
