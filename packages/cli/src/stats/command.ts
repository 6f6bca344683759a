// Stats: sums up the runs of each hook. `spec-hooks stats` calls it; it never writes to the store.

import type { Command } from 'commander';
import { writeDetails } from '../help.ts';
import type { LogFilters } from '../log/filters.ts';
import { addLogFilters } from '../log/options.ts';

const details = `
Examples:
  $ spec-hooks stats                                     every hook, over the whole ledger
  $ spec-hooks stats --since 24h --hook before_tool_call
  $ spec-hooks stats --db threads.db --json

With --json:
  { "hooks": [{ "hook", "id", "source", "runs", "changed", "outcomes": { "ok"?: count, "denied"?: count, … }, "p50", "p99", "lastAt" }] }

p50 and p99 are milliseconds that half, and 99 of 100, of the runs took at most, without those that were skipped. lastAt is
the time of the newest entry, in microseconds since the epoch.

Exit code: 0, 1 the store cannot be read, 2 wrong usage.`;

/** `spec-hooks stats`: what each hook did, over the ledger of a store. */
export function addStatsCommand(program: Command): void {
  addLogFilters(program.command('stats'))
    .description('count what each hook did, and how long it took')
    .addHelpText('after', writeDetails(details))
    .action(async (flags: LogFilters) => {
      // Loaded here, so that --help does not wait for it.
      const { showStats } = await import('./run.ts');
      process.exitCode = await showStats(flags);
    });
}
