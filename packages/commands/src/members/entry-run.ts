import { type EntryRun, lifecycleRow } from '@spec/hooks';
import type { HandlerFailed } from '../handlers/handler-end.ts';
import type { CommandEntry, Effect, EntryAnswer } from '../normal-form.ts';
import { isGuard } from './guards.ts';

/** The outcome of an entry. */
export interface EntryResult {
  readonly entry: CommandEntry;
  /** Includes the decision that a failure stands for. Absent if the entry did not run. */
  readonly answer?: EntryAnswer;
  readonly run: EntryRun;
}

/** The entry did not match, or its answer is no longer needed. @param why names of rules and fields, never values */
export function skipped(entry: CommandEntry, why: string): EntryResult {
  return { entry, run: { ...makeRun(entry), outcome: 'skipped', why } };
}

/** The entry must not run. If it is a guard, what it guards is denied; otherwise it is skipped. @param why as the end of a sentence about its file */
export function refusedOrSkipped(entry: CommandEntry, why: string): EntryResult {
  return isGuard(entry) ? refused(entry, why) : skipped(entry, `its file does not run: ${why}`);
}

function refused(entry: CommandEntry, why: string): EntryResult {
  const { file } = entry.position;
  const reason = `A hook of ${file} guards this, and cannot run: ${why}. A person has to look at the file and trust it.`;
  const run = { ...makeRun(entry), outcome: 'denied', why: `its file does not run: ${why}` } as const;
  return { entry, answer: { decision: 'deny', reason, userMessage: reason }, run };
}

const NOT_RUN = { changed: false, ms: 0, sizeBefore: 0, sizeAfter: 0 } as const;

function makeRun({ id, position }: CommandEntry): typeof NOT_RUN & Pick<EntryRun, 'id' | 'position'> {
  return { id, position: `${position.file}:${position.line}`, ...NOT_RUN };
}

/** The measurements of a run. */
export interface Measured {
  /** Milliseconds. */
  readonly ms: number;
  /** Characters of its payload. */
  readonly sizeBefore: number;
}

/** The handler gave no answer. The entry's effects say what that does. @param end with what it forbade before it failed */
export function failed(
  entry: CommandEntry,
  end: HandlerFailed & { readonly refusal?: EntryAnswer },
  measured: Measured = { ms: 0, sizeBefore: 0 },
): EntryResult {
  const { outcome, code, failure, mustBlock, refusal } = end;
  const effect = mustBlock ? 'block' : chooseEffect(entry, failure);
  const answer = outcome === 'aborted' ? {} : withEffect(entry, { ...refusal, failure }, effect);
  const hasRefused = Object.keys(refusal ?? {}).length > 0;
  const why = hasRefused ? `${failure.why}; what it had refused by then counts` : failure.why;
  return { entry, answer, run: { ...makeRun(entry), ...measured, outcome, code, why } };
}

/** The handler answered. */
export function answered(
  entry: CommandEntry,
  read: EntryAnswer,
  measured: Measured & { readonly sizeAfter: number },
): EntryResult {
  const { input: _, ...others } = read;
  const heeded: EntryAnswer = entry.rewrite === 'none' ? others : read;
  const { failure } = heeded;
  const answer = failure === undefined ? heeded : withEffect(entry, heeded, chooseEffect(entry, failure));
  const changed = answer.input !== undefined || answer.output !== undefined;
  const run = { ...makeRun(entry), ...measured, changed, ...makeOutcome(answer) };
  return { entry, answer, run };
}

function makeOutcome(answer: EntryAnswer): Pick<EntryRun, 'outcome' | 'why' | 'code'> {
  const { failure, decision, keepsGoing, endsTurn, uncounted } = answer;
  const said = failure?.why ?? uncounted;
  const why = said === undefined ? {} : { why: said };
  if (failure?.effect === 'onInvalidOutput')
    return { outcome: 'invalid_result', code: 'invalid_result', ...why };
  if (failure?.effect === 'onTimeout') return { outcome: 'timed_out', code: 'hook_timed_out', ...why };
  if (decision === 'deny' || keepsGoing || endsTurn) return { outcome: 'denied', ...why };
  if (decision === 'ask') return { outcome: 'asked', ...why };
  if (failure !== undefined) return { outcome: 'failed', code: 'hook_failed', ...why };
  return { outcome: answer.input === undefined && answer.output === undefined ? 'ok' : 'changed', ...why };
}

function chooseEffect({ effects }: CommandEntry, { effect }: HandlerFailed['failure']): Effect {
  return effect === 'none' ? 'continue' : effects[effect];
}

/** Adds the effect of its failure to an answer. */
function withEffect(
  entry: CommandEntry,
  answer: EntryAnswer,
  effect: 'continue' | 'block' | 'ask',
): EntryAnswer {
  if (effect === 'continue') return answer;
  const reason =
    answer.reason ?? `The hook ${entry.name ?? entry.id} did not succeed: ${answer.failure?.why}.`;
  if (lifecycleRow(entry.event).decide?.keepsGoing) return { ...answer, keepsGoing: true, reason };
  const decision = effect === 'ask' && answer.decision !== 'deny' ? 'ask' : 'deny';
  return { ...answer, decision, reason };
}
