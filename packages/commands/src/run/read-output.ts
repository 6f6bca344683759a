import { hidesAnswer } from './hidden-answer.ts';
import { cleaned, faultOfText } from './json-faults.ts';

/** The bytes of JSON that an answer may have. */
const ANSWER_BYTES = 1024 * 1024;

/** What a command answered on its standard output. */
export type JsonAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly value: Record<string, unknown> }
  | { readonly kind: 'invalid'; readonly why: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bytes as text, without a byte order mark; undefined where they are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads what a command wrote to its standard output (design §8.3).
 *
 * 1. Nothing but white space is no answer.
 * 2. Text that begins with `{` must be one JSON object, whole and alone: cut off, followed by more, nested deeper than 100,
 *    a key twice or a number past what a number holds is invalid, and so is what is not UTF-8.
 * 3. Other text is text. Text around an object that holds one of the words of an answer (a shell's greeting, a progress
 *    line, a list) is invalid: the object was meant to be read, and a `deny` that is taken for chatter would let a tool run.
 * 4. `__proto__`, `constructor` and `prototype` are dropped at every depth.
 */
export function readAnswer(stdout: Uint8Array): JsonAnswer {
  if (stdout.length > ANSWER_BYTES) return { kind: 'invalid', why: 'it is larger than 1 MB' };
  const text = textOf(stdout)?.trim();
  if (text === undefined) return { kind: 'invalid', why: 'it is not UTF-8' };
  if (text === '') return { kind: 'none' };
  if (text.startsWith('{')) return readObject(text);
  if (hidesAnswer(text)) return { kind: 'invalid', why: 'there is other text around its JSON' };
  return { kind: 'text', text };
}

function readObject(text: string): JsonAnswer {
  const value = parsedObject(text);
  if (value === undefined) return { kind: 'invalid', why: 'it begins with { and is not valid JSON' };
  const fault = faultOfText(text) ?? cleaned(value);
  return fault === undefined ? { kind: 'json', value } : { kind: 'invalid', why: fault };
}

function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
