import { RunError } from '../errors.ts';
import type { KeyedValue } from '../vocabulary/state.ts';

/** The JSON values of one thread, by key. */
export interface FakeValues {
  get(key: string): unknown;
  /** `undefined` removes it. @throws {RunError} `invalid_input` for what is no JSON */
  set(key: string, value: unknown): void;
  /** Sets all of them, where one value is still the expected one. @throws {RunError} as {@link FakeValues.set} does */
  setIf(expected: KeyedValue, given: readonly KeyedValue[]): boolean;
  all(): Record<string, unknown>;
}

/** Values in memory; everything that goes in or comes out is a copy. */
export function fakeValues(): FakeValues {
  const values = new Map<string, unknown>();
  const set = ({ key, value }: KeyedValue): void => {
    refuseOther({ key, value });
    if (value === undefined) values.delete(key);
    else values.set(key, structuredClone(value));
  };
  return {
    get: (key) => structuredClone(values.get(key)),
    set: (key, value) => set({ key, value }),
    setIf(expected, given) {
      for (const one of [expected, ...given]) refuseOther(one);
      if (JSON.stringify(values.get(expected.key)) !== JSON.stringify(expected.value)) return false;
      for (const one of given) set(one);
      return true;
    },
    all: () => structuredClone(Object.fromEntries(values)),
  };
}

function refuseOther({ key, value }: KeyedValue): void {
  if (value === undefined || isJson(value)) return;
  const message = `The value "${key}" cannot be kept: it holds something that is no JSON value.`;
  throw new RunError('invalid_input', message);
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
