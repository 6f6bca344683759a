import { type DecisionName, isStricter } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import type { CommandEntry, EntryAnswer } from '../normal-form.ts';

/** What the entries of a file have to say about one occasion, together. */
export interface Merged {
  /** The strictest of all. */
  readonly decision: DecisionName | undefined;
  /** For the model: of those that decided so. */
  readonly reasons: readonly string[];
  readonly contexts: readonly string[];
  /** For the person. */
  readonly userMessages: readonly string[];
  /** The whole input, where it was rewritten. */
  readonly input: JsonObject | undefined;
  /** What takes the place of the tool's result. */
  readonly output: string | undefined;
  /** Why the turn must go on. */
  readonly keepGoing: readonly string[];
  /** Whether the turn ends. */
  readonly endsTurn: boolean;
}

/** An entry with what it answered. */
export interface EntryOpinion {
  readonly entry: CommandEntry;
  readonly answer: EntryAnswer;
}

/** Merges what entries answered, in this order: deny beats ask beats allow, of rewritten results the last counts. */
export function mergeOpinions(opinions: readonly EntryOpinion[], input: JsonObject | undefined): Merged {
  const answers = opinions.map(({ answer }) => answer);
  const decision = findStrictest(answers);
  return {
    decision,
    reasons: collectTexts(answers.filter((answer) => isHeeded(answer, decision)).map(({ reason }) => reason)),
    contexts: collectTexts(answers.map(({ context }) => context)),
    userMessages: collectTexts(answers.map(({ userMessage }) => userMessage)),
    input,
    output: answers.findLast(({ output }) => output !== undefined)?.output,
    keepGoing: answers.flatMap(({ keepsGoing, reason }) => (keepsGoing ? [reason ?? KEEP_GOING] : [])),
    endsTurn: answers.some(({ endsTurn }) => endsTurn),
  };
}

const KEEP_GOING = 'A hook does not let the turn end yet.';

function isHeeded(answer: EntryAnswer, decision: Merged['decision']): boolean {
  return answer.endsTurn === true || (decision !== undefined && answer.decision === decision);
}

function findStrictest(answers: readonly EntryAnswer[]): Merged['decision'] {
  let strictest: Merged['decision'];
  for (const { decision } of answers) if (isStricter(decision, strictest)) strictest = decision;
  return strictest;
}

/** Each text once, without those that say nothing. */
function collectTexts(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined && text.trim() !== ''))] as string[];
}

/** The input that an entry leaves, given the one that it got. */
export function rewriteInput(input: JsonObject, { entry, answer }: EntryOpinion): JsonObject {
  if (answer.input === undefined) return input;
  return entry.rewrite === 'merge' ? { ...input, ...answer.input } : answer.input;
}
