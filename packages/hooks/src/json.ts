/** Parses a JSON text; `undefined` if it is invalid. It never throws: an error of `JSON.parse` would quote the text. */
export function parseOrUndefined(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Parses a JSON text; a text that is none comes back as it is. */
export function parseOrText(text: string): unknown {
  if (!MAY_BE_JSON.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** How JSON begins, and `[MAIL]` does not: to have a text refused that is no JSON takes as long as a chain of hooks (bench `bridge-ai-sdk`). */
const MAY_BE_JSON = /^\s*(?:\{\s*["}]|(?:\[\s*)+(?:[\]{"\d-]|true|false|null)|["\d-]|true|false|null)/;
