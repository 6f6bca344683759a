import { type Conversation, fingerprint } from './conversation.ts';
import { type Place, placeText } from './place.ts';
import type { Replayed } from './replay-conversation.ts';

/** Finds conversations of one replay that have the id of another one: only one of them could be stored. */
export interface Clashes {
  /** What comes of a conversation that cannot be replayed; `undefined` where it can. The same conversation again is no clash. */
  refusalOf(conversation: Conversation, at: Place): Replayed | undefined;
}

/** Remembers ids and fingerprints, not conversations. */
export function watchClashes(): Clashes {
  const seen = new Map<string, { readonly print: string; readonly at: Place }>();
  return {
    refusalOf(conversation, at) {
      const { id } = conversation;
      const print = fingerprint(conversation);
      const other = seen.get(id);
      if (other === undefined) seen.set(id, { print, at });
      if (other === undefined || other.print === print) return undefined;
      return refused(
        conversation,
        `Another conversation has the id ${id}, at ${placeText(other.at)}. Give one of them another id, or another database.`,
      );
    },
  };
}

function refused({ id, messages }: Conversation, reason: string): Replayed {
  const counts = { recorded: messages.length, stored: 0, modelCalls: 0, sentToModel: 0 };
  return { id, status: 'failed', reason, ...counts, runs: [], ms: 0 };
}
