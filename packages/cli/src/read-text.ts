import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { DefinitionError } from '@spec/hooks';

/**
 * Reads a file that a person named, or standard input for `-`.
 *
 * @param remedy what to give instead, as the end of a sentence: "give a settings file"
 * @throws {DefinitionError} `bad_option`: one sentence with the file, what keeps it from being read, and the remedy
 */
export async function readText(file: string, remedy: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(file, error, remedy);
  }
}

/** One sentence for a file that a person named, with what keeps it from being read and what to give instead. */
export function unreadable(file: string, error: unknown, remedy: string): DefinitionError {
  return new DefinitionError('bad_option', `${whyUnread(file, error)}: ${remedy}.`);
}

/** The same for a folder where a file was to be. */
export function notAFile(folder: string, remedy: string): DefinitionError {
  return unreadable(folder, { code: 'EISDIR' }, remedy);
}

function whyUnread(file: string, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return `There is no file ${file}`;
  if (code === 'EISDIR') return `${file} is a folder`;
  return `${file} cannot be read (${code})`;
}
