import { RunError } from '@spec/hooks';
import { v7 } from 'uuid';

/**
 * The ids of what is written inside a turn (design §13). They are made of the turn and the place that writes, so that what
 * happens again after a crash has the ids that it had before.
 *
 * I1 `<turn>.<step>.<place>` is a message of the turn itself, and `<…>.<hook>.i<n>` the n-th message that a hook writes there.
 * I2 `<thread>~<turn>.<step>.<place>` is a place among all threads: a child thread, the key of a call, what is written from there
 *    into another thread.
 * I3 A text from outside is one part of an id, whatever it holds, so no two places share an id.
 * I4 Nobody else makes ids of this form, so a stored one belongs to the same place.
 */

/** A new id that is later in the alphabet than those before it: an index over ids then grows at its end (bench `turn-normal-1000`). */
export function newId(): string {
  return v7({ rng: nextBytes });
}

const BYTES = 16;
const pool = new Uint8Array(256 * BYTES);
let used = pool.length;

/** Random bytes from a pool: asking the system for each id takes several times as long as making it. */
function nextBytes(): Uint8Array {
  if (used === pool.length) {
    crypto.getRandomValues(pool);
    used = 0;
  }
  used += BYTES;
  return pool.slice(used - BYTES, used);
}

const IS_SPECIAL = /[%.~]/;
const SPECIAL = /[%.~]/g;

/** A text from outside as one part of an id. Asked for dozens of times a turn, and nearly never with a special character. */
export function idPart(text: string): string {
  if (!IS_SPECIAL.test(text)) return text;
  return text.replace(SPECIAL, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Decodes a part of an id. */
export function readTextOfPart(part: string): string {
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

/** Whether an id has the runtime's form. */
export function isDerivedId(id: string): boolean {
  return DERIVED.test(id);
}

/** Checks an id that a caller or hook chose. @throws {RunError} `invalid_input` for an id of the runtime's form (I4) */
export function refuseDerivedId(id: unknown, threadId: string): void {
  if (typeof id !== 'string' || !isDerivedId(id)) return;
  const message = `The id ${id} has the form of the ids that the runtime gives, "<turn>.<step>.<place>": leave it out, or choose another one.`;
  throw new RunError('invalid_input', message, { threadId });
}

/** The turn that a caller runs in a child thread. */
export const TASK = 'task';
