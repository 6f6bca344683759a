import { stepName } from '../standard-schema.ts';
import { isShapeProblem, ShapeProblem, UNREADABLE } from './problem.ts';

/**
 * The JSON form of a value that a hook or a tool gave: the one place where such values become JSON (design §14).
 *
 * J1 What `JSON.stringify` would lose or change in silence is refused; the refusal names the field and the kind, never the value.
 * J2 A date becomes its ISO text, an object with a `toJSON` what that gives, any other object its own fields. A field that is
 *    `undefined` is absent.
 * J3 Every property is read once, whatever it is made of: what a getter, a proxy or a `toJSON` throws is a refusal too.
 */
export function toJson(value: unknown, { path = [], onBytes }: JsonOptions = {}): unknown {
  return new JsonCopy([...path], onBytes).of(value);
}

export interface JsonOptions {
  /** The field that the value is in. */
  readonly path?: readonly PathStep[];
  /** Gives what takes the place of bytes. Without it they are refused. */
  readonly onBytes?: OnBytes | undefined;
}

export type OnBytes = (bytes: Uint8Array, path: readonly PathStep[]) => unknown;
export type PathStep = string | number;

/** Deeper values are refused: a parser, a printer or a clone further on could overflow its stack. */
const MAX_DEPTH = 200;

/** One object that is met a thousand times on each of several levels would be copied a thousand times a thousand times. */
const MAX_VALUES = 5_000_000;

class JsonCopy {
  readonly #path: PathStep[];
  readonly #onBytes: OnBytes | undefined;
  /** The objects that hold the current value. */
  readonly #above: object[] = [];
  #left: number = MAX_VALUES;

  constructor(path: PathStep[], onBytes: OnBytes | undefined) {
    this.#path = path;
    this.#onBytes = onBytes;
  }

  of(value: unknown): unknown {
    if (--this.#left < 0) throw this.#refusal(`holds more than ${MAX_VALUES} values`);
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'number':
        if (!Number.isFinite(value)) throw this.#unfit('a number that is not finite');
        return value === 0 ? 0 : value;
      case 'object':
        return value === null ? null : this.#ofObject(value);
      case 'bigint':
        throw this.#unfit('a BigInt');
      case 'undefined':
        throw this.#unfit('undefined');
      default:
        throw this.#unfit(`a ${typeof value}`);
    }
  }

  #ofObject(value: object): unknown {
    if (this.#above.includes(value)) throw this.#refusal('refers to itself');
    if (this.#above.length >= MAX_DEPTH) throw this.#refusal(`is nested deeper than ${MAX_DEPTH} levels`);
    this.#above.push(value);
    const copy = this.#reading(() => this.#copyOf(value));
    this.#above.pop();
    return copy;
  }

  #copyOf(value: object): unknown {
    if (Array.isArray(value)) return this.#list(value);
    const bytes = readBytes(value);
    if (bytes !== undefined) return this.#bytes(bytes);
    const kind = Object.prototype.toString.call(value).slice(8, -1);
    if (kind === 'Date') return this.#date(value as Date);
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.#told(toJSON.call(value, ''));
    if (kind !== 'Object') throw this.#unfit(KINDS.has(kind) ? article(kind) : 'an object of another kind');
    if (opaque.some((sort) => value instanceof sort)) throw this.#unfit('an object of another kind');
    return this.#record(value as Record<string, unknown>);
  }

  #list(list: readonly unknown[]): unknown[] {
    const copy: unknown[] = [];
    for (let at = 0; at < list.length; at++) copy.push(this.#at(at, () => list[at]));
    return copy;
  }

  #record(record: Record<string, unknown>): Record<string, unknown> {
    const copy: Record<string, unknown> = {};
    for (const field of Object.keys(record)) {
      if (field === '__proto__') throw this.#refusal('holds a field called __proto__; give it another name');
      const item = this.#at(field, () => record[field], true);
      if (item !== undefined) copy[field] = item;
    }
    return copy;
  }

  #at(step: PathStep, read: () => unknown, mayBeAbsent = false): unknown {
    this.#path.push(step);
    const value = this.#reading(read);
    const copy = mayBeAbsent && value === undefined ? undefined : this.of(value);
    this.#path.pop();
    return copy;
  }

  /** What a `toJSON` gave; its own `toJSON` is not asked. */
  #told(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return this.of(value);
    if (typeof (value as { toJSON?: unknown }).toJSON !== 'function') return this.of(value);
    return this.#record(value as Record<string, unknown>);
  }

  #date(date: Date): string {
    const time = Date.prototype.getTime.call(date);
    if (Number.isNaN(time)) throw this.#unfit('a date that is none');
    return new Date(time).toISOString();
  }

  #bytes(bytes: Uint8Array): unknown {
    if (this.#onBytes === undefined) throw this.#unfit('binary data');
    return this.#onBytes(bytes, this.#path);
  }

  /** Runs what reads a foreign object: whatever that throws says nothing, for it may quote data (C9). */
  #reading<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw isShapeProblem(error) ? error : this.#refusal(UNREADABLE);
    }
  }

  #unfit(kind: string): ShapeProblem {
    return this.#refusal(`is ${kind}, which has no form in JSON${kind === 'a Promise' ? ': await it' : ''}`);
  }

  #refusal(problem: string): ShapeProblem {
    const path = this.#path.map(stepName);
    const named = path.length > 8 ? [...path.slice(0, 4), '…', ...path.slice(-3)] : path;
    return new ShapeProblem(
      `${named.length === 0 ? 'the value itself' : `field ${named.join('.')}`} ${problem}`,
    );
  }
}

/** Kinds that may be named; any other name may be one that a program made up, and hold data. */
const KINDS: ReadonlySet<string> = new Set([
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Promise', 'RegExp', 'Error', 'Generator', 'Arguments'],
  ...['Number', 'String', 'Boolean', 'Symbol', 'BigInt', 'SharedArrayBuffer', 'Response', 'Request', 'Blob'],
]);

/** A proxy of one of these, or what inherits from one, has no fields of its own, and looks like a record. */
const opaque = [Map, Set, WeakMap, WeakSet, Promise, RegExp, Error, Date, ArrayBuffer] as const;

function article(kind: string): string {
  return `${/^[AEIOU]/.test(kind) ? 'an' : 'a'} ${kind}`;
}

/** A copy of bytes, in whatever they are held. @throws where they were given to another thread of execution */
function readBytes(value: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(value))
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice();
  if (Object.prototype.toString.call(value) !== '[object ArrayBuffer]') return undefined;
  return new Uint8Array(ArrayBuffer.prototype.slice.call(value as ArrayBuffer, 0));
}
