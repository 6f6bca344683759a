import type { Scope } from '@spec/hooks';
import { readPartFields } from '../answer-parts/index.ts';
import type { StoredMessage } from '../stores/store.ts';
import type { ThreadCore } from '../thread/core.ts';

/** A piece of a model's reasoning. */
export interface ReasoningPiece {
  /** The id of its part in the answer. */
  readonly partId: string;
  readonly text: string;
}

/** The reasoning of one answer on its way to the listeners. */
export interface ReasoningRelease {
  /** What has left, by the ids of its parts, in their order. */
  readonly released: ReadonlyMap<string, string>;
  /** A piece came from the model. @returns whether it has left */
  add(piece: ReasoningPiece): boolean;
  /** The answer is stored: what has not left yet does. */
  end(stored: StoredMessage): void;
}

/** Lets an answer's reasoning out by the rules of its text, but whole where a hook could change it: what hooks say of texts that grow is about the text. */
export function releaseReasoning(core: ThreadCore, messageId: string): ReasoningRelease {
  const released = new Map<string, string>();
  let isHeld = false;
  const tell = ({ partId, text }: ReasoningPiece): void => {
    released.set(partId, (released.get(partId) ?? '') + text);
    core.events.emit({ type: 'reasoning', text, messageId, partId });
  };
  return {
    released,
    add(piece) {
      isHeld ||= !core.runtime.streamsRaw && mayChangeReasoning(core.scope);
      if (!isHeld && piece.text !== '') tell(piece);
      return !isHeld && core.events.hasListeners;
    },
    end(stored) {
      if (!isHeld) return;
      for (const { id: partId, text } of readPartFields(stored).reasoning ?? []) {
        const before = released.get(partId) ?? '';
        const rest = text.startsWith(before) ? text.slice(before.length) : `\n\n${text}`;
        if (rest !== '') tell({ partId, text: rest });
      }
    },
  };
}

function mayChangeReasoning({ before_create_message: chain = [] }: Scope): boolean {
  return chain.some(({ hook }) => {
    const changes = hook.changes as readonly string[] | undefined;
    return changes === undefined || changes.includes('reasoning');
  });
}
