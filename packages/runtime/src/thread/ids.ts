import { RunError } from '@spec/hooks';

/**
 * The ids of what is written inside a turn (design §13). They are made of the turn and the place that writes, so that what
 * happens again after a crash has the ids that it had before.
 *
 * I1 `<turn>.<step>.<place>` is a message of the turn itself, and `<…>.<hook>.i<n>` the n-th message that a hook writes there.
 * I2 `<thread>~<turn>.<step>.<place>` is a place among all threads: a child thread, the key of a call, what is written from there
 *    into another thread.
 * I3 What comes from outside is one part of an id, whatever it holds: no two places have one id.
 * I4 Nobody else gives ids of this form: one that is in the store is that of the same place.
 */

const SPECIAL = /[%.~]/g;

/** A text from outside as one part of an id. */
export function idPart(text: string): string {
  return text.replace(SPECIAL, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The text that a part of an id stands for. */
export function textOfPart(part: string): string {
  return part.replace(/%(25|2E|7E)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The id of a place among all threads. */
export function globalId(threadId: string, placeId: string): string {
  return `${threadId}~${placeId}`;
}

/** The id under which a turn's stop waits in the queue: of the form that no caller can give a message (I4). */
export function stopId(turnId: string): string {
  return `${idPart(turnId)}.0.stop`;
}

const DERIVED = /(?:^|~)[^.~]+\.\d+\.[a-z]/;

/** Whether an id has the form of those that the runtime gives. */
export function isDerivedId(id: string): boolean {
  return DERIVED.test(id);
}

/** For ids that callers and hooks choose. @throws {RunError} `invalid_input` for one of the form that the runtime gives (I4) */
export function refuseDerivedId(id: unknown, threadId: string): void {
  if (typeof id !== 'string' || !isDerivedId(id)) return;
  const message = `The id ${id} has the form of the ids that the runtime gives, "<turn>.<step>.<place>": leave it out, or choose another one.`;
  throw new RunError('invalid_input', message, { threadId });
}

/** The turn of a child thread that its caller runs there. */
export const TASK = 'task';
