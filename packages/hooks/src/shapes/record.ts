import { cloneRecord } from './clone.ts';
import { ShapeProblem } from './problem.ts';
import { sameRecord } from './same.ts';
import type { Loan, Shape } from './shape.ts';

/** Says which rule a record breaks, or nothing. */
export type RecordCheck = (record: Record<string, unknown>) => string | undefined;

/** A shape of records that must pass a check; unknown fields survive. */
export function recordShape<T extends object>(name: string, check: RecordCheck): Shape<T> {
  return {
    name,
    fields: true,
    lend: (kept) => cloneRecord(kept),
    adopt: (returned, { kept }) => adoptRecord<T>(returned, kept, { name, check }),
    size: textSize,
  };
}

/** A shape of lists of such records, in which untouched ones are recognised and kept. */
export function listShape<T extends object>(name: string, check: RecordCheck): Shape<T[]> {
  const item = { name, check };
  return {
    name: `list of ${name}s`,
    lend: (kept) => kept.map((record) => cloneRecord(record)),
    adopt: (returned, loan) => adoptList(returned, loan, item),
    size: (list) => list.length,
  };
}

interface RecordSort {
  readonly name: string;
  readonly check: RecordCheck;
}

function adoptRecord<T extends object>(returned: unknown, kept: T | undefined, { name, check }: RecordSort): T {
  if (typeof returned !== 'object' || returned === null || Array.isArray(returned)) {
    throw new ShapeProblem(`expected a ${name}, got ${nameOfSort(returned)}`);
  }
  if (kept !== undefined && sameRecord(returned, kept)) return kept;
  const broken = check(returned as Record<string, unknown>);
  if (broken !== undefined) throw new ShapeProblem(`not a ${name}: ${broken}`);
  return cloneRecord(returned as T);
}

function adoptList<T extends object>(returned: unknown, { kept, lent }: Loan<T[]>, sort: RecordSort): T[] {
  if (!Array.isArray(returned)) throw new ShapeProblem(`expected a list of ${sort.name}s, got ${nameOfSort(returned)}`);
  const originOf = originFinder(lent, returned.length);
  let changed = returned.length !== kept.length;
  const next = new Array<T>(returned.length);
  for (let i = 0; i < returned.length; i++) {
    const item: unknown = returned[i];
    const origin = originOf(item, i);
    const original = kept[origin];
    const adopted = adoptRecord(item, original, sort);
    if (origin !== i || adopted !== original) changed = true;
    next[i] = adopted;
  }
  return changed ? next : kept;
}

/** Finds where a returned item stood in the lent list: most often in place, or shifted to the end by a slice. */
function originFinder<T>(lent: readonly T[], returnedLength: number): (item: unknown, i: number) => number {
  const shift = lent.length - returnedLength;
  let positions: Map<unknown, number> | undefined;
  return (item, i) => {
    if (lent[i] === item) return i;
    if (lent[i + shift] === item) return i + shift;
    positions ??= new Map(lent.map((record, position) => [record, position]));
    return positions.get(item) ?? i;
  };
}

/** What a value is, without saying what it holds. */
export function nameOfSort(value: unknown): string {
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
