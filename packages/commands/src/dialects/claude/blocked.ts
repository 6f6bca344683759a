import type { EntryAnswer } from '../../normal-form.ts';
import type { ClaudeEvent } from './events.ts';

/** A block, and what else the entry says. */
interface Block {
  readonly opinion: EntryAnswer;
  /** May be empty. */
  readonly reason: string;
  readonly isExit?: true;
}

const NO_REASON = 'A hook blocked this without giving a reason.';

/** What a block does on an event. */
export function blocked(event: ClaudeEvent, { opinion, reason: given, isExit }: Block): EntryAnswer {
  const { failure: _, decision: __, input: ___, ...said } = opinion;
  const reason = given || said.reason || '';
  switch (event.blocking) {
    case 'deny': {
      const forPerson = event.decidesBy === 'permissionDecision' ? undefined : reason;
      return withoutBlanks({
        ...said,
        decision: 'deny',
        reason: reason || NO_REASON,
        userMessage: joinTexts(said.userMessage, forPerson),
      });
    }
    case 'keep-going':
      return said.endsTurn ? said : { ...said, keepsGoing: true, reason: reason || NO_REASON };
    case 'end-turn':
      return {
        ...said,
        endsTurn: true,
        reason: reason || NO_REASON,
        userMessage: joinTexts(said.userMessage, reason) ?? NO_REASON,
      };
    case 'feedback':
      return withoutBlanks({ ...said, reason: undefined, context: joinTexts(reason, said.context) });
    case 'tell':
      return withoutBlanks({
        ...said,
        ...(isExit ? { userMessage: joinTexts(said.userMessage, reason) } : {}),
      });
  }
}

/** Joins the texts that are not empty; `undefined` if all are. */
export function joinTexts(...texts: (string | null | undefined)[]): string | undefined {
  const said = texts.filter((text) => text !== undefined && text !== null && text.trim() !== '');
  return said.length === 0 ? undefined : [...new Set(said)].join('\n\n');
}

type Draft = { readonly [K in keyof EntryAnswer]?: EntryAnswer[K] | undefined };

/** Removes the fields of an answer that say nothing. */
export function withoutBlanks(answer: Draft): EntryAnswer {
  return Object.fromEntries(
    Object.entries(answer).filter(([, value]) => value !== undefined && value !== ''),
  ) as EntryAnswer;
}
