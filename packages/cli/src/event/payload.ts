import { DefinitionError } from '@spec/hooks';
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
export function payloadOf(value: unknown, place: string): Payload {
  return { place, value, fields: isFields(value) ? value : {} };
}

/**
 * Reads a payload.
 *
 * @param file JSON, or `-` for standard input
 * @throws {DefinitionError} `bad_definition`, naming the file and the place in it
 */
export async function readPayload(file: string | undefined): Promise<Payload> {
  if (file === undefined) return payloadOf({}, 'the input');
  const place = file === '-' ? 'standard input' : file;
  const json = await readText(file, 'give a file with what the event is about, or - for standard input');
  try {
    return payloadOf(JSON.parse(json.replace(/^\uFEFF/, '')), place);
  } catch (error) {
    const why = json.trim() === '' ? 'is empty' : `is no JSON${positionOf(error, json)}`;
    const remedy =
      'it must hold what the event is about, such as { "tool_name": "Bash", "tool_input": { … } }';
    throw new DefinitionError('bad_definition', `${place} ${why}: ${remedy}.`);
  }
}

/** The parser's message quotes the text; its position does not. */
function positionOf(error: unknown, json: string): string {
  const position = /at position (\d+)/.exec((error as Error).message)?.[1];
  if (position === undefined) return '';
  const before = json.slice(0, Number(position)).split('\n');
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1})`;
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The first of some fields that is there. */
export function oneOf(fields: Fields, ...names: readonly string[]): unknown {
  return fields[names.find((name) => fields[name] !== undefined && fields[name] !== null) ?? ''];
}

/** The first of some fields that is there, where it is a text. */
export function textIn(fields: Fields, ...names: readonly string[]): string | undefined {
  const value = oneOf(fields, ...names);
  return typeof value === 'string' ? value : undefined;
}
