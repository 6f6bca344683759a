import type { ErrorCode } from '../errors.ts';

/** Throws where two values differ: strictly, so that a field that is absent differs from one that is `undefined` or `null`. */
export function same(actual: unknown, expected: unknown, what: string): void {
  const where = difference(actual, expected);
  if (where === null) return;
  throw new Error(`${what}${where}: expected ${show(expected)}, got ${show(actual)}`);
}

/** Throws where something is not so. */
export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

/**
 * Throws unless a promise is rejected with an error of this code whose message names something, such as a field.
 * @returns The error's message.
 */
export async function refused(promise: Promise<unknown>, code: ErrorCode, what: string): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error))
    throw new Error(`${what}: expected to be refused with ${code}, was accepted`);
  const got = (error as Error & { code?: unknown }).code;
  if (got !== code) throw new Error(`${what}: expected the code ${code}, got ${String(got)} (${error.name})`);
  return error.message;
}

/** The path to the first difference, such as `.messages[2].name`; `null` where there is none. */
function difference(actual: unknown, expected: unknown): string | null {
  if (Object.is(actual, expected)) return null;
  if (!isObject(actual) || !isObject(expected)) return '';
  if (kind(actual) !== kind(expected)) return '';
  const names = new Set([...Object.keys(actual), ...Object.keys(expected)]);
  for (const name of names) {
    if (!Object.hasOwn(actual, name) || !Object.hasOwn(expected, name)) return `.${name}`;
    const inside = difference(actual[name], expected[name]);
    if (inside !== null) return `.${name}${inside}`;
  }
  return actual.length === expected.length ? null : '.length';
}

function kind(value: object): string {
  if (value instanceof Uint8Array) return 'bytes';
  return Array.isArray(value) ? 'list' : 'record';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  const text = value === undefined ? 'undefined' : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length} characters)` : text;
}
