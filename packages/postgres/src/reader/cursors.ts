import { type Cursor, RunError } from '@spec/hooks';

/** Writes numbers as a cursor. */
export function writeCursor(numbers: readonly number[]): Cursor {
  return numbers.join('_');
}

/** The key in a cursor. @throws RunError `invalid_input` */
export function readKey(cursor: Cursor): number {
  if (typeof cursor !== 'string' || !/^\d{1,16}$/.test(cursor)) throw noCursor();
  return Number(cursor);
}

/** The time, the thread and the number in a cursor. @throws RunError `invalid_input` */
export function readTriple(cursor: Cursor): [time: number, thread: number, number: number] {
  const [time, ...keys] = typeof cursor === 'string' ? cursor.split('_') : [];
  if (keys.length !== 2 || !time || !Number.isFinite(Number(time))) throw noCursor();
  const [thread = 0, number = 0] = keys.map(readKey);
  return [Number(time), thread, number];
}

/** The error of a cursor that the records did not give. */
export function noCursor(): RunError {
  return new RunError('invalid_input', 'cursor must be one that the records gave');
}
