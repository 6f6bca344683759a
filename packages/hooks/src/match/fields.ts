import { checkedText } from './limits.ts';

/** The fields that hold the path of a file, or several. */
export const PATH_FIELDS: readonly string[] = ['file_path', 'path', 'notebook_path', 'file_paths', 'paths'];

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

/**
 * The paths of a tool's input, each once: what stands in a field for paths, in the input itself or anywhere inside of it. A decoy in one of
 * them must not hide another, and neither must a list or an object.
 * @throws {RunError} `invalid_input` for a text that is too long
 */
export function listPaths(input: unknown): string[] {
  const paths = new Set<string>();
  const seen = { path: new Set<unknown>(), other: new Set<unknown>() };
  const waiting: { readonly value: unknown; readonly field: string | undefined }[] = [
    { value: input, field: undefined },
  ];
  // The list grows while it is read: an input may be as deep as it likes.
  for (const { value, field } of waiting) {
    if (typeof value === 'object' && value !== null) {
      const visited = field === undefined ? seen.other : seen.path;
      if (visited.has(value)) continue;
      visited.add(value);
      for (const [key, inside] of Object.entries(value))
        waiting.push({ value: inside, field: field ?? pathField(key) });
    } else if (field !== undefined && (typeof value === 'string' || typeof value === 'number'))
      paths.add(checkedText(String(value), field));
  }
  return [...paths];
}

function pathField(key: string): string | undefined {
  return PATH_FIELDS.includes(key) ? key : undefined;
}

/** The commands of all fields that are there, where a list of words is a command too. */
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
