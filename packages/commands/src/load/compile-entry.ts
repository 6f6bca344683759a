import { DefinitionError } from '@spec/hooks';
import type { CommandEntry, CompiledEntry } from '../normal-form.ts';
import { dialectNamed } from './dialects.ts';

/**
 * An entry with the functions of its dialect, for who wants to know what it is for and how it reads an answer without running it.
 *
 * @throws {DefinitionError} as its dialect refuses it
 */
export function compileEntry(entry: CommandEntry): CompiledEntry {
  const dialect = dialectNamed(entry.dialect);
  if (dialect !== undefined) return dialect.compile(entry);
  const message = `The entry "${entry.id}" is of the format ${entry.dialect}, which is not known.`;
  throw new DefinitionError('bad_definition', message);
}
