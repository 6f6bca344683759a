/** Whether two data values hold the same. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  if (a instanceof Uint8Array) return b instanceof Uint8Array && sameBytes(a, b);
  if (a instanceof Date) return b instanceof Date && a.getTime() === b.getTime();
  return !Array.isArray(b) && Object.getPrototypeOf(a) === Object.getPrototypeOf(b) && isPlain(a) && sameRecord(a, b);
}

/** Whether two records have the same fields with the same values, in whatever order. */
export function sameRecord(a: object, b: object): boolean {
  let fields = 0;
  for (const key in a) {
    const x = (a as Record<string, unknown>)[key];
    const y = (b as Record<string, unknown>)[key];
    if (x !== y && !sameValue(x, y)) return false;
    if (x === undefined && !(key in b)) return false;
    fields++;
  }
  for (const _ in b) fields--;
  return fields === 0;
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
