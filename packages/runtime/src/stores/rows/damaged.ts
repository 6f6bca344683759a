// Rows: messages and runs as a database keeps them, and what is said of a damaged one. Drivers call it; it knows no database.

import { RunError } from '@spec/hooks';
import { warn } from '../../warn.ts';

/** Where something stands in a store, for the message of a refusal: ids and names, never what is in it. */
export interface ColumnPlace {
  readonly table: string;
  /** What tells the row from others, such as `m1 of thread t1`. */
  readonly row: string;
  readonly column: string;
}

/** Reads a column that holds JSON. @throws RunError `store_unreadable`, naming the place, where it holds something else */
export function readColumn<T>(place: ColumnPlace, read: () => T): T {
  try {
    return read();
  } catch {
    throw damaged(place); // What the parser says quotes the data.
  }
}

/** The record that a column holds as JSON text. @throws RunError as {@link readColumn} */
export function recordIn(text: string, place: ColumnPlace): Record<string, unknown> {
  const record: unknown = readColumn(place, () => JSON.parse(text));
  if (typeof record === 'object' && record !== null && !Array.isArray(record))
    return record as Record<string, unknown>;
  throw damaged(place);
}

/** The error of a row that was damaged; the store can be used all the same. */
export function damaged({ table, row, column }: ColumnPlace): RunError {
  const message = `the column ${column} of ${row} in the table ${table} is damaged; mend it, remove the row, or restore a copy of the store`;
  return new RunError('store_unreadable', message);
}

/** A thread for the message of a refusal: its id may be what is damaged. */
export function nameOfThread(id: unknown): string {
  return typeof id === 'string' ? `thread ${id}` : 'a thread with a damaged id';
}

/** Told of a row that a list leaves out because it is damaged. */
export type OnUnreadable = (error: RunError) => void;

/** Reads the rows of many threads: one that is damaged is told of and left out, for it must not take the others along. */
export function readableOnes<Row, T>(
  rows: Iterable<Row>,
  read: (row: Row) => T,
  onUnreadable: OnUnreadable,
): T[] {
  const found: T[] = [];
  for (const row of rows) {
    try {
      found.push(read(row));
    } catch (error) {
      if (!(error instanceof RunError) || error.code !== 'store_unreadable') throw error;
      onUnreadable(error);
    }
  }
  return found;
}

/** Tells of each damaged row once, as a process warning: a list that is read every second would say it every second. */
export function warnOnce(store: string): OnUnreadable {
  const reported = new Set<string>();
  return ({ message }) => {
    if (reported.has(message)) return;
    reported.add(message);
    warn(`store ${store}: ${message}`, { type: 'StoreWarning', code: 'STORE_UNREADABLE' });
  };
}
