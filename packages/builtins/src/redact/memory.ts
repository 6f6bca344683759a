import { BIRTH_LABEL } from './detect/birth-date.ts';
import type { KeptValue, Sighting } from './kept-value.ts';
import type { Vault } from './vault.ts';

/** The part of a memory that is kept with the thread: the counters of numbers. It holds no value in any form. */
export interface KeptCounters {
  /** The writer of these counters. Another writer is another process, or this one before a restart. */
  readonly writer: string;
  /** How often that writer has kept them; missing in counters of older releases. */
  readonly saves?: number;
  /** The process that the others let go first. */
  readonly claim?: string;
  /** The first of the writers that each continued from the one before; missing if that was an older release. */
  readonly lineage?: string;
  readonly counters: Readonly<Record<string, number>>;
  /** Ranges of numbers up to the counter that stood in texts but belong to no value. Only if values are kept. */
  readonly strange?: StrangeNumbers;
  /** The kept blocks of values: the first, and one more than the last. */
  readonly blocks?: readonly [number, number];
}

/** By label: ranges of numbers, both ends included. */
export type StrangeNumbers = Readonly<Record<string, ReadonlyArray<readonly [number, number]>>>;

/** The marks of values, by label: the keyed hash of a value and its number. Kept only if the operator gives a key. */
export type KeptMarks = Readonly<Record<string, Readonly<Record<string, number>>>>;

/**
 * The numbers of values in one thread. It knows values by their keyed hashes.
 * Every method is synchronous, so two hooks that run at once in a thread cannot give one value two numbers.
 */
export interface ThreadMemory {
  readonly writer: string;
  /** Grows with every new value; `savedRevision` follows when the value is kept. */
  readonly revision: number;
  savedRevision: number;
  /** How many dates of birth are known. With another one, a clean text may no longer be clean. */
  readonly birthDates: number;
  /** The values themselves, if they can be restored. */
  readonly vault: Vault | undefined;
  /** Whether the assistant's last message asked for a date of birth. */
  asked: boolean;
  /** The number of a value: its present number under any of its readings, or the next one. */
  giveNumber(label: string, sighting: Sighting): number;
  /** Whether a number belongs to a value, in this process or an earlier one. */
  isGiven(label: string, number: number): boolean;
  /** Notes that a tool gets the value of a placeholder. @returns the value, or nothing if it is unknown */
  giveOut(label: string, number: number): KeptValue | undefined;
  /** Whether a date, `YYYY-MM-DD`, is a known date of birth; `undefined` if none is known. */
  readonly isBirthDate: ((date: string) => boolean) | undefined;
  /** Raises the counter past a number that already stands in a text, so that no other value gets that number. */
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
  /** Whether changes of the vault must be kept. */
  readonly keepsVault?: boolean;
}

/** The most values of one kind that a thread remembers. Beyond it, the oldest is forgotten and would get a new number. */
const MAX_MARKS = 10_000;
const MAX_RECENT = 500;
/** A higher number was not ours, and following it would use up the numbers. */
export const MAX_RESERVED = 99_999;

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
 * The counters by label, and which of their numbers stood in a text before a value could get them. Adjacent ranges of these
 * are merged, so there are never more ranges than values.
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

/** The numbers of marks, by label. */
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

/** The dates of a conversation come up again and again, and a hash is slower than a look-up. None of this is kept. */
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
