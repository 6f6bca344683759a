import { parseOrText } from '@spec/hooks/host';

/** What arrives of a value that goes over the wire; `null` where it is no JSON. */
export function asJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return null;
  }
}

/** The arguments of a call; their text where it is no JSON. */
export function readInput(json: string): unknown {
  if (json.trim() === '') return {};
  return parseOrText(json);
}

/** A tool's stored result: an object or a list where its text is the JSON of one, else the text. */
export function readOutput(text: string): unknown {
  return /^\s*[[{]/.test(text) ? parseOrText(text) : text;
}
