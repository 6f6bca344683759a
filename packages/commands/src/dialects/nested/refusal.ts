import type { ZodError, ZodType } from 'zod';
import type { EntryAnswer } from '../../normal-form.ts';
import { type BlockableEvent, blocked, joinTexts, withoutBlanks } from './blocked.ts';

/** What an entry forbids, without what it allows or rewrites. Nothing else counts of an untrusted answer. */
export function refusalIn({ decision, reason, userMessage, endsTurn, keepsGoing }: EntryAnswer): EntryAnswer {
  const forbids = decision === 'deny' || decision === 'ask';
  if (!forbids && !endsTurn && !keepsGoing) return {};
  return {
    ...(forbids ? { decision } : {}),
    ...(reason === undefined ? {} : { reason }),
    ...(userMessage === undefined ? {} : { userMessage }),
    ...(endsTurn ? { endsTurn } : {}),
    ...(keepsGoing ? { keepsGoing } : {}),
  };
}

/** An unreadable answer that may have been a refusal. */
export const UNREADABLE = 'The answer of a hook could not be read, and may have been a refusal.';

/**
 * What stands in an answer as a refusal counts where something is guarded, whatever else the answer says: fields beside it may be a quote
 * of whoever is judged. Of several words the strictest counts.
 */
export function holdRefusal(event: BlockableEvent, value: unknown, answer: EntryAnswer): EntryAnswer {
  if (event.blocking !== 'deny' || answer.decision === 'deny' || answer.endsTurn) return answer;
  const word = findStrictestWord(value);
  if (word === undefined || word === answer.decision) return answer;
  const { failure } = answer;
  const reason = joinTexts(...readFields(value, REASONS).map(textOrNothing)) ?? '';
  const held =
    word === 'deny'
      ? blocked(event, { opinion: answer, reason })
      : withoutBlanks({ ...answer, decision: word, reason });
  return failure === undefined ? held : { ...held, failure };
}

/** The fields in which any format decides, and those that say why. */
const DECISIONS = ['decision', 'permissionDecision', 'permission', 'behavior'];
const REASONS = ['permissionDecisionReason', 'reason', 'message', 'agent_message', 'stopReason'];

const WORDS: ReadonlyMap<unknown, 'deny' | 'ask'> = new Map([
  ['deny', 'deny'],
  ['block', 'deny'],
  ['ask', 'ask'],
  ['defer', 'ask'],
]);

function findStrictestWord(value: unknown): 'deny' | 'ask' | undefined {
  const words = readFields(value, DECISIONS).map((word) => WORDS.get(word));
  return words.includes('deny') ? 'deny' : words.find((word) => word !== undefined);
}

/** The values of fields, wherever the formats have them. */
function readFields(value: unknown, names: readonly string[]): unknown[] {
  const specific = inside(value, 'hookSpecificOutput');
  const holders = [value, specific, inside(specific, 'decision'), inside(value, 'decision')];
  return holders.flatMap((holder) => names.map((name) => inside(holder, name)));
}

const textOrNothing = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Reads an answer without the fields that do not fit: what it quotes may be of any sort. What lacks a field does not fit either. */
export function parseWithoutMisfits<T>(schema: ZodType<T>, value: unknown): T | undefined {
  const copy = structuredClone(value);
  for (;;) {
    const { data, error } = schema.safeParse(copy);
    if (error === undefined) return data;
    if (!removeMisfits(copy, error)) return undefined;
  }
}

/** Whether there was something to remove. */
function removeMisfits(value: unknown, { issues }: ZodError): boolean {
  const removed = issues.map(({ path }) => removeInnermost(value, path));
  return removed.includes(true);
}

/** Removes the field at a path or, if it is not there, what should hold it. */
function removeInnermost(value: unknown, path: readonly PropertyKey[]): boolean {
  for (let length = path.length; length > 0; length--) {
    const holder = path.slice(0, length - 1).reduce<unknown>(inside, value);
    const field = path[length - 1] as PropertyKey;
    if (isObject(holder) && Object.hasOwn(holder, field)) return Reflect.deleteProperty(holder, field);
  }
  return false;
}

function inside(value: unknown, key: PropertyKey): unknown {
  return isObject(value) ? (value as Record<PropertyKey, unknown>)[key] : undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
