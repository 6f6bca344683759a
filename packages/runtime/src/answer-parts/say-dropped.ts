import { warn } from '../warn.ts';

/** Which answer lost a part, and to what. */
export interface DroppedParts {
  readonly threadId: string;
  readonly messageId: string;
  /** Such as `is not stored`. */
  readonly what: string;
}

/** Says that a part of an answer was dropped, because a hook changed what its provider had signed. */
export function sayDropped({ threadId, messageId, what }: DroppedParts): void {
  warn(
    `A hook changed a part of answer ${messageId} on thread ${threadId} that its provider had signed: what was signed ${what}. The provider would refuse it, and it may hold what the hook took out.`,
    { type: 'AnswerPartsWarning', code: 'SIGNED_PART_DROPPED' },
  );
}

/** Says that an answer has more reasoning and metadata than are kept. */
export function sayTooLong({ threadId, messageId }: Omit<DroppedParts, 'what'>): void {
  warn(
    `The reasoning and the provider's metadata of answer ${messageId} on thread ${threadId} are too long to be kept: they are neither stored nor sent back.`,
    { type: 'AnswerPartsWarning', code: 'ANSWER_PARTS_TOO_LONG' },
  );
}
