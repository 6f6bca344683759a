import { lifecycleTable, nearest } from '@spec/hooks';
import { exitCodes } from './exit-codes.ts';

/** Says in one sentence what is wrong with the command line. Gives the exit code. */
export function wrongUsage(sentence: string): number {
  process.stderr.write(`spec-hooks: ${sentence}\n(add --help for usage)\n`);
  return exitCodes.wrongUsage;
}

/** Every name that a hook can have. */
export const hookNames: readonly string[] = Object.keys(lifecycleTable);

/** The sentence for a hook that there is not. */
export async function describeUnknownHook(name: string): Promise<string> {
  // Loaded here: it takes most of the time that a command takes to start.
  const { eventNamed } = await import('@spec/commands');
  const event = eventNamed(name);
  if (event !== undefined)
    return `${name} is an event of settings files. The hook that runs at this moment is "${event.hook}".`;
  const meant = nearest(name, hookNames);
  const hint = meant === undefined ? `There are ${hookNames.join(', ')}.` : `Did you mean "${meant}"?`;
  return `There is no hook "${name}". ${hint}`;
}
