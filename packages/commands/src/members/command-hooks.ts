// Members: make hooks of the entries of a file, and merge what those answer. `load` calls it; it never knows which format a file is in.

import { type AnyHook, checkOptionNames, DefinitionError, defineHook, type LifecycleName } from '@spec/hooks';
import type { CompiledEntry } from '../normal-form.ts';
import { createCommandRunner } from '../run/command-runner.ts';
import { type Background, createBackground } from './background.ts';
import { eventRow } from './events.ts';
import { makeMember } from './member.ts';
import { type CommandOptions, type CompiledFile, commandOptionNames, makeSurroundings } from './options.ts';

/**
 * Makes the hooks that run the entries of settings files: one for each file and each lifecycle hook, in the order of the files.
 * Register them as policies.
 *
 * @throws {DefinitionError} `bad_definition` for an entry of a hook in which no command can run
 */
export function commandHooks(files: readonly CompiledFile[], options: CommandOptions = {}): AnyHook[] {
  checkOptionNames('commandHooks', options, { ...commandOptionNames, background: true, drainId: true });
  const background = options.background ?? createBackground();
  const surroundings = makeSurroundings(options);
  const hooks = files.flatMap((file) => {
    const { maxConcurrent = Number.MAX_SAFE_INTEGER } = file;
    const runner = file.runner ?? createCommandRunner({ maxConcurrent });
    return [...byEvent(file.entries)].map(([event, entries]) => {
      const row = eventRow(event);
      if (row === undefined) throw noCommands(event, entries);
      return makeMember({ file, event, row, entries, runner, background, surroundings });
    });
  });
  const drainId = options.drainId ?? files.find(hasBackground)?.id;
  return drainId === undefined ? hooks : [...hooks, drain(drainId, background, options)];
}

function hasBackground({ entries }: CompiledFile): boolean {
  return entries.some(({ entry, background }) => !entry.isAwaited || background !== undefined);
}

/** Groups entries by hook and sorts each list by priority, then by position in the file. */
function byEvent(entries: readonly CompiledEntry[]): Map<LifecycleName, CompiledEntry[]> {
  const events = new Map<LifecycleName, CompiledEntry[]>();
  for (const compiled of entries.toSorted((a, b) => b.entry.priority - a.entry.priority)) {
    const { event, alsoAt } = compiled.entry;
    for (const hook of alsoAt === undefined ? [event] : [event, alsoAt]) {
      const list = events.get(hook);
      if (list === undefined) events.set(hook, [compiled]);
      else list.push(compiled);
    }
  }
  return events;
}

function noCommands(event: LifecycleName, [first]: readonly CompiledEntry[]): DefinitionError {
  return new DefinitionError(
    'bad_definition',
    `The entry "${first?.entry.id}" is for ${event}, in which no command can run. Let it be for an event of the lifecycle's control hooks or tool calls.`,
  );
}

const DRAIN_MS = 5_000;

/** The last hook of a session: it gives what runs in the background time to end. */
function drain(id: string, background: Background, { drainMs = DRAIN_MS }: CommandOptions): AnyHook {
  return defineHook({
    hook: 'after_session_ended',
    id: `${id}_drain` as string,
    priority: -1_000_000,
    timeout: drainMs + DRAIN_MS,
    execute: ({ threadId }) => background.drain(threadId, drainMs),
  });
}
