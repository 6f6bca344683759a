import { type OnBytes, toJson } from './json.ts';
import { chooseLayout, copyByLayout } from './layouts.ts';
import { ShapeProblem } from './problem.ts';
import { sameRecord } from './same.ts';
import type { Held, Shape } from './shape.ts';

type Fields = Record<string, unknown>;

/**
 * Says which rule a record breaks, or nothing. Names fields and rules, never values.
 *
 * @param before the record that the hook was lent, where there is one: what it left as it was is not its fault
 */
export type RecordCheck = (record: Fields, before?: Readonly<Fields>) => string | undefined;

/** What records of one sort are called, and what they must be. */
export interface RecordSort {
  readonly name: string;
  readonly check: RecordCheck;
  /** Makes the JSON form of what a hook returned, where it is not that of any record. */
  readonly toJson?: RecordToJson;
}

/** Makes the private JSON form of a record. @param before as in {@link RecordCheck} */
export type RecordToJson = (returned: object, before: Readonly<Fields> | undefined) => Fields;

/** A shape of records that must pass a check; unknown fields survive. */
export function recordShape<T extends object>(
  name: string,
  check: RecordCheck,
  more: Pick<RecordSort, 'toJson'> = {},
): Shape<T> {
  const sort = { name, check, ...more };
  return { name, fields: true, hold: (value) => new HeldRecord(value, sort) };
}

class HeldRecord<T extends object> implements Held<T> {
  readonly value: T;
  readonly #sort: RecordSort;

  constructor(value: T, sort: RecordSort) {
    this.value = value;
    this.#sort = sort;
  }

  get size(): number {
    return textSize(this.value);
  }

  lend(): T {
    return copyByLayout(this.value, chooseLayout(this.value)) as T;
  }

  adopt(returned: unknown): Held<T> {
    refuseNoRecord(returned, this.#sort);
    if (isSameAsBefore(returned, this.value)) return this;
    return new HeldRecord(privateRecord<T>(returned, this.#sort, this.value), this.#sort);
  }
}

/** What cannot be read is not the same: why it cannot is told where it is copied. */
function isSameAsBefore(returned: object, before: object): boolean {
  try {
    return sameRecord(returned, before);
  } catch {
    return false;
  }
}

/** @throws {ShapeProblem} */
export function refuseNoRecord(returned: unknown, { name }: RecordSort): asserts returned is object {
  if (typeof returned === 'object' && returned !== null && !isList(returned)) return;
  const remedy = returned === undefined ? `: return the ${name}, changed or as it was` : '';
  throw new ShapeProblem(`expected a ${name}, got ${nameSortOfValue(returned)}${remedy}`);
}

/**
 * A private copy as JSON that passed its check. The copy is what is checked: a getter may answer otherwise the second time.
 *
 * @throws {ShapeProblem}
 */
export function privateRecord<T extends object>(
  returned: object,
  { name, check, toJson: copyOf = recordToJson }: RecordSort,
  before?: T,
): T {
  const copy = copyOf(returned, before as Fields | undefined);
  const broken = check(copy, before as Fields | undefined);
  if (broken !== undefined) throw new ShapeProblem(`not a ${name}: ${broken}`);
  return copy as T;
}

/**
 * The JSON form of a record's fields (design §14). A field that the hook left as it was stays so, whatever it is; one that is
 * `undefined` stays too, for in a set of updates that says something.
 *
 * @throws {ShapeProblem}
 */
export function recordToJson(returned: object, before?: Readonly<Fields>, onBytes?: OnBytes): Fields {
  const copy = ownFields(returned);
  for (const field in copy) {
    const value = copy[field];
    if (typeof value === 'string' || value === undefined || value === null) continue;
    if (before !== undefined && Object.hasOwn(before, field) && isLeft(value, before[field]))
      copy[field] = before[field];
    else if (field === '__proto__')
      throw new ShapeProblem('holds a field called __proto__; give it another name');
    else copy[field] = toJson(value, { path: [field], onBytes });
  }
  return copy;
}

/** Reads every field once. */
function ownFields(record: object): Fields {
  try {
    const layout = Object.getPrototypeOf(record) === Object.prototype ? chooseLayout(record) : 0;
    return layout === 0 ? { ...record } : (copyByLayout(record, layout) as Fields);
  } catch {
    return toJson(record) as Fields; // Says which of them cannot be read.
  }
}

function isLeft(value: unknown, before: unknown): boolean {
  return value === before || isSameAsBefore({ value }, { value: before });
}

/** Not a list where it cannot be looked at: that is told where it is read. */
function isList(value: object): boolean {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** Whether a value is an object literal's like: no instance of anything, of this realm or another. */
export function isPlainRecord(value: unknown): value is Readonly<Fields> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || isRootOfRealm(prototype as object);
}

/** Another realm's `Object.prototype` inherits nothing, and has what objects inherit. */
function isRootOfRealm(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'hasOwnProperty');
}

/** What a value is, without saying what it holds. */
export function nameSortOfValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function textSize(record: object): number {
  let size = 0;
  for (const key in record) {
    const value = (record as Record<string, unknown>)[key];
    if (typeof value === 'string') size += value.length;
  }
  return size;
}
