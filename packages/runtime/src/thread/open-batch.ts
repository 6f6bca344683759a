import type { StoredMessage } from '../stores/store.ts';

/** Messages injected while results of a batch are missing (design §7.1), and results that the store could not take when they were there. */
export interface OpenBatch {
  readonly turnId: string;
  readonly waiting: WaitingMessage[];
  /** By the ids of their rows: the turn goes on with them in this process, where it is known what came of their calls. */
  readonly unstored: Map<string, UnstoredResult>;
}

/** A result as it will be stored, and what hooks have for the conversation. */
export interface UnstoredResult {
  readonly message: StoredMessage;
  readonly contexts: readonly string[];
}

/** A message that waits for the end of a batch. */
export interface WaitingMessage {
  readonly message: StoredMessage;
  /** Whether it is in the queue, as its writer was told. */
  readonly isKept: Promise<boolean>;
}
