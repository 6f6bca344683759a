import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DefinitionError } from '@spec/hooks';

/** A file that a command makes. */
export interface NewFile {
  /** Relative to the working folder. */
  readonly path: string;
  readonly text: string;
}

/**
 * Writes files and the folders they are in: all of them, or none where one is there already.
 *
 * @throws {DefinitionError} `bad_option`, naming the files that are there, or the one that cannot be written
 */
export async function writeFiles(
  files: readonly NewFile[],
  { force }: { readonly force: boolean },
): Promise<void> {
  const existing = files.filter(({ path }) => existsSync(path));
  if (existing.length > 0 && !force) {
    const names = existing.map(({ path }) => path).join(', ');
    throw new DefinitionError(
      'bad_option',
      `${names}: there already. Nothing was written; add --force to write over.`,
    );
  }
  for (const { path, text } of files) {
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new DefinitionError('bad_option', `${path} cannot be written (${code}).`);
    }
  }
}
