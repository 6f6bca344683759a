import { DefinitionError, type ThreadState } from '@spec/hooks';
import { compileEntry } from '../load/compile-entry.ts';
import type { CommandEntry } from '../normal-form.ts';
import { eventRow } from './events.ts';
import { occasionOf } from './occasion.ts';
import { type CommandOptions, surroundingsOf } from './options.ts';
import { whyNot } from './why-not.ts';

/** One firing of an entry's own event. */
export interface EntryFiring extends Pick<CommandOptions, 'projectDir' | 'sandboxDir' | 'permissionMode'> {
  readonly state: ThreadState;
  /** What the hook gets after the state. */
  readonly args: readonly unknown[];
}

/**
 * Which clause keeps an entry from running, without running anything: names of tools, fields and patterns, never values.
 * `undefined`: it would run, where its `condition` holds too.
 *
 * @throws {DefinitionError} as its dialect refuses the entry
 */
export async function explainEntry(
  entry: CommandEntry,
  { state, args, ...options }: EntryFiring,
): Promise<string | undefined> {
  const { event } = entry;
  const row = eventRow(event);
  if (row === undefined)
    throw new DefinitionError(
      'bad_definition',
      `The entry "${entry.id}" is for ${event}, in which no command can run.`,
    );
  const occasion = await occasionOf(
    { event, state, ...surroundingsOf(options) },
    await row.details(args, state),
  );
  const why = whyNot(compileEntry(entry), occasion);
  return typeof why === 'object' ? why.failure.why : why;
}
