import { messageWithoutCause, RunError } from '@spec/hooks';
import { findRunCode } from '../aborted.ts';
import type { Store, StoredMessage, ThreadHead } from '../stores/store.ts';
import { NO_USAGE } from '../usage.ts';
import type { TurnResult } from './turn-result.ts';

/** How a turn ended, in the form that is kept with the thread for those who ask again. */
export type TurnOutcome = { readonly result: KeptResult } | { readonly error: OutcomeError };

/** The text stays in one place, the message of the answer: who changes or deletes that has done so here too. */
interface KeptResult extends Omit<TurnResult, 'text' | 'usage'> {
  /** Older releases did not keep it. */
  readonly usage?: TurnResult['usage'];
  readonly answerId: string | null;
}

interface OutcomeError {
  readonly code: string;
  readonly message: string;
}

/** The key of the thread's value that keeps it. */
export function outcomeKey(turnId: string): string {
  return `runtime/turns/${turnId}`;
}

/**
 * What came of a turn whose id its caller chose; `null` where it did not end. Its text is the answer's as it is now.
 *
 * @throws {RunError} the error that the turn ended with
 */
export async function readOutcome(
  store: Store,
  threadId: string,
  turnId: string,
): Promise<TurnResult | null> {
  const kept = await store.getValue(threadId, outcomeKey(turnId));
  return takeOutcome(store, { threadId, turnId, kept });
}

/** The same of a turn that is known to have ended after so many steps: its answer is read along. @throws {RunError} as {@link readOutcome} */
export async function readEndedOutcome(
  store: Store,
  threadId: string,
  { turnId, steps }: Pick<TurnResult, 'turnId' | 'steps'>,
): Promise<TurnResult | null> {
  // The answer mostly has this id; the outcome says which one it is.
  const messages = [`${turnId}.${steps}.answer`];
  const head = await store.readHead(threadId, { keys: [outcomeKey(turnId)], messages });
  return head === null ? null : findOutcome(store, head, turnId);
}

/** The same, where the thread's head has been read with it. @throws {RunError} the error that the turn ended with */
export function findOutcome(
  store: Store,
  { record, values, messages }: ThreadHead,
  turnId: string,
): Promise<TurnResult | null> {
  const key = outcomeKey(turnId);
  const kept = values.find((value) => value.key === key)?.value;
  return takeOutcome(store, { threadId: record.id, turnId, kept, messages });
}

interface ReadValue {
  readonly threadId: string;
  readonly turnId: string;
  readonly kept: unknown;
  /** Those that were read along. */
  readonly messages?: readonly StoredMessage[];
}

async function takeOutcome(store: Store, read: ReadValue): Promise<TurnResult | null> {
  const { threadId, turnId, kept, messages } = read;
  if (kept === undefined) return null;
  if (!isOutcome(kept)) throw damagedOutcome(threadId, turnId);
  if ('result' in kept) {
    const { answerId, ...result } = kept.result;
    const known = messages?.find(({ id }) => id === answerId);
    const answer = answerId === null ? null : (known ?? (await store.getMessage(threadId, answerId)));
    return { ...result, usage: result.usage ?? NO_USAGE, text: answer?.content ?? null };
  }
  const { code, message } = kept.error;
  throw new RunError(code as RunError['code'], message, { threadId, turnId });
}

function isOutcome(kept: unknown): kept is TurnOutcome {
  const { result, error } = readFields(kept);
  if (error !== undefined) return areTexts(readFields(error), ['code', 'message']);
  const fields = readFields(result);
  const isAnswered = fields.answerId === null || typeof fields.answerId === 'string';
  return isAnswered && typeof fields.steps === 'number' && areTexts(fields, ['turnId', 'status']);
}

function readFields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function areTexts(fields: Readonly<Record<string, unknown>>, names: readonly string[]): boolean {
  return names.every((name) => typeof fields[name] === 'string');
}

function damagedOutcome(threadId: string, turnId: string): RunError {
  const message = `The value ${outcomeKey(turnId)} of thread ${threadId} is damaged: it holds no outcome of a turn. Restore a copy of the store, or send under another id.`;
  return new RunError('store_unreadable', message, { threadId });
}

/** A result; its text, where it has one, is that of this message. */
export function makeOutcomeOfResult({ text, ...result }: TurnResult, answerId: string): TurnOutcome {
  return { result: { ...result, answerId: text === null ? null : answerId } };
}

/** An error of the runtime's own; any other is told by nothing but that it was unexpected, for it may hold data (C9). */
export function makeOutcomeOfError(error: unknown): TurnOutcome {
  if (findRunCode(error) !== undefined) {
    const { code } = error as RunError;
    return { error: { code, message: messageWithoutCause(error as RunError) } };
  }
  return { error: { code: 'unexpected', message: 'The turn ended with an unexpected error.' } };
}
