/** Deeper JSON is refused: who prints or clones it could overflow the stack, and no store takes it. */
export const MAX_LEVELS = 200;

/** Whether a parsed value is nested too deep. Goes no deeper than the limit, and keeps nothing. */
export function isTooDeep(value: unknown, levels: number = MAX_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  return inner.some((one) => isTooDeep(one, levels - 1));
}
