import { type DecisionName, isStricter } from '@spec/hooks';
import type { JsonObject } from 'type-fest';
import type { CommandEntry, EntryAnswer } from '../normal-form.ts';

/** The merged answers of a file's entries about one occasion. */
export interface Merged {
  /** The strictest of all. */
  readonly decision: DecisionName | undefined;
  /** The reasons for the model, from the entries with this decision. */
  readonly reasons: readonly string[];
  readonly contexts: readonly string[];
  /** For the person. */
  readonly userMessages: readonly string[];
  /** The whole input, if it was rewritten. */
  readonly input: JsonObject | undefined;
  /** What of a request to a model is another. */
  readonly request: JsonObject | undefined;
  /** The replacement of the tool's result. */
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

/** Merges the answers of entries in order. Deny beats ask, ask beats allow, and the last rewritten result counts. */
export function mergeOpinions(opinions: readonly EntryOpinion[], input: JsonObject | undefined): Merged {
  const answers = opinions.map(({ answer }) => answer);
  const decision = findStrictest(answers);
  return {
    decision,
    reasons: collectTexts(answers.filter((answer) => isHeeded(answer, decision)).map(({ reason }) => reason)),
    contexts: collectTexts(answers.map(({ context }) => context)),
    userMessages: collectTexts(answers.map(({ userMessage }) => userMessage)),
    input,
    request: joinRequests(answers.flatMap(({ request }) => (request === undefined ? [] : [request]))),
    output: answers.findLast(({ output }) => output !== undefined)?.output,
    keepGoing: answers.flatMap(({ keepsGoing, reason }) => (keepsGoing ? [reason ?? KEEP_GOING] : [])),
    endsTurn: answers.some(({ endsTurn }) => endsTurn),
  };
}

/** The last that says something counts; tools that hooks allow are allowed by any of them. */
function joinRequests(requests: readonly JsonObject[]): JsonObject | undefined {
  if (requests.length === 0) return undefined;
  const tools = requests.flatMap((one) => (Array.isArray(one.tools) ? one.tools : []));
  const joined = Object.assign({}, ...requests) as JsonObject;
  return 'tools' in joined ? { ...joined, tools: [...new Set(tools)] } : joined;
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

/** Removes repeated and empty texts. */
function collectTexts(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined && text.trim() !== ''))] as string[];
}

/** The input after an entry, given the input before it. */
export function rewriteInput(input: JsonObject, { entry, answer }: EntryOpinion): JsonObject {
  if (answer.input === undefined) return input;
  return entry.rewrite === 'merge' ? { ...input, ...answer.input } : answer.input;
}
