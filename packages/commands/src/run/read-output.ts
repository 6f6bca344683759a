import type { Cut } from './collect-output.ts';
import { hidesAnswer } from './hidden-answer.ts';
import { cleaned, findFaultOfText, KEY_TWICE } from './json-faults.ts';

/** The most bytes of JSON in an answer. */
const ANSWER_BYTES = 1024 * 1024;

/** A command's answer on its standard output. */
export type JsonAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly value: JsonObject }
  | InvalidAnswer;

/** An answer that cannot be trusted. */
export interface InvalidAnswer {
  readonly kind: 'invalid';
  readonly why: string;
  /** What could still be read of it. What it forbids counts. */
  readonly value?: JsonObject;
  /** Nothing could be read, and it may have been a refusal, so what it guards is denied. */
  readonly mayRefuse?: true;
}

type JsonObject = Record<string, unknown>;

/** The bytes of a command's output that were kept. */
export interface Written {
  readonly stdout: Uint8Array;
  readonly cut?: Cut;
}

const lossy = new TextDecoder();

/** The output as text without a byte order mark; undefined if it is not UTF-8. A cut output may end within a character. */
export function readText({ stdout, cut }: Written): string | undefined {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true });
    return decoder.decode(stdout, { stream: cut !== undefined || stdout.length > ANSWER_BYTES });
  } catch {
    return undefined;
  }
}

/** Bytes as text, whatever they are. */
export function readAnyText(bytes: Uint8Array): string {
  return lossy.decode(bytes);
}

/**
 * Reads what a command wrote to its standard output (design §8.3).
 *
 * 1. Only white space is not an answer.
 * 2. Text that begins with `{` must be one JSON object, whole and alone: cut off, followed by more, nested deeper than 100,
 *    a key twice or a number past what a number holds is invalid, and so is what is not UTF-8.
 * 3. Other text is text. Text around an object that holds one of the words of an answer (a shell's greeting, a progress
 *    line, a list) is invalid: the object was meant to be read, and a `deny` that is taken for chatter would let a tool run.
 * 4. `__proto__`, `constructor` and `prototype` are dropped at every depth.
 * 5. Whoever is judged chooses the text that a command quotes. So a refusal holds even if that text makes the answer too long or breaks it.
 */
export function readAnswer(written: Written): JsonAnswer {
  const { stdout, cut } = written;
  const text = readAnyText(stdout).trim();
  if (text.startsWith('{')) return isTooLarge(written) ? TOO_LARGE : readObject(text, written);
  if (readText(written) === undefined) return { kind: 'invalid', why: NOT_UTF8 };
  if (text === '' && cut?.mentionsAnswer) return { kind: 'invalid', why: BEHIND_BLANKS, mayRefuse: true };
  if (text === '') return { kind: 'none' };
  if (cut?.mentionsAnswer || hidesAnswer(text))
    return { kind: 'invalid', why: 'there is other text around its JSON' };
  return { kind: 'text', text };
}

function isTooLarge({ stdout, cut }: Written): boolean {
  return stdout.length > ANSWER_BYTES || (cut !== undefined && stdout.length === ANSWER_BYTES);
}

const BEHIND_BLANKS = 'its answer stands behind more than 1 MB of blanks';
const NOT_UTF8 = 'it is not UTF-8';
const TOO_LARGE: InvalidAnswer = { kind: 'invalid', why: 'it is larger than 1 MB', mayRefuse: true };

/** The words of a refusal, as written in JSON. */
export const REFUSES: RegExp = /"(?:deny|block|ask|defer)"|"(?:continue|ok)"\s*:\s*false/;

function readObject(text: string, written: Written): JsonAnswer {
  const value = parsedObject(text);
  const refuses = REFUSES.test(text) ? { mayRefuse: true as const } : {};
  if (value === undefined) {
    const why = 'it begins with { and is not valid JSON';
    return { kind: 'invalid', why, ...(written.cut === undefined ? refuses : { mayRefuse: true }) };
  }
  const tooLarge = cleaned(value);
  const fault = findFaultOfText(text);
  // Of two equal keys only the last is there; what stands in a text that is quoted may be the other.
  if (fault === KEY_TWICE) return { kind: 'invalid', why: fault, ...refuses };
  const why = fault ?? tooLarge ?? (readText(written) === undefined ? NOT_UTF8 : undefined);
  return why === undefined ? { kind: 'json', value } : { kind: 'invalid', why, value: shallow(value) };
}

/** As deep as the words of an answer stand. */
const SHALLOW = 3;

/** The texts, numbers and flags of the first levels of an object. */
function shallow(value: object, depth = 1): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) => {
      if (typeof inner !== 'object' || inner === null) return [[key, inner]];
      return depth < SHALLOW && !Array.isArray(inner) ? [[key, shallow(inner, depth + 1)]] : [];
    }),
  );
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return undefined;
  }
}
