import type { TracedValues } from '../stores/store.ts';

/** A value with more JSON text than this is left out: a ledger is no second store. */
const MAX_CHARACTERS = 256 * 1024;

/** What a run had and what came of it. */
export interface RunData {
  readonly before: unknown;
  readonly after: unknown;
  readonly error?: unknown;
}

/** Copies of a run's data for the ledger, with `trace: 'values'` only. What is no JSON or too long is named instead. */
export function tracedValues({ before, after, error }: RunData): TracedValues {
  const leftOut: string[] = [];
  const values: Record<string, unknown> = {};
  const keep = (name: string, value: unknown): void => {
    if (value === undefined) return;
    const text = writeJson(value);
    if (text === undefined || text.length > MAX_CHARACTERS) leftOut.push(name);
    else values[name] = JSON.parse(text);
  };
  keep('before', before);
  if (after !== before) keep('after', after);
  if (error !== undefined) keep('error', { toJSON: () => writeTextOfError(error) });
  return leftOut.length === 0 ? values : { ...values, leftOut };
}

function writeTextOfError(error: unknown): unknown {
  return error instanceof Error ? `${error.name}: ${error.message}` : error;
}

function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined; // Cycles, BigInt, what throws when it is read.
  }
}
