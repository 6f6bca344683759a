import type { Command } from 'commander';
import { addStoreOptions } from '../store/options.ts';
import { outcomeNames } from '../value-names.ts';

/** Adds the options that say which runs are meant. */
export function addLogFilters(command: Command): Command {
  return addStoreOptions(command)
    .option('--thread <id>', 'only runs on this thread')
    .option('--hook <hook>', 'only runs of this hook name, such as before_tool_call')
    .option('--id <id>', 'only runs of the hook, entry or rule with this id')
    .option('--outcome <outcome>', `only runs that ended so: ${outcomeNames.join(', ')}`)
    .option('--since <time>', 'only runs from then on: a date, or how long ago, such as 12h')
    .option('--until <time>', 'only runs before then');
}
