import { ShapeProblem } from './problem.ts';

const MAX_DEPTH = 200;

/**
 * A copy of a data value: plain objects and arrays field by field, bytes and dates as themselves.
 *
 * @throws {ShapeProblem} where a value is no data (a function, a symbol) or is nested deeper than 200 levels.
 */
export function cloneValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new ShapeProblem(`a ${typeof value} is no data`);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) throw new ShapeProblem(`nested deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return value.map((item) => cloneValue(item, depth + 1));
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null
    ? cloneRecord(value as Record<string, unknown>, depth)
    : cloneExotic(value);
}

/** A copy of a record by fields; nested values are cloned where there are any (C2). */
export function cloneRecord<T extends object>(record: T, depth = 0): T {
  const copy = { ...record } as Record<string, unknown>;
  for (const key in copy) {
    const value = copy[key];
    if (
      (typeof value === 'object' && value !== null) ||
      typeof value === 'function' ||
      typeof value === 'symbol'
    ) {
      copy[key] = cloneValue(value, depth + 1);
    }
  }
  return copy as T;
}

function cloneExotic(value: object): unknown {
  try {
    return structuredClone(value);
  } catch {
    throw new ShapeProblem('a field holds an object that cannot be copied');
  }
}
