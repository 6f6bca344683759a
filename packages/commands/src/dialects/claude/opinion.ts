import type { EntryAnswer } from '../../normal-form.ts';
import { blocked, joinTexts, withoutBlanks } from '../nested/blocked.ts';
import type { ClaudeEvent } from './events.ts';
import type { ClaudeOutput, SpecificOutput } from './output.ts';

/** The content of a JSON answer. */
export function readOpinion(event: ClaudeEvent, output: ClaudeOutput): EntryAnswer {
  const specific = output.hookSpecificOutput ?? {};
  const said = withoutBlanks({
    userMessage: joinTexts(output.systemMessage),
    context: joinTexts(specific.additionalContext, specific.initialUserMessage),
    output: readToolOutput(specific),
  });
  const opinion = decided(event, { output, specific, said });
  const heeded = withoutUncounted(event, opinion);
  if (output.continue !== false) return heeded;
  if (!event.continueDenies) return ended(heeded, output.stopReason);
  return blocked(event, { opinion: heeded, reason: joinTexts(output.stopReason) ?? '' });
}

/** Takes out of an answer what the program does not read on the event, and says so. */
function withoutUncounted({ uncounted = {} }: ClaudeEvent, opinion: EntryAnswer): EntryAnswer {
  const fields = (Object.keys(uncounted) as (keyof typeof uncounted)[]).filter(
    (field) => opinion[field] !== undefined,
  );
  if (fields.length === 0) return opinion;
  const blank = Object.fromEntries(fields.map((field) => [field, undefined]));
  const why = fields.map((field) => uncounted[field]).join('; ');
  return withoutBlanks({ ...opinion, ...blank, uncounted: why });
}

interface Said {
  readonly output: ClaudeOutput;
  readonly specific: SpecificOutput;
  readonly said: EntryAnswer;
}

function decided(event: ClaudeEvent, { output, specific, said }: Said): EntryAnswer {
  const isBlock = output.decision === 'block' || output.decision === 'deny';
  if (event.decidesBy === 'permissionDecision' && !(isBlock && specific.permissionDecision !== 'deny'))
    return toolDecision(output, { specific, said });
  if (event.decidesBy === 'behavior') return requestDecision(specific, said);
  return isBlock ? blocked(event, { opinion: said, reason: output.reason ?? '' }) : said;
}

/** The old `decision` counts if the new one is absent. Of two, the stricter counts. */
function toolDecision(output: ClaudeOutput, { specific, said }: Omit<Said, 'output'>): EntryAnswer {
  const { permissionDecision, permissionDecisionReason, updatedInput } = specific;
  const decision = permissionDecision ?? readOldDecision(output);
  const reason = permissionDecisionReason ?? output.reason ?? undefined;
  const input = updatedInput ?? undefined;
  if (decision === 'deny') return withoutBlanks({ ...said, decision, reason });
  // A decision cannot be deferred here, so a person is asked now.
  if (decision === 'ask' || decision === 'defer')
    return withoutBlanks({ ...said, decision: 'ask', reason, input });
  if (decision === 'allow')
    return withoutBlanks({ ...said, decision, input, userMessage: joinTexts(said.userMessage, reason) });
  return withoutBlanks({ ...said, input });
}

const OLD_DECISIONS = { approve: 'allow', allow: 'allow', ask: 'ask' } as const;

function readOldDecision({ decision }: ClaudeOutput): 'allow' | 'ask' | undefined {
  const word = decision === 'block' || decision === 'deny' ? undefined : decision;
  return word ? OLD_DECISIONS[word] : undefined;
}

function requestDecision({ decision }: SpecificOutput, said: EntryAnswer): EntryAnswer {
  if (decision === undefined || decision === null) return said;
  if (decision.behavior === 'allow')
    return withoutBlanks({ ...said, decision: 'allow', input: decision.updatedInput ?? undefined });
  const reason = decision.message ?? undefined;
  return withoutBlanks({
    ...said,
    decision: 'deny',
    reason,
    ...(decision.interrupt ? { endsTurn: true } : {}),
  });
}

/** The end of the turn overrides the decision, and the person is told why. */
function ended(
  { decision: _, keepsGoing: __, input: ___, reason, ...said }: EntryAnswer,
  stopReason: ClaudeOutput['stopReason'],
): EntryAnswer {
  return withoutBlanks({
    ...said,
    endsTurn: true,
    reason: joinTexts(stopReason) ?? reason ?? 'A hook ended the turn.',
    userMessage: joinTexts(said.userMessage, stopReason),
  });
}

function readToolOutput({ updatedToolOutput, updatedMCPToolOutput }: SpecificOutput): string | undefined {
  const value = updatedToolOutput ?? updatedMCPToolOutput;
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
