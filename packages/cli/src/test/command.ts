// Test: runs the cases that a project has for its hooks. `spec-hooks test` calls it; it never changes a case.

import type { Command } from 'commander';
import { writeDetails } from '../help.ts';
import { addProjectOptions, projectHelp } from '../project/options.ts';
import type { TestFlags } from './run.ts';

const details = `${projectHelp}

Cases are kept in files called *.hooks.yaml beside hooks and rules: a name, an event, its input, and what to expect. PATHS are such files, or folders with them; without any, all
below the folder of the configuration are taken.

Each case has a thread of its own and runs all hooks of the project; "agent" in a case takes those that this agent names. A gate is
a hook, an entry or a rule that can deny. One without a passing case in which it denies, or asks, is a finding.

Examples:
  $ spec-hooks test                                 all cases, and the gates without one
  $ spec-hooks test hooks/gates.hooks.yaml
  $ spec-hooks test --config .claude/settings.json --trust
  $ spec-hooks test --json

With --json:
  { "ok", "cases": [{ "name", "file", "line", "event", "ok", "decision", "ms",
                      "failures": [{ "field", "expected", "actual" }], "problem": string | null }],
    "gates": [{ "id", "hook", "source", "isProven" }], "findings": [string] }

A file of cases:
  cases:
    - name: nothing is deleted
      event: PreToolUse                      # a name of any format, or of ours
      input: { tool_name: Bash, tool_input: { command: rm -rf / } }
      expect:
        decision: deny                       # deny, ask, allow, or none
        by: no_rm                            # the hook, entry or rule that denied or asked
        reason: is not allowed               # a part of it, or /a regular expression/; null: there is none
        userMessage: …                       # as reason
        context: [a part of one, of another] # [] for none
        output: { command: ls }              # what goes on: the input that was decided on, or what the hooks made of their
                                             # subject; of objects the fields that are written here
  neverDenies: [add_context]                 # hooks that could deny, and never shall

Exit code: 0 all hold, 1 a case failed or a gate has none, 2 wrong usage.`;

/** `spec-hooks test`: cases of hooks and rules, for people who write no TypeScript. */
export function addTestCommand(program: Command): void {
  addProjectOptions(program.command('test'), { hasFiles: true })
    .description('run the cases beside hooks and rules; find gates without one')
    .argument('[paths...]', 'files with cases, or folders to look for *.hooks.yaml in')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', writeDetails(details))
    .action(async (paths: readonly string[], flags: TestFlags) => {
      // Loaded here, so that --help does not wait for it.
      const { test } = await import('./run.ts');
      process.exitCode = await test(paths, flags);
    });
}
