import { BIRTH_LABEL } from './detect/birth-date.ts';
import type { KeptValue, Sighting } from './kept-value.ts';
import type { Vault } from './vault.ts';

/** What of a thread's memory is kept with the thread: how far the numbers have come. No value, in no form. */
export interface KeptCounters {
  /** Whose counters they are: another writer's were written by another process or before a restart. */
  readonly writer: string;
  /** How often that writer has kept them; missing in what older releases kept. */
  readonly saves?: number;
  /** Which process others let go first. */
  readonly claim?: string;
  /** Who began the line of writers that each went on from the one before; missing where that was an older release. */
  readonly lineage?: string;
  readonly counters: Readonly<Record<string, number>>;
  /** Numbers up to the counter that stood in texts without being given to a value, as ranges; where values are kept. */
  readonly strange?: StrangeNumbers;
  /** Which blocks of values are kept: the first, and one more than the last. */
  readonly blocks?: readonly [number, number];
}

/** By label, ranges of numbers with both ends. */
export type StrangeNumbers = Readonly<Record<string, ReadonlyArray<readonly [number, number]>>>;

/** Marks of the values, by label: the keyed hash of a value and its number. Kept only where the operator gives a key. */
export type KeptMarks = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * Which value has which number in one thread. It knows the values by their keyed hashes.
 * Every method is synchronous: two hooks of a thread that run at once cannot give one value two numbers.
 */
export interface ThreadMemory {
  readonly writer: string;
  /** Grows with every new value; `savedRevision` follows when it is kept. */
  readonly revision: number;
  savedRevision: number;
  /** How many dates of birth are known; text that was clean before may not be when there is one more. */
  readonly birthDates: number;
  /** The values themselves, where they are put back. */
  readonly vault: Vault | undefined;
  /** Whether the last message of the assistant asked for a date of birth. */
  asked: boolean;
  /** The number of a value: the one it has, under any of its readings, or the next. */
  giveNumber(label: string, sighting: Sighting): number;
  /** Whether a number was given to a value, in this process or before. */
  isGiven(label: string, number: number): boolean;
  /** Notes that a tool is given the value of a placeholder. @returns the value, or nothing where it is not known */
  giveOut(label: string, number: number): KeptValue | undefined;
  /** Whether a date, `YYYY-MM-DD`, is a known date of birth; `undefined` while none is known. */
  readonly isBirthDate: ((date: string) => boolean) | undefined;
  /** Raises the counter past a number that stands in the text already, so that it is not given to another value. */
  reserve(label: string, number: number): void;
  keptCounters(): KeptCounters;
  keptMarks(): KeptMarks;
}

export interface MemoryOptions {
  readonly writer: string;
  /** A keyed hash of a value. */
  readonly mark: (label: string, value: string) => string;
  readonly counters?: Readonly<Record<string, number>>;
  readonly marks?: KeptMarks;
  readonly strange?: StrangeNumbers;
  readonly vault?: Vault;
  /** Whether what changes in the vault has to be kept. */
  readonly keepsVault?: boolean;
}

/** The most values of one kind that a thread remembers; past it the oldest is forgotten and would get a new number. */
const MAX_MARKS = 10_000;
const MAX_RECENT = 500;
/** A number beyond it was not ours, and following it would use the numbers up. */
const MAX_RESERVED = 99_999;

export function createMemory({
  writer,
  mark,
  counters = {},
  marks: known = {},
  strange = {},
  vault,
  keepsVault = false,
}: MemoryOptions): ThreadMemory {
  const numbers = createNumbers(counters, strange);
  const marks = createMarks(known);
  const marked = (label: string, values: readonly string[]): string[] =>
    values.map((value) => mark(label, value));
  for (const { label, number, values } of vault?.blocks.all() ?? [])
    marks.add(label, marked(label, values), number);
  const isBirthDate = remembering((date) => mark(BIRTH_LABEL, date), marks.of(BIRTH_LABEL));
  let vaultRevision = 0;

  return {
    writer,
    savedRevision: 0,
    asked: false,
    vault,
    get revision() {
      return numbers.revision() + (keepsVault ? vaultRevision : 0);
    },
    get birthDates() {
      return marks.of(BIRTH_LABEL).size;
    },
    get isBirthDate() {
      return marks.of(BIRTH_LABEL).size === 0 ? undefined : isBirthDate;
    },
    giveNumber(label, sighting) {
      const own = marked(label, sighting.values);
      const number = marks.find(label, own) ?? marks.add(label, own, numbers.next(label));
      if (vault?.keep(label, number, sighting)) vaultRevision++;
      if (sighting.origin === 'person' && vault?.noteSaid(label, number)) vaultRevision++;
      return number;
    },
    isGiven: numbers.isGiven,
    giveOut(label, number) {
      const value = vault?.get(label, number);
      if (value !== undefined && vault?.giveOut(value)) vaultRevision++;
      return value;
    },
    reserve: numbers.reserve,
    keptCounters: () => ({
      writer,
      counters: numbers.counters(),
      ...(vault && { strange: numbers.strange(), blocks: [vault.blocks.first, vault.blocks.end] }),
    }),
    keptMarks: () => marks.kept(),
  };
}

/**
 * How far the numbers have come, by label, and which of them stood in a text before a value could have them. Neighbouring
 * ranges of those become one, so that there are no more ranges than values.
 */
function createNumbers(given: Readonly<Record<string, number>>, strangers: StrangeNumbers) {
  const counters = new Map(Object.entries(given));
  const strange = new Map(Object.entries(strangers).map(([label, ranges]) => [label, [...ranges]]));
  let revision = 0;
  const countTo = (label: string, number: number): number => {
    counters.set(label, number);
    revision++;
    return number;
  };
  const addStrange = (label: string, from: number, to: number): void => {
    const ranges = strange.get(label) ?? [];
    strange.set(label, ranges);
    const last = ranges.at(-1);
    if (last?.[1] === from - 1) ranges[ranges.length - 1] = [last[0], to];
    else ranges.push([from, to]);
  };
  return {
    revision: () => revision,
    next: (label: string): number => countTo(label, (counters.get(label) ?? 0) + 1),
    reserve(label: string, number: number): void {
      const last = counters.get(label) ?? 0;
      if (number > MAX_RESERVED || number <= last) return;
      addStrange(label, last + 1, number);
      countTo(label, number);
    },
    isGiven: (label: string, number: number): boolean =>
      number <= (counters.get(label) ?? 0) &&
      strange.get(label)?.some(([from, to]) => from <= number && number <= to) !== true,
    counters: () => Object.fromEntries(counters),
    strange: (): StrangeNumbers => Object.fromEntries(strange),
  };
}

/** The numbers of the marks, by label. */
function createMarks(known: KeptMarks) {
  const byLabel = new Map(
    Object.entries(known).map(([label, numbers]) => [label, new Map(Object.entries(numbers))]),
  );
  const of = (label: string): Map<string, number> => {
    const numbers = byLabel.get(label) ?? new Map<string, number>();
    byLabel.set(label, numbers);
    return numbers;
  };
  return {
    of: of as (label: string) => ReadonlyMap<string, number>,
    find: (label: string, marked: readonly string[]): number | undefined =>
      marked.map((one) => of(label).get(one)).find((number) => number !== undefined),
    add(label: string, marked: readonly string[], number: number): number {
      const numbers = of(label);
      for (const one of marked) numbers.set(one, number);
      while (numbers.size > MAX_MARKS) numbers.delete(numbers.keys().next().value as string);
      return number;
    },
    kept: (): KeptMarks =>
      Object.fromEntries(
        [...byLabel]
          .filter(([, numbers]) => numbers.size > 0)
          .map(([label, numbers]) => [label, Object.fromEntries(numbers)]),
      ),
  };
}

/** The dates of a conversation come again and again, and a hash costs more than a look-up. Nothing of this is kept. */
function remembering(
  mark: (date: string) => string,
  birthDates: ReadonlyMap<string, number>,
): (date: string) => boolean {
  const recent = new Map<string, string>();
  return (date) => {
    const known = recent.get(date) ?? mark(date);
    if (recent.size >= MAX_RECENT) recent.clear();
    recent.set(date, known);
    return birthDates.has(known);
  };
}
