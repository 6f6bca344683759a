import { RunError } from '../errors.ts';

/** The JSON values of one thread, by key. */
export interface FakeValues {
  get(key: string): unknown;
  /** `undefined` removes it. @throws {RunError} `invalid_input` for what is no JSON */
  set(key: string, value: unknown): void;
  all(): Record<string, unknown>;
}

/** Values in memory; everything that goes in or comes out is a copy. */
export function fakeValues(): FakeValues {
  const values = new Map<string, unknown>();
  return {
    get: (key) => structuredClone(values.get(key)),
    set(key, value) {
      if (value === undefined) values.delete(key);
      else if (isJson(value)) values.set(key, structuredClone(value));
      else
        throw new RunError(
          'invalid_input',
          `The value "${key}" cannot be kept: it holds something that is no JSON value.`,
        );
    },
    all: () => structuredClone(Object.fromEntries(values)),
  };
}

function isJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean')
    return true;
  if (Array.isArray(value)) return value.every(isJson);
  return isPlain(value) && Object.values(value as object).every(isJson);
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
