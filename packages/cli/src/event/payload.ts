import { DefinitionError, isRecord } from '@spec/hooks';
import { type ParseError, parse } from 'jsonc-parser';
import { isTooDeep, MAX_LEVELS } from '../json-depth.ts';
import { readText } from '../read-text.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** What hooks are asked about, as it was given. */
export interface Payload {
  /** As a person calls the place: a file, or `standard input`. */
  readonly place: string;
  /** Its fields; none where it is a list or a text. */
  readonly fields: Fields;
  readonly value: unknown;
}

/** A payload of a value that was read elsewhere. */
export function parsePayload(value: unknown, place: string): Payload {
  return { place, value, fields: isRecord(value) ? value : {} };
}

/** What is missing is told where an event needs something. */
const NO_INPUT = 'the input, which --input FILE gives,';

/**
 * Reads a payload.
 *
 * @param file JSON, or `-` for standard input
 * @throws {DefinitionError} `bad_definition`, naming the file and the place in it
 */
export async function readPayload(file: string | undefined): Promise<Payload> {
  if (file === undefined) return parsePayload({}, NO_INPUT);
  const origin = file === '-' ? 'standard input' : file;
  const json = await readText(file, 'give a file with what the event is about, or - for standard input');
  const text = json.replace(/^\uFEFF/, '');
  const value = parsed(text);
  if (value === undefined) {
    const why = text.trim() === '' ? 'is empty' : `is not JSON${findPlaceOfFault(text)}`;
    const remedy =
      'it must hold what the event is about, such as { "tool_name": "Bash", "tool_input": { … } }';
    throw new DefinitionError('bad_definition', `${origin} ${why}: ${remedy}.`);
  }
  refuseTooDeep(value, origin);
  return parsePayload(value, origin);
}

/** The parser's message quotes the text: it is not told. */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** @throws {DefinitionError} `bad_definition` */
function refuseTooDeep(value: unknown, place: string): void {
  if (!isTooDeep(value)) return;
  const message = `${place} is nested deeper than ${MAX_LEVELS} levels: give an input that is less deep, as no hook gets one like it.`;
  throw new DefinitionError('bad_definition', message);
}

/** The first of some fields that is there. */
export function firstField(fields: Fields, ...names: readonly string[]): unknown {
  return fields[names.find((name) => fields[name] !== undefined && fields[name] !== null) ?? ''];
}

/** The first of some fields that is there, where it is a text. */
export function textIn(fields: Fields, ...names: readonly string[]): string | undefined {
  const value = firstField(fields, ...names);
  return typeof value === 'string' ? value : undefined;
}

/**
 * Where a text stops being JSON, as ` (line 2, column 7)`; empty where it is JSON. The parser of Node tells its position for some
 * faults only, and else quotes the text.
 */
export function findPlaceOfFault(json: string): string {
  const at = faultIn(json);
  if (at === undefined) return '';
  const before = json.slice(0, at).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

function faultIn(json: string): number | undefined {
  const errors: ParseError[] = [];
  try {
    parse(json, errors, { disallowComments: true });
  } catch {
    return undefined; // Nested so deep that the parser's stack ends.
  }
  return errors[0]?.offset;
}
