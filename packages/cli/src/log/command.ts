// Log: shows what the ledger recorded. `spec-hooks log` calls it, and `stats` its filters; it never writes to the store.

import type { Command } from 'commander';
import { exampleAfterError } from '../example-after-error.ts';
import { writeDetails } from '../help.ts';
import { addStoreOptions } from '../store/options.ts';
import type { LogFilters } from './filters.ts';
import type { FollowFlags } from './follow.ts';
import { addLogFilters } from './options.ts';
import type { ShowFlags } from './show.ts';

const entryShape = `  { "run": what log show takes, "at": ISO 8601, "threadId", "turnId": string | null, "step", "hook", "id", "source", "about"?, "outcome",
    "changed", "ms", "sizeBefore", "sizeAfter", "code"?, "why"? }`;

const exitCodes = 'Exit code: 0, 1 the store cannot be read, 2 wrong usage.';

const details = `
The ledger holds every run of every hook, without the data it had. Oldest first.

Examples:
  $ spec-hooks log                                        the newest 50 runs
  $ spec-hooks log --outcome denied --since 24h           what was denied since yesterday
  $ spec-hooks log --thread order-7 --hook before_tool_call --limit 500
  $ spec-hooks log show m1x2y3z4ab-09af                   one run
  $ spec-hooks log follow --outcome failed                as they come

With --json: { "runs": [ … ] }, each
${entryShape}

${exitCodes}`;

const showDetails = `
Example:
  $ spec-hooks log show m1x2y3z4ab-09af --db threads.db

--values also prints what the hook got, returned and threw, where the runtime ran with trace: 'values'.

With --json: one
${entryShape}
with --values also "values": { "before"?, "after"?, "error"?, "leftOut"? } | null.

Exit code: 0, 1 there is no such run or the store cannot be read, 2 wrong usage.`;

const followDetails = `
Shows runs as they are stored, until Ctrl-C.

Examples:
  $ spec-hooks log follow
  $ spec-hooks log follow --outcome denied --since 1h     those of the last hour first
  $ spec-hooks log follow --json | jq .id

With --json: one line for each
${entryShape}

${exitCodes}`;

/** `spec-hooks log`: the ledger of a store. */
export function addLogCommand(program: Command): void {
  const log = addLogFilters(program.command('log'))
    .description('list the runs of hooks that a store recorded')
    .option('--limit <count>', 'the newest so many (default: 50)')
    .addHelpText('after', writeDetails(details))
    .action(async (flags: LogFilters) => {
      // Loaded here, so that --help does not wait for it.
      const { showLog } = await import('./run.ts');
      process.exitCode = await showLog(flags);
    });
  addStoreOptions(log.command('show'))
    .description('show one run')
    .argument('<run>', 'as the first column of spec-hooks log has it')
    .option('--values', 'also print the data it had, where it was traced')
    .showHelpAfterError(exampleAfterError('log show m1x2y3z4ab-09af'))
    .addHelpText('after', writeDetails(showDetails))
    .action(async (run: string, _: unknown, command: Command) => {
      const { showRun } = await import('./show.ts');
      process.exitCode = await showRun(run, command.optsWithGlobals<ShowFlags>());
    });
  addLogFilters(log.command('follow'))
    .description('show runs as they are stored')
    .addHelpText('after', writeDetails(followDetails))
    .action(async (_: unknown, command: Command) => {
      const { follow } = await import('./follow.ts');
      process.exitCode = await follow(command.optsWithGlobals<FollowFlags>());
    });
}
