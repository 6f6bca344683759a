import type { JsonObject } from 'type-fest';
import type { EntryAnswer } from '../../normal-form.ts';

/** The content of an answer, in one form. */
export interface Output {
  readonly decision?: 'allow' | 'deny' | 'ask';
  readonly reason?: string;
  readonly updatedInput?: JsonObject;
  /** Of the top, and of what is specific to the event. */
  readonly continues: readonly (boolean | undefined)[];
}

/** What an answer decides on an event. */
export type ReadOpinion = (output: Output) => EntryAnswer;

/** A refusal. The model is told of refused tool calls; the person is told of all others too. */
export function denied({ isTool }: { readonly isTool?: true }, reason: string): EntryAnswer {
  return { decision: 'deny', reason, ...(isTool ? {} : { userMessage: reason }) };
}

/** Allows, denies or asks about a call, or rewrites it. */
export const opinionOnCall: ReadOpinion = ({ decision, reason, updatedInput }) => ({
  ...(decision === undefined ? {} : { decision }),
  ...why(reason),
  ...(updatedInput === undefined || decision === 'deny' ? {} : { input: updatedInput }),
});

/** Denies a prompt, or asks about it. */
export const opinionOnPrompt: ReadOpinion = ({ decision, reason }) => {
  if (decision === 'deny') return denied({}, reason ?? 'A hook refused this prompt without giving a reason.');
  return decision === 'ask' ? { decision, ...why(reason) } : {};
};

/** Keeps a turn going. */
export const opinionOnStop: ReadOpinion = ({ continues, reason }) =>
  continues.includes(true) ? { keepsGoing: true, ...why(reason) } : {};

/** Refuses a compaction. */
export const opinionOnCompaction: ReadOpinion = ({ decision, continues, reason }) =>
  decision === 'deny' || continues.includes(false) ? { decision: 'deny', ...why(reason) } : {};

function why(reason: string | undefined): Pick<EntryAnswer, 'reason'> {
  return reason === undefined ? {} : { reason };
}
