// Status: says whether hooks are on and where they come from. `spec-hooks status` calls it; it never runs a hook.

import type { Command } from 'commander';
import { writeDetails } from '../help.ts';
import { addProjectOptions, projectHelp } from '../project/options.ts';
import type { StatusFlags } from './run.ts';

const details = `${projectHelp}

Examples:
  $ spec-hooks status           whether hooks are on, how many there are, and on which events
  $ spec-hooks status --json

With --json:
  { "enabled", "hooks", "events", "byEvent": [{ "hook", "count", "names": [string] }],
    "files": [{ "file", "dialect": string | null, "layer", "hooks", "trust": string | null }],
    "denies": [string], "problems": [{ … }], "switchedOff": [{ "file", "message" }], "notRead": [{ "file", "message" }],
    "agents": [{ "agent", "scope", "lastAt": string | null, "lastEvent": string | null, "doubts": [string] }] }

enabled is false where no hook runs. denies are the hooks at which what untrusted files guard is denied. names are what settings and rule files call the event.
notRead are settings files in the usual places that the configuration does not name.
agents are the coding agents in which the hooks are installed, each with when it last told of something; null: never.

Exit code: 0 all could be loaded, 1 something could not be, 2 wrong usage.`;

/** `spec-hooks status`: the tables of the hook service (§12e.8). */
export function addStatusCommand(program: Command): void {
  addProjectOptions(program.command('status'))
    .description('say whether hooks are on, how many, and on which events')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', writeDetails(details))
    .action(async (flags: StatusFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { status } = await import('./run.ts');
      process.exitCode = await status(flags);
    });
}
