import { findUnknownOption, type OptionNames, RunError } from '@spec/hooks';
import type { MessageQuery } from './stores/store.ts';

/** Checks of what callers give to public functions, for those who write plain JavaScript. Their errors name what was given, never its value. */

const MAX_ID_LENGTH = 200;

/** An id that a caller chose for something new. @throws {RunError} `invalid_input` */
export function checkNewId(what: string, id: unknown): asserts id is string {
  const isId = typeof id === 'string' && id.trim() === id && id !== '' && id.length <= MAX_ID_LENGTH;
  if (isId && id.isWellFormed()) return;
  const rule = `a text of 1 to ${MAX_ID_LENGTH} characters without white space around it`;
  throw new RunError('invalid_input', `The id of a ${what} must be ${rule}.`);
}

/** A name by which something is looked for. @throws {RunError} `invalid_input`, or the code given */
export function checkName(
  what: string,
  name: unknown,
  code: 'invalid_message' | 'invalid_input' = 'invalid_input',
): asserts name is string {
  if (typeof name === 'string' && name !== '') return;
  throw new RunError(code, `The ${what} must be a text that is not empty.`);
}

/** A record of fields, such as a message. @throws {RunError} `invalid_message`, or the code given */
export function checkFields(
  what: string,
  given: unknown,
  code: 'invalid_message' | 'invalid_input' = 'invalid_message',
): asserts given is object {
  refusePromise(what, given, code);
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return;
  throw new RunError(code, `${what} must be an object with fields of its own.`);
}

/**
 * Waited for, as all that is returned, a promise would take the place of the answer, or never end.
 *
 * @throws {RunError} `invalid_message`, or the code given
 */
export function refusePromise(
  what: string,
  given: unknown,
  code: 'invalid_message' | 'invalid_input' = 'invalid_message',
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return;
  if (!('then' in given) || typeof given.then !== 'function') return;
  throw new RunError(
    code,
    `${what} must be an object with fields of its own, and is a promise: await it first.`,
  );
}

/** Options that may be left out; those that do not exist are refused. @throws {RunError} `invalid_input` */
export function checkOptions(of: string, given: unknown, names: Readonly<Record<string, true>>): void {
  if (given === undefined) return;
  checkFields(`What ${of} is given as options`, given, 'invalid_input');
  const problem = findUnknownOption(given, names);
  if (problem !== undefined) throw new RunError('invalid_input', `The options of ${of}: ${problem}`);
}

/** Any text. @throws {RunError} `invalid_input` */
export function checkText(what: string, given: unknown): asserts given is string {
  if (typeof given === 'string') return;
  throw new RunError('invalid_input', `The ${what} must be a text.`);
}

/** A function that is called later. @throws {RunError} `invalid_input` */
export function checkFunction(what: string, given: unknown): void {
  if (typeof given === 'function') return;
  throw new RunError('invalid_input', `The ${what} must be a function.`);
}

const rangeNames: OptionNames<MessageQuery> = { first: true, last: true, before: true, after: true };

/** Which messages are asked for. @throws {RunError} `invalid_input` */
export function checkRange(range: MessageQuery | undefined): void {
  checkOptions('a request for messages', range, rangeNames);
  for (const bound of [range?.before, range?.after])
    if (bound !== undefined) checkText('id before or after which messages are asked for', bound);
}
