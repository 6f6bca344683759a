import { isText } from './kept-value.ts';

/** Whether a value is what a field may hold. */
export type Check = (value: unknown) => boolean;

/** A whole number, 0 or more. */
export const isWholeNumber: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;

/** The same, or absent. */
export const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** Takes all members of a union: one that is missing, or is none of them, does not compile. */
export const among =
  <Union extends string>(allowed: Record<Union, true>): Check =>
  (value) =>
    isText(value) && Object.hasOwn(allowed, value as string);
