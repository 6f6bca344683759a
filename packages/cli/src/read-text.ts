import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { DefinitionError } from '@spec/hooks';
import { readRegularFile } from '@spec/hooks/node';

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

/** More than a settings or rule file may have: those who load it tell their own limit. */
const MAX_BYTES = 16_777_216;

/**
 * Reads a file that a project may have brought: no pipe, no device, none without end.
 *
 * @throws {DefinitionError} `bad_option`, as {@link readText}
 */
export function readFileText(file: string, remedy: string): string {
  try {
    return readRegularFile(file, MAX_BYTES).toString('utf8');
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
  if (code === 'not_regular') return `${file} is no regular file`;
  return `${file} cannot be read (${code})`;
}
