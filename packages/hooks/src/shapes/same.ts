/** Whether two data values hold the same. Class instances count by their fields, as a copy has no more. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, i) => sameValue(item, b[i]));
  const sort = nameSort(a);
  return sort === nameSort(b) && (sameBySort[sort]?.(a, b) ?? sameBytes(a, b));
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

function nameSort(value: object): string {
  return Object.prototype.toString.call(value);
}

const sameBySort: Readonly<Record<string, (a: object, b: object) => boolean>> = {
  '[object Object]': sameRecord,
  '[object Date]': (a, b) => Object.is(Number(a), Number(b)),
  '[object RegExp]': (a, b) => (a as RegExp).toString() === (b as RegExp).toString(),
  '[object Map]': (a, b) => sameValue([...(a as Map<unknown, unknown>)], [...(b as Map<unknown, unknown>)]),
  '[object Set]': (a, b) => sameValue([...(a as Set<unknown>)], [...(b as Set<unknown>)]),
};

/** Buffers and views of them. Anything else that is not the same object is taken for something else. */
function sameBytes(a: object, b: object): boolean {
  const x = readBytes(a);
  const y = readBytes(b);
  return x !== undefined && y !== undefined && x.length === y.length && x.every((byte, i) => byte === y[i]);
}

function readBytes(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof ArrayBuffer ? new Uint8Array(value) : undefined;
}
