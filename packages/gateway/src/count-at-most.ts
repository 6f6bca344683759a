/** A character as JSON has six at most, such as `\\u0000`, and a number has no more than these. */
const OF_CHARACTER = 6;
const OF_NUMBER = 32;

/** What is nested deeper is looked at more closely. */
const MAX_DEPTH = 100;

/**
 * How many characters a value that came as JSON has as JSON at most: much less work than to write it. Infinite where it is nested more than 100
 * levels deep.
 */
export function countAtMost(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length * OF_CHARACTER + 2;
  if (typeof value !== 'object' || value === null) return OF_NUMBER;
  if (depth === MAX_DEPTH) return Number.POSITIVE_INFINITY;
  let count = 2;
  if (Array.isArray(value)) for (const item of value) count += countAtMost(item, depth + 1) + 1;
  else
    for (const field of Object.keys(value)) {
      const item = (value as Readonly<Record<string, unknown>>)[field];
      count += field.length * OF_CHARACTER + 4 + countAtMost(item, depth + 1);
    }
  return count;
}
