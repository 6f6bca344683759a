import type { StoredMessage } from '../stores/store.ts';

/** Messages injected while results of a batch are missing (design §7.1). */
export interface OpenBatch {
  readonly turnId: string;
  readonly waiting: WaitingMessage[];
}

/** A message that waits for the end of a batch. */
export interface WaitingMessage {
  readonly message: StoredMessage;
  /** Whether it is in the queue, as its writer was told. */
  readonly isKept: Promise<boolean>;
}
