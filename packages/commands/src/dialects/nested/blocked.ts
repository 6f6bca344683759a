import type { EntryAnswer } from '../../normal-form.ts';

/** What a block (exit code 2, or `decision: "block"`) does on an event. */
export type Blocking =
  /** The tool, the prompt or the compaction does not happen. */
  | 'deny'
  /** The turn goes on. */
  | 'keep-going'
  /** The model is told, and nothing is undone. */
  | 'feedback'
  /** The model gets the reason in place of the result. */
  | 'replace'
  /** The turn ends before the model is called again. */
  | 'end-turn'
  /** The person is told. */
  | 'tell'
  /** Nothing. */
  | 'none';

/** What can be blocked, and how an answer decides on it. */
export interface BlockableEvent {
  readonly blocking: Blocking;
  readonly decidesBy?: 'permissionDecision' | 'behavior' | undefined;
}

/** A block, and what else the entry says. */
interface Block {
  readonly opinion: EntryAnswer;
  /** May be empty. */
  readonly reason: string;
  readonly isExit?: true;
}

const NO_REASON = 'A hook blocked this without giving a reason.';

/** What a block does on an event. */
export function blocked(event: BlockableEvent, { opinion, reason: given, isExit }: Block): EntryAnswer {
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
    case 'replace':
      return withoutBlanks({ ...said, reason: undefined, output: reason || NO_REASON });
    case 'feedback':
      return withoutBlanks({ ...said, reason: undefined, context: joinTexts(reason, said.context) });
    case 'none':
      return said;
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
