/** What a JSON text holds; `undefined` where it is none. What JSON.parse says of one that is none would quote it. */
export function parseOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
