import type { KeptValue, Sighting } from './kept-value.ts';
import { findValuesOfTools, type ValueFinder } from './value-finder.ts';

/** The values of one thread, in memory. Every method is synchronous. */
export interface Vault {
  get(label: string, number: number): KeptValue | undefined;
  /** Keeps a value as it was first met. It stays a number only while it was met as nothing else. @returns whether that is new */
  keep(label: string, number: number, sighting: Sighting): boolean;
  /** Notes that the person wrote a value themselves. @returns whether that is new */
  noteSaid(label: string, number: number): boolean;
  /** Notes that a tool gets a value. @returns whether that is new */
  giveOut(value: KeptValue): boolean;
  /** The number of values that tools were given. */
  readonly outCount: number;
  /** Finds the values that tools were given; `undefined` if there are none. */
  readonly findOut: ValueFinder | undefined;
  /** A copy of the vault with only the values for which `isKept` holds. */
  only(isKept: (value: KeptValue) => boolean): Vault;
  /** All values in blocks of limited size, so that a new value changes only one block. */
  readonly blocks: VaultBlocks;
}

export interface VaultBlocks {
  /** The number of the oldest block, and one more than that of the newest. */
  readonly first: number;
  readonly end: number;
  /** The numbers of the blocks that changed since the last call. */
  takeChanged(): number[];
  /** Takes back the result of {@link takeChanged}, because it could not be kept. */
  giveBack(changed: readonly number[]): void;
  values(block: number): readonly KeptValue[];
  all(): readonly KeptValue[];
}

const BLOCK_SIZE = 64;
const MAX_BLOCKS = 160;

/** @param given the blocks that were kept before */
export function createVault(first: number = 0, given: ReadonlyArray<readonly KeptValue[]> = []): Vault {
  const blocks = createBlocks(first, given);
  const outs = createOuts(given.flat().filter(({ isOut }) => isOut));
  return {
    blocks,
    get: blocks.get,
    keep(label, number, { text, values, isNumber, origin }) {
      const known = blocks.get(label, number);
      if (known === undefined)
        blocks.put({ label, number, text, values, isNumber, isOut: false, isSaid: origin !== 'tool' });
      else if (known.isNumber && !isNumber) blocks.put({ ...known, text, isNumber });
      else return false;
      return true;
    },
    noteSaid(label, number) {
      const known = blocks.get(label, number);
      if (known === undefined || known.isSaid) return false;
      blocks.put({ ...known, isSaid: true });
      return true;
    },
    giveOut(value) {
      if (value.isOut) return false;
      const out = { ...value, isOut: true };
      blocks.put(out);
      outs.add(out);
      return true;
    },
    only(isKept) {
      const { first, end } = blocks;
      const numbers = Array.from({ length: end - first }, (_, index) => first + index);
      return createVault(
        first,
        numbers.map((block) => blocks.values(block).filter(isKept)),
      );
    },
    get outCount() {
      return outs.count();
    },
    get findOut() {
      return outs.find();
    },
  };
}

function createBlocks(firstBlock: number, given: ReadonlyArray<readonly KeptValue[]>) {
  let first = firstBlock;
  const blocks = given.map((values) => new Map(values.map((value) => [makeName(value), value])));
  const placeOf = new Map(
    blocks.flatMap((block, index) => [...block.keys()].map((name) => [name, first + index] as const)),
  );
  const changed = new Set<number>();
  const last = (): Map<string, KeptValue> => {
    const newest = blocks.at(-1);
    if (newest !== undefined && newest.size < BLOCK_SIZE) return newest;
    const next = new Map<string, KeptValue>();
    blocks.push(next);
    if (blocks.length > MAX_BLOCKS) {
      for (const name of (blocks.shift() as Map<string, KeptValue>).keys()) placeOf.delete(name);
      changed.delete(first++);
    }
    return next;
  };
  const findBlock = (name: string): Map<string, KeptValue> | undefined => {
    const place = placeOf.get(name);
    return place === undefined ? undefined : blocks[place - first];
  };
  return {
    get: (label: string, number: number): KeptValue | undefined =>
      findBlock(makeName({ label, number }))?.get(makeName({ label, number })),
    put(value: KeptValue): void {
      const name = makeName(value);
      const block = findBlock(name) ?? last();
      block.set(name, value);
      const place = first + blocks.indexOf(block);
      placeOf.set(name, place);
      changed.add(place);
    },
    get first() {
      return first;
    },
    get end() {
      return first + blocks.length;
    },
    takeChanged(): number[] {
      const taken = [...changed];
      changed.clear();
      return taken;
    },
    giveBack(numbers: readonly number[]): void {
      for (const number of numbers) if (number >= first) changed.add(number);
    },
    values: (block: number): readonly KeptValue[] => [...(blocks[block - first]?.values() ?? [])],
    all: (): readonly KeptValue[] => blocks.flatMap((block) => [...block.values()]),
  };
}

const makeName = ({ label, number }: Pick<KeptValue, 'label' | 'number'>): string => `${label} ${number}`;

function createOuts(given: readonly KeptValue[]) {
  const values = new Map<string, KeptValue>();
  let find: ValueFinder | undefined;
  const add = (value: KeptValue): void => {
    values.set(value.text, value);
    find = undefined;
  };
  for (const value of given) add(value);
  return {
    add,
    count: () => values.size,
    find(): ValueFinder | undefined {
      find ??= findValuesOfTools([...values.values()]);
      return find;
    },
  };
}
