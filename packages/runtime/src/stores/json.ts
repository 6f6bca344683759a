import { type RunCode, RunError } from '@spec/hooks';

/** Names what is being copied, for error messages: the field, never its content. */
export interface JsonPlace {
  code: Extract<RunCode, 'invalid_message' | 'invalid_input'>;
  /** Such as `field "tags" of message m1`. */
  name: string;
  threadId: string;
}

/** Names a thread's metadata. */
export function metadataPlace(threadId: string): JsonPlace {
  return { code: 'invalid_input', name: `the metadata of thread ${threadId}`, threadId };
}

/** Names a value kept with a thread. */
export function valuePlace(key: string, threadId: string): JsonPlace {
  return { code: 'invalid_input', name: `value "${key}" of thread ${threadId}`, threadId };
}

/** Names the payload of a queue item. */
export function itemPlace(id: string, threadId: string): JsonPlace {
  return { code: 'invalid_message', name: `queue item ${id}`, threadId };
}

/** Deeper values are refused: a later parser, printer or clone could overflow its stack. */
const maxDepth = 200;

/**
 * Copies a JSON value. The copy equals `JSON.parse(JSON.stringify(value))`; a value that would lose something that way is refused.
 * Fields that are `undefined` count as absent.
 * @throws RunError with the place's code, naming the place, for anything that is not JSON: binary data, BigInt, dates, maps, numbers
 * that are not finite, gaps in lists, cycles, more than 200 levels, a field called `__proto__`.
 */
export function copyJson(value: unknown, place: JsonPlace): unknown {
  const at: Copying = { place, above: [] };
  try {
    return copy(value, at);
  } catch (error) {
    if (error instanceof RunError) throw error;
    throw refusal(at, 'holds something that cannot be read'); // A getter that throws, a proxy that is revoked.
  }
}

/** Copies a value that is known to be JSON. `structuredClone` would take several times as long (bench `long-thread`). */
export function cloneJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson) as T;
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = cloneJson(value[key]);
  return copy as T;
}

/** A copy of the other fields of a run, such as traced values. @throws RunError `invalid_input` */
export function copyRunFields(fields: Record<string, unknown>, threadId: string): Record<string, unknown> {
  const place = { code: 'invalid_input', name: `a run of thread ${threadId}`, threadId } as const;
  return copyJson(fields, place) as Record<string, unknown>;
}

interface Copying {
  place: JsonPlace;
  /** The objects around the current value. */
  above: object[];
}

function copy(value: unknown, at: Copying): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return copyNumber(value, at);
    case 'object':
      return value === null ? null : copyObject(value, at);
    default:
      throw refusal(at, `holds a value of type ${typeof value}`);
  }
}

function copyNumber(value: number, at: Copying): number {
  if (!Number.isFinite(value)) throw refusal(at, 'holds a number that is not finite');
  return value === 0 ? 0 : value;
}

function copyObject(value: object, at: Copying): unknown {
  if (at.above.includes(value)) throw refusal(at, 'refers to itself');
  if (at.above.length >= maxDepth) throw refusal(at, `is nested deeper than ${maxDepth} levels`);
  at.above.push(value);
  const result = Array.isArray(value) ? Array.from(value, (item) => copy(item, at)) : copyRecord(value, at);
  at.above.pop();
  return result;
}

function copyRecord(value: object, at: Copying): Record<string, unknown> {
  if (!isPlain(value))
    throw refusal(
      at,
      ArrayBuffer.isView(value) ? 'holds binary data' : 'holds an object that is not a plain one',
    );
  const result: Record<string, unknown> = {};
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    const item: unknown = (value as Readonly<Record<string, unknown>>)[key];
    if (key === '__proto__') throw refusal(at, 'holds a field called __proto__');
    if (item !== undefined) result[key] = copy(item, at);
  }
  return result;
}

/** True for object literals of any realm, and for objects without a prototype. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function refusal(at: Copying, problem: string): RunError {
  const { code, name, threadId } = at.place;
  return new RunError(code, `${name} ${problem}; only JSON values can be stored`, { threadId });
}
