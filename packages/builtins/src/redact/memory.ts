import { BIRTH_LABEL } from './detect/birth-date.ts';

/** What of a thread's memory is kept with the thread: how far the numbers have come. No value, in no form. */
export interface KeptCounters {
  /** Whose counters they are: another writer's were written by another process or before a restart. */
  readonly writer: string;
  readonly counters: Readonly<Record<string, number>>;
}

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
  /** Whether the last message of the assistant asked for a date of birth. */
  asked: boolean;
  /** The number of a value: the one it has, under any of its readings, or the next. */
  numberOf(label: string, values: readonly string[]): number;
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
}

/** The most values of one kind that a thread remembers; past it the oldest is forgotten and would get a new number. */
const MAX_MARKS = 10_000;
const MAX_RECENT = 500;
/** A number beyond it was not ours, and following it would use the numbers up. */
const MAX_RESERVED = 99_999;

export function createMemory({
  writer,
  mark,
  counters: given = {},
  marks: known = {},
}: MemoryOptions): ThreadMemory {
  const counters = new Map(Object.entries(given));
  const marks = createMarks(known);
  const isBirthDate = remembering((date) => mark(BIRTH_LABEL, date), marks.of(BIRTH_LABEL));
  let revision = 0;
  const countTo = (label: string, number: number): number => {
    counters.set(label, number);
    revision++;
    return number;
  };

  return {
    writer,
    savedRevision: 0,
    asked: false,
    get revision() {
      return revision;
    },
    get birthDates() {
      return marks.of(BIRTH_LABEL).size;
    },
    get isBirthDate() {
      return marks.of(BIRTH_LABEL).size === 0 ? undefined : isBirthDate;
    },
    numberOf(label, values) {
      const marked = values.map((value) => mark(label, value));
      return (
        marks.find(label, marked) ?? marks.add(label, marked, countTo(label, (counters.get(label) ?? 0) + 1))
      );
    },
    reserve(label, number) {
      if (number <= MAX_RESERVED && number > (counters.get(label) ?? 0)) countTo(label, number);
    },
    keptCounters: () => ({ writer, counters: Object.fromEntries(counters) }),
    keptMarks: () => marks.kept(),
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
