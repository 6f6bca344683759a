// List: shows the hooks of the project. `spec-hooks list` calls it; it never runs one.

import type { Command } from 'commander';
import { writeDetails } from '../help.ts';
import { addProjectOptions, projectHelp } from '../project/options.ts';
import type { ListFlags } from './run.ts';

const details = `${projectHelp}

Examples:
  $ spec-hooks list                               every hook, by when it runs and in the order in which it runs
  $ spec-hooks list --hook before_tool_call       those of one name
  $ spec-hooks list --config .claude/settings.json --json

With --json:
  { "hooks": [{ "id", "hook", "kind", "from": "module" | "settings" | "rules" | "triggers", "source": "file:line" | null,
                "scope": "policy" | "named", "priority", "timeoutMs": number | null, "onError", "onTimeout",
                "event": string | null, "matcher": string | null, "runsIn": string | null, "name": string | null,
                "runs": string | null, "effects": { … } | null }],
    "problems": [{ "part", "file", "code", "message" }], "switchedOff": [{ "file", "message" }],
    "notRead": [{ "file", "message" }] }

timeoutMs is null where the runtime's default holds. runsIn is the hook that runs an entry, a rule or a trigger.
switchedOff and notRead are settings files: those whose hooks are switched off, and those in the usual places that the configuration
does not name.
name and runs are of entries of settings files: what the file calls it, and its command, address, prompt or tool.

Exit code: 0 all could be loaded, 1 something could not be, 2 wrong usage.`;

/** `spec-hooks list`: every hook that is known here. */
export function addListCommand(program: Command): void {
  addProjectOptions(program.command('list'))
    .description('list the hooks here: when they run, from where, how they fail')
    .option('--hook <hook>', 'only the hooks of this name, such as before_tool_call')
    .option('--all', 'also the hooks that carry entries, rules and triggers')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', writeDetails(details))
    .action(async (flags: ListFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { list } = await import('./run.ts');
      process.exitCode = await list(flags);
    });
}
