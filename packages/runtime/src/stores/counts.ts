import { RunError } from '@spec/hooks';
import type { MessageQuery } from './store.ts';

/** The part of a list that a query asks for: `count` items from one end; -1 means all. */
export interface Window {
  count: number;
  from: 'start' | 'end';
}

/**
 * The part of the matching messages that a query asks for.
 * @throws RunError `invalid_input` for `first` together with `last`, or for a number that is not a whole one of 0 or more.
 */
export function readWindow({ first, last }: MessageQuery): Window {
  if (first !== undefined && last !== undefined) {
    throw new RunError('invalid_input', 'first and last cannot be given together; leave one of them out');
  }
  if (first !== undefined) return { count: wantedCount('first', first), from: 'start' };
  return { count: wantedCount('last', last), from: 'end' };
}

/**
 * How many items a caller asked for; -1 if it did not say.
 * @throws RunError `invalid_input` if it is not a whole number of 0 or more.
 */
export function wantedCount(
  option: 'first' | 'last' | 'limit' | 'keepBytes' | 'size',
  value: number | undefined,
): number {
  if (value === undefined) return -1;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new RunError('invalid_input', `${option} must be a whole number of 0 or more; leave it out for all`);
}
