/** Parses a JSON text; `undefined` if it is invalid. It never throws: an error of `JSON.parse` would quote the text. */
export function parseOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
