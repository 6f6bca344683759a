import type { CommandEntry, EntryAnswer, HandlerAnswer, Occasion } from '../../normal-form.ts';
import { type InvalidAnswer, type JsonAnswer, readAnswer } from '../../run/read-output.ts';
import { blocked, withoutBlanks } from '../nested/blocked.ts';
import { FORBIDS, holdModelRefusal } from '../nested/model-refusal.ts';
import { holdRefusal, refusalIn, UNREADABLE } from '../nested/refusal.ts';
import type { ClaudeEvent } from './events.ts';
import { readOpinion } from './opinion.ts';
import { checkedOutput, modelVerdict } from './output.ts';
import type { ClaudeVariant } from './variant.ts';

/** An answer that is being read, with its entry. */
interface Reading {
  readonly entry: CommandEntry;
  readonly event: ClaudeEvent;
  readonly given: HandlerAnswer;
  readonly variant: ClaudeVariant;
  readonly occasion: Occasion;
}

/**
 * Reads an answer.
 *
 * 1. Exit code 2 blocks, whatever standard output holds. JSON can add to the block but cannot undo it.
 * 2. JSON is read on any exit code. Codes other than 0 and 2 also count as a failure.
 * 3. Text counts only on exit code 0, on the few events where it is context.
 * 4. What an answer forbids counts even if the rest of the answer cannot be trusted.
 * 5. `continue: false` beats every decision.
 */
export function readClaudeAnswer(
  entry: CommandEntry,
  given: HandlerAnswer,
  { variant, occasion }: Pick<Reading, 'variant' | 'occasion'>,
): EntryAnswer {
  const event = variant.events[entry.eventName] as ClaudeEvent;
  if (variant.readAnswer !== undefined) return variant.readAnswer(given, event, entry.eventName);
  const picked = variant.pickOutput?.(given) ?? given;
  return makeAnswer({ entry, event, given, variant, occasion }, readAnswer(picked));
}

function makeAnswer(reading: Reading, said: JsonAnswer): EntryAnswer {
  const { event, given, variant } = reading;
  const opinion = opinionOn(reading, said);
  const words = readStderr(given);
  const isSilent = variant.blocksWithWords === true && words === '';
  if (given.exitCode === 2 && event.ignoresExit2 === undefined && !isSilent)
    return blocked(event, {
      opinion,
      reason: said.kind === 'json' && isJson(words) ? '' : words,
      isExit: true,
    });
  if (given.exitCode !== 0)
    return { ...opinion, failure: { effect: 'onExit', why: `it exited with code ${given.exitCode}` } };
  return opinion;
}

function opinionOn(reading: Reading, said: JsonAnswer): EntryAnswer {
  const { entry, event, given } = reading;
  const opinion = readOpinionOn(reading, said);
  return isOfModel(entry) && opinion.failure !== undefined
    ? holdModelRefusal(event, given, opinion)
    : opinion;
}

function readOpinionOn(reading: Reading, said: JsonAnswer): EntryAnswer {
  const { entry, event, given } = reading;
  if (said.kind === 'invalid') return { ...makeRefusal(reading, said), ...invalid(said.why) };
  if (said.kind === 'json') return holdRefusal(event, said.value, readJson(reading, said.value));
  if (isOfModel(entry)) return invalid(NO_VERDICT);
  if (said.kind === 'text' && isStrictTool(reading))
    return invalid('its tool answered with text, and not as a hook');
  if (said.kind === 'text' && event.needsJson && given.exitCode === 0)
    return invalid('it must be JSON, or nothing');
  return said.kind === 'text' && event.textIsContext && given.exitCode === 0 ? { context: said.text } : {};
}

const isOfModel = ({ handler }: CommandEntry): boolean =>
  handler.type === 'prompt' || handler.type === 'agent';

function readJson(reading: Reading, value: JsonFields): EntryAnswer {
  const { entry, event } = reading;
  if (!isOfModel(entry)) return readObject(reading, value);
  const verdict = modelVerdict(value);
  if (verdict !== undefined) return verdict.ok ? {} : refusal(entry, event, verdict.reason);
  if (!COMMAND_WORDS.some((word) => Object.hasOwn(value, word))) return invalid(NO_VERDICT);
  return readObject(reading, value);
}

type JsonFields = Readonly<Record<string, unknown>>;

function readObject(reading: Reading, value: JsonFields): EntryAnswer {
  const { entry, event, variant, occasion } = reading;
  const checked = checkedOutput(entry.eventName, value, variant);
  const fault = variant.findFault?.(entry.eventName, value, occasion);
  const why = fault?.why ?? checked.why;
  if (why === undefined && checked.output !== undefined) return readOpinion(event, checked.output);
  if (fault?.refuses)
    return { ...blocked(event, { opinion: {}, reason: UNREADABLE }), ...invalid(fault.why) };
  const rest = checked.output === undefined ? {} : refusalIn(readOpinion(event, checked.output));
  return { ...rest, ...invalid(why ?? UNREADABLE) };
}

/** What counts of an answer that cannot be trusted. The text that it quotes, and thus its defect, may come from whoever is judged. */
function makeRefusal(reading: Reading, { value, mayRefuse }: InvalidAnswer): EntryAnswer {
  const { event } = reading;
  if (mayRefuse)
    return FORBIDS.has(event.blocking) ? blocked(event, { opinion: {}, reason: UNREADABLE }) : {};
  return value === undefined ? {} : refusalIn(opinionOn(reading, { kind: 'json', value }));
}

/** With `onFailure: block` a tool must answer as a hook does. */
function isStrictTool({ entry: { handler, effects }, event }: Reading): boolean {
  return handler.type === 'mcp_tool' && effects.onInvalidOutput !== 'continue' && !event.takesText;
}

/** Words that are the answer themselves are no reason. */
const isJson = (words: string): boolean => words.startsWith('{');

/** A model may answer in the form of a command instead. */
const COMMAND_WORDS = ['hookSpecificOutput', 'decision', 'continue'];
const NO_VERDICT = 'the model did not answer with { "ok": … }';

function invalid(why: string): EntryAnswer {
  return { failure: { effect: 'onInvalidOutput', why } };
}

/** A model said no. After a tool this ends the turn, unless the entry wants it as feedback. */
function refusal(entry: CommandEntry, event: ClaudeEvent, reason: string): EntryAnswer {
  const isFeedback =
    entry.handler.type !== 'command' && 'continueOnBlock' in entry.handler && entry.handler.continueOnBlock;
  if (event.blocking !== 'feedback' || isFeedback) return blocked(event, { opinion: {}, reason });
  return withoutBlanks({ endsTurn: true, reason, userMessage: reason });
}

const lossy = new TextDecoder();

function readStderr({ stderr }: HandlerAnswer): string {
  return lossy.decode(stderr).trim();
}
