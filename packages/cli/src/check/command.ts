// Check: finds mistakes in hooks before they run. `spec-hooks check` calls it; it never runs a hook.

import type { Command } from 'commander';
import { writeDetails } from '../help.ts';
import { addProjectOptions, projectHelp } from '../project/options.ts';
import type { CheckFlags } from './run.ts';

const details = `${projectHelp}

What is checked:
  loading     modules that cannot be imported, files that cannot be read, unknown formats, events and keys, bad matchers and templates,
              suspicious units of timeouts, variables that are empty or misspelt, settings files that are not trusted
  ids         duplicate ones; those that agents of the configuration name and nobody registered; hooks that none of them names
  matchers    those that fit none of the tools that the configuration names in "tools", or none of Claude Code's in its files
  rules       those behind a rule that denies everything they are for
  guards      those that allow what they guard when they fail
  commands    programs and scripts that do not exist or cannot be executed; bash's [[ in lines that sh runs
  answers     JSON that a command prints as it is written, and that its format does not read

Examples:
  $ spec-hooks check                                  all that is configured
  $ spec-hooks check --config .claude/settings.json   one settings file
  $ spec-hooks check --strict                         risks and notes count too

With --json:
  { "ok", "hooks", "files": [{ "file", "layer", "dialect", "chosenBy", "hooks", "trust" }],
    "notRead": [{ "file", "message" }], "counts": { "error", "warning", "risk", "note" },
    "findings": [{ "level": "error" | "warning" | "risk" | "note", "code", "file", "line", "column", "entry", "message" }] }

notRead are settings files in the usual places that the configuration does not name; they change no exit code.
What a finding does not have is null. error: something is not loaded or does not run; warning: it does not do what it says;
risk: it does, and the rules of its format let pass what it guards when it fails.

Exit code: 0 no errors and no warnings, 1 errors or warnings, 2 wrong usage.`;

/** `spec-hooks check`: everything that is wrong with the hooks here, or will surprise. */
export function addCheckCommand(program: Command): void {
  addProjectOptions(program.command('check').alias('doctor'))
    .description('report what is wrong with the hooks here, or will surprise')
    .option('--strict', 'risks and notes are findings too')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', writeDetails(details))
    .action(async (flags: CheckFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { check } = await import('./run.ts');
      process.exitCode = await check(flags);
    });
}
