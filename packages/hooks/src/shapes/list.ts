import { chooseLayout, copyByLayout, isSame, type Layout } from './layouts.ts';
import { ShapeProblem } from './problem.ts';
import {
  nameSortOfValue,
  privateRecord,
  type RecordCheck,
  type RecordSort,
  refuseNoRecord,
} from './record.ts';
import type { Held, Shape } from './shape.ts';

/** A shape of lists of records, in which untouched records are recognised and kept. */
export function listShape<T extends object>(name: string, check: RecordCheck): Shape<T[]> {
  const sort = { name, check };
  return { name: `list of ${name}s`, hold: (value) => new HeldList(value, sort) };
}

class HeldList<T extends object> implements Held<T[]> {
  readonly value: T[];
  readonly #sort: RecordSort;
  readonly #layouts: readonly Layout[];
  /** The copies that the last hook was lent, in their order: the hook may change the order of its list. */
  readonly #lent: unknown[];

  constructor(value: T[], sort: RecordSort) {
    this.value = value;
    this.#sort = sort;
    this.#lent = value.slice();
    this.#layouts = value.map((record) => chooseLayout(record));
  }

  get size(): number {
    return this.value.length;
  }

  lend(): T[] {
    const layouts = this.#layouts;
    const lent = this.#lent;
    const copies = this.value.slice();
    for (let i = 0; i < copies.length; i++) {
      const copy = copyByLayout(copies[i] as T, layouts[i] as Layout) as T;
      copies[i] = copy;
      lent[i] = copy;
    }
    return copies;
  }

  adopt(returned: unknown): Held<T[]> {
    if (!Array.isArray(returned)) {
      const remedy = returned === undefined ? ': return the list, changed or as it was' : '';
      throw new ShapeProblem(
        `expected a list of ${this.#sort.name}s, got ${nameSortOfValue(returned)}${remedy}`,
      );
    }
    if (this.#isUntouched(returned)) return this;
    const { value } = this;
    const origins = new Origins(this.#lent, returned.length);
    let next: T[] | undefined;
    for (let i = 0; i < returned.length; i++) {
      const item = this.#adoptAt(returned, i, origins.of(returned[i], i));
      if (next === undefined && item !== value[i]) next = value.slice(0, i);
      next?.push(item);
    }
    if (next === undefined && returned.length === value.length) return this;
    return new HeldList(next ?? value.slice(0, returned.length), this.#sort);
  }

  /** Most hooks return what they were lent, as it was and where it was; this sees it at once. */
  #isUntouched(returned: readonly unknown[]): boolean {
    const { value } = this;
    const layouts = this.#layouts;
    const lent = this.#lent;
    if (returned.length !== lent.length) return false;
    for (let i = 0; i < lent.length; i++) {
      const item = returned[i];
      if (item !== lent[i] || !isSame(item as object, value[i] as T, layouts[i] as Layout)) return false;
    }
    return true;
  }

  #adoptAt(returned: readonly unknown[], at: number, origin: number): T {
    try {
      return this.#adoptItem(returned[at], origin);
    } catch (error) {
      if (!(error instanceof ShapeProblem)) throw error;
      throw new ShapeProblem(`${error.message} (entry ${at + 1} of the list)`);
    }
  }

  /** The record that the item was lent as, where it still holds the same; else a private, checked copy of the item. */
  #adoptItem(item: unknown, origin: number): T {
    refuseNoRecord(item, this.#sort);
    const record = this.value[origin];
    if (record !== undefined && isSame(item, record, this.#layouts[origin] as Layout)) return record;
    return privateRecord<T>(item, this.#sort, record);
  }
}

/**
 * Finds where a returned item stood in the lent list.
 * Most often it is in place, shifted to the end by a slice, or the one after the last one found, as in a filtered list;
 * only a list in another order is searched. An item that was not lent most likely takes the place of the one that was there.
 */
class Origins {
  readonly #lent: readonly unknown[];
  readonly #shift: number;
  #after = 0;
  #positions: Map<unknown, number> | undefined;

  constructor(lent: readonly unknown[], returnedLength: number) {
    this.#lent = lent;
    this.#shift = Math.max(0, lent.length - returnedLength);
  }

  of(item: unknown, i: number): number {
    const lent = this.#lent;
    const shift = this.#shift;
    if (lent[i] === item) this.#after = i;
    else if (lent[i + shift] === item) this.#after = i + shift;
    else if (lent[this.#after] !== item) this.#after = this.#search(item) ?? i;
    return this.#after++;
  }

  #search(item: unknown): number | undefined {
    this.#positions ??= new Map(this.#lent.map((record, position) => [record, position]));
    return this.#positions.get(item);
  }
}
