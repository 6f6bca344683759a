// Rows: messages and runs as a database stores them, and the errors of damaged ones. Drivers call it; it knows no database.

import { RunError } from '@spec/hooks';
import { warn } from '../../warn.ts';

/** A place in a store, for error messages: ids and names, never content. */
export interface ColumnPlace {
  readonly table: string;
  /** Identifies the row, such as `m1 of thread t1`. */
  readonly row: string;
  readonly column: string;
}

/** Reads a column with JSON. @throws RunError `store_unreadable`, naming the place, if it holds something else */
export function readColumn<T>(place: ColumnPlace, read: () => T): T {
  try {
    return read();
  } catch {
    throw damaged(place); // What the parser says quotes the data.
  }
}

/** The record in a column with JSON text. @throws RunError as {@link readColumn} */
export function recordIn(text: string, place: ColumnPlace): Record<string, unknown> {
  const record: unknown = readColumn(place, () => JSON.parse(text));
  if (typeof record === 'object' && record !== null && !Array.isArray(record))
    return record as Record<string, unknown>;
  throw damaged(place);
}

/** The error of a damaged row. The store itself remains usable. */
export function damaged({ table, row, column }: ColumnPlace): RunError {
  const message = `the column ${column} of ${row} in the table ${table} is damaged; mend it, remove the row, or restore a copy of the store`;
  return new RunError('store_unreadable', message);
}

/** Names a thread in an error message; its id itself may be damaged. */
export function nameThread(id: unknown): string {
  return typeof id === 'string' ? `thread ${id}` : 'a thread with a damaged id';
}

/** Called with a damaged row that a list leaves out. */
export type OnUnreadable = (error: RunError) => void;

/** Reads rows of many threads. A damaged row is reported and left out, so that the others can still be read. */
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

/** Reports each damaged row once, as a process warning: a list that is read every second would otherwise repeat it every second. */
export function warnOnce(store: string): OnUnreadable {
  const reported = new Set<string>();
  return ({ message }) => {
    if (reported.has(message)) return;
    reported.add(message);
    warn(`store ${store}: ${message}`, { type: 'StoreWarning', code: 'STORE_UNREADABLE' });
  };
}
