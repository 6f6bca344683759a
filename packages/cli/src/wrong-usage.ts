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
export function unknownHook(name: string): string {
  const meant = nearest(name, hookNames);
  const hint = meant === undefined ? `there are ${hookNames.join(', ')}` : `was "${meant}" meant?`;
  return `There is no hook "${name}": ${hint}${meant === undefined ? '.' : ''}`;
}
