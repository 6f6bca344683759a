import { DefinitionError } from '@spec/hooks';
import type { CommandEntry, CompiledEntry } from '../normal-form.ts';
import { dialectNamed } from './dialects.ts';

/**
 * Compiles an entry with the functions of its dialect, to see what it matches and how it reads an answer without running it.
 *
 * @throws {DefinitionError} with the code of its dialect's refusal
 */
export function compileEntry(entry: CommandEntry): CompiledEntry {
  const dialect = dialectNamed(entry.dialect);
  if (dialect !== undefined) return dialect.compile(entry);
  const message = `The entry "${entry.id}" is of the format ${entry.dialect}, which is not known.`;
  throw new DefinitionError('bad_definition', message);
}
