import { DefinitionError, type LifecycleName, type LifecycleSignatures } from '@spec/hooks';
import { dialectNamed } from '../load/dialects.ts';
import { commandHooks } from '../members/command-hooks.ts';
import type { CommandOptions } from '../members/options.ts';
import type { CommandEntry } from '../normal-form.ts';

/**
 * Makes the function of a hook from one entry of a settings file: `defineHook({ hook, id, execute: commandEntry(hook, { … }) })`. The
 * entry matches, runs and answers as it does in its file.
 *
 * @throws {DefinitionError} `bad_definition` if the entry is for another hook, or the code with which its dialect refuses it
 */
export function commandEntry<K extends LifecycleName>(
  hook: K,
  entry: CommandEntry,
  options: CommandOptions = {},
): LifecycleSignatures[K] {
  const dialect = dialectNamed(entry.dialect);
  if (dialect === undefined || (entry.event !== hook && entry.alsoAt !== hook)) {
    const message = `The entry "${entry.id}" is for ${entry.event}, of the format ${entry.dialect}: it cannot be a hook ${hook}.`;
    throw new DefinitionError('bad_definition', message);
  }
  const { file } = entry.position;
  const { alsoAt: _, ...alone } = entry;
  const entries = [dialect.compile({ ...alone, event: hook })];
  const compiled = { file, id: entry.id, layer: entry.layer, dialect, entries };
  return commandHooks([compiled], options)[0]?.execute as LifecycleSignatures[K];
}
