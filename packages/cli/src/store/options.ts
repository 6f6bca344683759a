import type { Command } from 'commander';

/** Adds the options that commands over a store share. */
export function addStoreOptions(command: Command): Command {
  return command
    .option(
      '--db <file>',
      'the SQLite file of the store, or postgres://…, in place of the one that hooks.config.ts names',
    )
    .option('--json', 'print the result as JSON');
}
