import { checkedText } from './limits.ts';

/** The fields that hold the path of a file. */
export const PATH_FIELDS: readonly string[] = ['file_path', 'path', 'notebook_path'];

/** The fields that hold a shell command: a line, or a list of words that runs without a shell. */
export const COMMAND_FIELDS: readonly string[] = ['command', 'cmd'];

/**
 * The text of one field of a tool's input; `undefined` where it is missing, inherited or no text.
 * @throws {RunError} `invalid_input` for a text that is too long
 */
export function textField(input: unknown, field: string): string | undefined {
  const value = ownField(input, field);
  return typeof value === 'string' ? checkedText(value, field) : undefined;
}

/** The texts of all those fields that are there: a decoy in one of them must not hide the other. */
export function textFields(input: unknown, fields: readonly string[]): string[] {
  return fields.map((field) => textField(input, field)).filter((text) => text !== undefined);
}

/** Like {@link textFields} for commands, where a list of words is a command too. */
export function commandFields(input: unknown): (string | readonly string[])[] {
  return COMMAND_FIELDS.flatMap((field): (string | readonly string[])[] => {
    const value = ownField(input, field);
    if (typeof value === 'string') return [checkedText(value, field)];
    if (!isWordList(value)) return [];
    checkedText(value.join(' '), field);
    return [value];
  });
}

function ownField(input: unknown, field: string): unknown {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, field)) return undefined;
  return (input as Record<string, unknown>)[field];
}

function isWordList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
}
