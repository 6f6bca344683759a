import { type Conversation, fingerprint } from './formats/conversation.ts';
import { type InputPosition, placeText } from './place.ts';
import type { Replayed } from './replay-conversation.ts';

/** Finds conversations of one replay that have the id of another one: only one of them could be stored. */
export interface Clashes {
  /** What comes of a conversation whose id another one has, or that was replayed before; `undefined` where it is to be replayed. */
  answerTo(conversation: Conversation): Replayed | undefined;
  /** Remembers a conversation that was replayed. */
  note(conversation: Conversation, at: InputPosition, replayed: Replayed): void;
}

/** Remembers ids and fingerprints, not conversations. */
export function watchClashes(): Clashes {
  const seen = new Map<string, Seen>();
  return {
    answerTo(conversation) {
      const { id } = conversation;
      const other = seen.get(id);
      if (other === undefined) return undefined;
      if (other.print === fingerprint(conversation)) return again(conversation, other);
      return refused(
        conversation,
        `Another conversation has the id ${id}, at ${placeText(other.at)}. Give one of them another id, or another database.`,
      );
    },
    note(conversation, at, { status, runs }) {
      // One that the database refused was never begun: another one may have the id.
      if (status === 'failed' && runs.length === 0) return;
      seen.set(conversation.id, { print: fingerprint(conversation), at, status });
    },
  };
}

interface Seen extends Pick<Replayed, 'status'> {
  readonly print: string;
  readonly at: InputPosition;
}

/** The same conversation once more: what is wrong with it was told before. */
function again(conversation: Conversation, { status }: Seen): Replayed {
  return { ...makeEmpty(conversation), status: status === 'failed' ? 'failed' : 'there' };
}

function refused(conversation: Conversation, reason: string): Replayed {
  return { ...makeEmpty(conversation), status: 'failed', reason };
}

function makeEmpty({ id, messages }: Conversation): Omit<Replayed, 'status'> {
  const counts = { recorded: messages.length, stored: 0, modelCalls: 0, sentToModel: 0 };
  return { id, ...counts, runs: [], ms: 0 };
}
