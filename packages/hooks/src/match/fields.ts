import { checkedText } from './limits.ts';

/** The fields with one or more paths of files, by the names that agents give them. */
export const PATH_FIELDS: readonly string[] = [
  ...[
    'file_path',
    'path',
    'notebook_path',
    'absolute_path',
    'dir_path',
    'target_file',
    'filePath',
    'dirPath',
  ],
  ...['file_paths', 'paths', 'filePaths'],
];
/** Fields with paths where an object has them all: tools that move and copy. */
const MOVE_FIELDS: readonly string[] = ['source', 'destination'];

/**
 * The text of one field of a tool's input; `undefined` if it is missing, inherited or not a text.
 * @throws {RunError} `invalid_input` for a text that is too long
 */
export function textField(input: unknown, field: string): string | undefined {
  const value = ownField(input, field);
  return typeof value === 'string' ? checkedText(value, field) : undefined;
}

/**
 * The paths in a tool's input, each once: those in path fields of the input or of anything inside it. So neither a decoy in one field
 * nor a list or an object can hide a path.
 * @throws {RunError} `invalid_input` for a text that is too long
 */
export function listPaths(input: unknown): string[] {
  const paths = new Set<string>();
  const seen = { path: new Set<unknown>(), other: new Set<unknown>() };
  const waiting: { readonly value: unknown; readonly field: string | undefined }[] = [
    { value: input, field: undefined },
  ];
  // The list grows during the loop, so that an input may have any depth.
  for (const { value, field } of waiting) {
    if (typeof value === 'object' && value !== null) {
      const visited = field === undefined ? seen.other : seen.path;
      if (visited.has(value)) continue;
      visited.add(value);
      const moves = MOVE_FIELDS.every((name) => Object.hasOwn(value, name)) ? MOVE_FIELDS : NONE;
      for (const [key, inside] of Object.entries(value))
        waiting.push({ value: inside, field: field ?? findPathField(key, moves) });
    } else if (field !== undefined && isWord(value)) paths.add(checkedText(String(value), field));
  }
  return [...paths];
}

const NONE: readonly string[] = [];

function findPathField(key: string, moves: readonly string[]): string | undefined {
  return PATH_FIELDS.includes(key) || moves.includes(key) ? key : undefined;
}

/**
 * The texts that a regular expression on a field is tested on. For a list or an object, these are each text in it and all of them
 * together.
 * @throws {RunError} `invalid_input` for a text that is too long
 */
export function textsInField(input: unknown, field: string): readonly string[] {
  const texts = textsToTest(ownField(input, field));
  for (const text of texts) checkedText(text, field);
  return texts;
}

/** The texts of a value for a pattern: its own, or each in a list or an object, and all of these joined by blanks. */
export function textsToTest(value: unknown): readonly string[] {
  const texts = listTexts(value);
  return texts.length > 1 ? [...texts, texts.join(' ')] : texts;
}

/** The texts and numbers in a value, in order; the value may have any depth. */
export function listTexts(value: unknown): string[] {
  const texts: string[] = [];
  const seen = new Set<unknown>();
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (isWord(next)) texts.push(String(next));
    else if (typeof next === 'object' && next !== null && !seen.has(next)) {
      seen.add(next);
      for (const inside of Object.values(next).reverse()) waiting.push(inside);
    }
  }
  return texts;
}

export function ownField(input: unknown, field: string): unknown {
  if (typeof input !== 'object' || input === null || !Object.hasOwn(input, field)) return undefined;
  return (input as Record<string, unknown>)[field];
}

export function isWord(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
